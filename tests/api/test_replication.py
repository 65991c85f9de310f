"""STELE_MIN_REPLICAS: an action is acknowledged when so many replicas have it, in threads and in the loop, and a retry too."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from events.keys import keys_of
from events.store import EMPTY_LOG, EventStore
from services.core import metrics
from services.core.connections import connect_queue
from services.core.settings import Settings
from services.worker.job_handlers import JobHandlers
from services.worker.queue import WorkQueue
from tests.api.client import CLUB, Answer, build_api, new_game
from tests.api.live import live_api
from tests.events.logs import created
from tests.servers import PATIENCE, ValkeyServer, free_ports, short_directory, wait_until


@pytest.fixture(scope="module")
def stores() -> Iterator[tuple[ValkeyServer, ValkeyServer]]:
    """A primary and its replica."""
    port, other = free_ports(2)
    with short_directory() as directory:
        primary = ValkeyServer(directory / "p", port=port, options=("--repl-diskless-sync-delay", "0"))
        replica = ValkeyServer(directory / "r", port=other, options=("--replicaof", f"127.0.0.1 {port}"))
        try:
            for server in (primary, replica):
                server.start()
            with primary.client() as client:
                wait_until(lambda: client.info("replication")["connected_slaves"] == 1, "the replica")
                wait_until(lambda: bool(client.execute_command("WAIT", 1, 100)), "the replica to keep up")
            yield primary, replica
        finally:
            for server in (replica, primary):
                server.stop()


@contextmanager
def stopped(server: ValkeyServer) -> Iterator[None]:
    os.kill(server.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(server.pid, signal.SIGCONT)


class InTheLoop:
    """The API as a process of its own, whose quick requests run in its loop."""

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}"

    def send(self, method: str, path: str, body: Any, token: str | None, key: str | None) -> Answer:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        headers |= {"Idempotency-Key": key} if key else {}
        answer = httpx.request(method, self.url + path, json=body, headers=headers, timeout=PATIENCE)
        return Answer(answer.status_code, list(answer.headers.items()), answer.content)


class InThreads:
    """The same code where calls block, as workers and slow routes run it."""

    def __init__(self, url: str) -> None:
        self.api = build_api(url, min_replicas=1)

    def send(self, method: str, path: str, body: Any, token: str | None, key: str | None) -> Answer:
        if method == "GET":
            return self.api.get(path, token)
        return self.api.post(path, body, token, **({"Idempotency_Key": key} if key else {}))


@pytest.fixture(params=["in the loop", "in threads"])
def server(
    request: pytest.FixtureRequest, stores: tuple[ValkeyServer, ValkeyServer], tmp_path: Path
) -> Iterator[InTheLoop | InThreads]:
    if request.param == "in the loop":
        with live_api(stores[0].url, tmp_path, STELE_MIN_REPLICAS="1") as port:
            yield InTheLoop(port)
    else:
        yield InThreads(stores[0].url)


def test_what_has_not_reached_a_replica_is_not_acknowledged_nor_is_its_retry(
    server: InTheLoop | InThreads, stores: tuple[ValkeyServer, ValkeyServer]
) -> None:
    players = {"ruleset": "babel", "players": [{"name": "Ada"}, {"name": "Ben"}]}
    game = server.send("POST", "/v1/games", players, CLUB, None).json
    path, token = game["links"]["self"], game["seats"][game["to_act"][0]]["token"]
    action = server.send("GET", f"{path}/actions", None, token, None).json["actions"][0]

    def act() -> Answer:
        return server.send("POST", f"{path}/actions", action, token, "the-same-key-each-time")

    with stopped(stores[1]):
        for _ in range(3):
            answer = act()
            assert (answer.status, answer.code) == (503, "not_replicated")
            assert answer.headers["retry-after"] == "1"
        assert server.send("GET", path, None, None, None).json["version"] == game["version"] + 1, "it stands"
    done = act()
    while done.code == "not_replicated":  # it must read what it has missed first
        done = act()
    assert (done.status, done.headers["idempotent-replayed"]) == (201, "true")
    assert server.send("GET", path, None, None, None).json["version"] == game["version"] + 1, "once"
    with stores[1].client() as replica:
        assert replica.exists(f"stele:{{{game['id'][:2]}}}:game:{game['id']}:log")


def test_an_append_whose_answer_was_lost_waits_for_its_replica_when_it_is_made_again(
    stores: tuple[ValkeyServer, ValkeyServer],
) -> None:
    """Its entries stand in the log already, so that it writes none: without more it would wait for nothing."""
    with stores[0].client() as plain:
        entries = created().carve()
        EventStore(plain).append(EMPTY_LOG, entries)
    store = InThreads(stores[0].url).api.context.store
    written: list[Any] = []
    xadd = store.appends.xadd
    store.appends.xadd = lambda *arguments, **named: written.append(arguments) or xadd(*arguments, **named)  # type: ignore[method-assign,func-returns-value]
    store.append(EMPTY_LOG, entries)
    assert len(written) == 1


def test_every_rewind_is_counted_whoever_notices_it(
    stores: tuple[ValkeyServer, ValkeyServer], caplog: pytest.LogCaptureFixture
) -> None:
    api = build_api(stores[0].url)
    game = new_game(api)
    log = keys_of(game.created["id"]).stream
    game.play(2)
    api.project(game.created["id"])
    version = game.show()["version"]
    with stores[0].client() as client:
        client.xdel(log, f"{version}-0")
    before = metrics.LOGS_DIVERGED._value.get()
    assert game.show()["version"] == version - 1, "a reader notices"
    other = build_api(stores[0].url)
    workshop = JobHandlers(other.context.ledger, WorkQueue(connect_queue(Settings(store_url=stores[0].url))))
    workshop.project([game.created["id"]])
    assert metrics.LOGS_DIVERGED._value.get() == before + 2, "and a worker, by its snapshot"
    lines = [record for record in caplog.records if "rewound" in record.message]
    assert [line.members["game"] for line in lines] == [game.created["id"]] * 2  # type: ignore[attr-defined]
