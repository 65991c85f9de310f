"""Live streams over a real server and a real store: complete, in order, resumed, ended when they should."""

import resource
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import msgspec
import pytest

from events import commands
from events.batch import EntryBatch
from events.show import visible_event
from games import toy
from services.core.ledger import Dossier
from services.front.channels import STREAM_BYTES
from tests.events.logs import TOYS
from tests.front.live_server import LiveServer, Stream, serving
from tests.front.stand_in import Table
from tests.servers import PATIENCE, ValkeyCluster, ValkeyServer, running_valkey

LONG_WAIT = 60
"""Seconds, longer than a busy machine takes: whoever is answered sooner has not waited for the end of its wait."""
WATCHERS = 20


@pytest.fixture(autouse=True)
def _games_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """As long as a test likes; one that wants a game to end says so."""
    monkeypatch.setattr(toy, "ROUNDS", 10**6)


@pytest.fixture(scope="module")
def server(valkey: ValkeyServer) -> Iterator[LiveServer]:
    with serving(LiveServer(valkey.url)) as server:
        yield server


@pytest.fixture
def table(valkey: ValkeyServer) -> Iterator[Table]:
    with valkey.client() as client:
        yield Table(client)


class Audience:
    """Opens streams, and leaves those that are still open when the test is over."""

    def __init__(self) -> None:
        self._streams: list[Stream] = []

    def __call__(self, server: LiveServer, game: str, query: str = "", **headers: str) -> Stream:
        stream = Stream(server, f"/games/{game}/events?{query}", **headers)
        self._streams.append(stream)
        return stream

    def leave(self) -> None:
        for stream in self._streams:
            stream.leave()


@pytest.fixture
def watch() -> Iterator[Audience]:
    audience = Audience()
    yield audience
    audience.leave()


def numbers(first: int, last: int) -> list[int]:
    return list(range(first, last + 1))


def finished(table: Table, monkeypatch: pytest.MonkeyPatch) -> str:
    """A game that is over, but not settled."""
    monkeypatch.setattr(toy, "ROUNDS", 1)
    game = table.create()
    table.play(game, 3)
    return game


def renew_often(table: Table, game: str, times: int) -> int:
    """Make a log long in one go; the version after it."""

    def write(batch: EntryBatch, dossier: Dossier) -> None:
        for _ in range(times):
            commands.renew_token(batch, {"operator": True}, 0)

    table.ledger.change(game, write)
    return table.version(game)


# -- delivery -----------------------------------------------------------------------------------------------------


def test_every_watcher_gets_every_event_once_and_in_order_whenever_it_comes(
    server: LiveServer, table: Table, watch: Audience
) -> None:
    games = [table.create() for _ in range(2)]
    writers = [threading.Thread(target=table.play, args=(game, 60)) for game in games for _ in range(2)]
    streams = []
    for writer in writers:
        writer.start()
    for number in range(WATCHERS):
        streams.append((games[number % 2], watch(server, games[number % 2])))
        time.sleep(0.01)
    for writer in writers:
        writer.join()
    for game, stream in streams:
        stream.got(table.version(game))
        assert stream.ids == numbers(1, 5 + 2 * 60)
        assert [event["seq"] for event in stream.events] == stream.ids


def test_an_event_comes_though_none_follows_it(server: LiveServer, table: Table, watch: Audience) -> None:
    game = table.create()
    stream = watch(server, game)
    stream.got(5)
    stream.got(table.play(game))


def test_each_viewer_sees_what_it_may_see_and_no_more(
    server: LiveServer, table: Table, watch: Audience
) -> None:
    game = table.create()
    table.play(game, 2)
    everyone: dict[int | None, Stream] = {None: watch(server, game)}
    for seat in range(3):
        everyone[seat] = watch(server, game, f"seat={seat}&generation=0")
    table.play(game, 4)
    entries = table.ledger.store.read(game)
    for viewer, stream in everyone.items():
        stream.got(entries[-1].seq)
        shown = [visible_event(carved, viewer, TOYS.latest("lanterns"), settled=False) for carved in entries]
        assert stream.raw == [msgspec.json.encode(event) for event in shown]


def test_a_stream_that_was_cut_goes_on_after_the_last_event_that_came(
    server: LiveServer, table: Table, watch: Audience
) -> None:
    game = table.create()
    first = watch(server, game)
    first.got(table.play(game, 3))
    first.leave()
    last = table.play(game, 100)
    second = watch(server, game, Last_Event_ID=str(first.ids[-1]))
    second.got(last)
    second.got(table.play(game))
    assert first.ids + second.ids == numbers(1, last + 1)


def test_who_knows_everything_is_sent_only_what_is_new(
    server: LiveServer, table: Table, watch: Audience
) -> None:
    game = table.create()
    stream = watch(server, game, "after=5")
    stream.got(table.play(game))
    assert stream.ids == [6]


def test_streams_hold_no_threads(server: LiveServer, table: Table, watch: Audience) -> None:
    game = table.create()
    for _ in range(WATCHERS):
        watch(server, game)
    assert server.get("/threads") <= 8 < WATCHERS


def test_a_stream_tells_when_to_come_back_and_that_nobody_may_keep_it(
    server: LiveServer, table: Table, watch: Audience
) -> None:
    stream = watch(server, table.create())
    stream.got(5)
    assert stream.other == ["retry: 1000"]
    assert stream.response.getheader("content-type") == "text/event-stream; charset=utf-8"
    assert stream.response.getheader("cache-control") == "no-store"
    assert stream.response.getheader("content-length") is None


def test_a_head_request_for_a_stream_is_answered_at_once(server: LiveServer, table: Table) -> None:
    assert server.request("HEAD", f"/games/{table.create()}/events").status == 200


# -- clients that do not read -----------------------------------------------------------------------------------------


def test_a_stream_carries_so_much_and_who_comes_back_gets_the_rest(
    server: LiveServer, table: Table, watch: Audience
) -> None:
    game = table.create()
    version = renew_often(table, game, 6000)
    seen: list[int] = []
    streams = 0
    while not seen or seen[-1] < version:
        stream = watch(server, game, Last_Event_ID=str(seen[-1] if seen else 0))
        stream.got_or_ended(version)
        assert sum(len(raw) for raw in stream.raw) < STREAM_BYTES + 300_000
        seen += stream.ids
        streams += 1
    assert seen == numbers(1, version)
    assert streams > 1


def test_a_client_that_does_not_read_keeps_nobody_waiting(
    server: LiveServer, table: Table, watch: Audience
) -> None:
    game = table.create()
    with socket.socket() as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.connect(("127.0.0.1", server.port))
        deaf.sendall(
            f"GET /games/{game}/events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n".encode()
        )
        stream = watch(server, game, "after=5")
        stream.got(renew_often(table, game, 300))


# -- ends -------------------------------------------------------------------------------------------------------------


def test_a_stream_ends_with_the_settlement(
    server: LiveServer, table: Table, monkeypatch: pytest.MonkeyPatch, watch: Audience
) -> None:
    game = finished(table, monkeypatch)
    stream = watch(server, game, "seat=0&generation=0")
    stream.got(8)
    table.settle(game)
    assert stream.ended()
    assert stream.ids == numbers(1, 9)
    assert stream.events[-1]["type"] == "game_settled"
    assert "salt" in stream.events[-1]
    assert all("salt" not in event for event in stream.events[:-1])


def test_whoever_comes_after_the_settlement_sees_everything(
    server: LiveServer, table: Table, monkeypatch: pytest.MonkeyPatch, watch: Audience
) -> None:
    game = finished(table, monkeypatch)
    table.settle(game)
    stream = watch(server, game)
    assert stream.ended()
    entries = table.ledger.store.read(game)
    opened = [visible_event(carved, None, TOYS.latest("lanterns"), settled=True) for carved in entries]
    assert stream.raw == [msgspec.json.encode(event) for event in opened]
    again = watch(server, game, "after=9")
    assert again.ended()
    assert again.ids == []


def test_a_renewed_token_ends_the_streams_of_the_old_one_alone(
    server: LiveServer, table: Table, watch: Audience
) -> None:
    game = table.create()
    old, other = (watch(server, game, f"seat={seat}&generation=0") for seat in (1, 2))
    spectator = watch(server, game)
    for stream in (old, other, spectator):
        stream.got(5)
    table.renew(game, 1)
    assert old.ended()
    assert old.ids == numbers(1, 5)
    new = watch(server, game, "seat=1&generation=1")
    last = table.play(game)
    for stream in (other, spectator, new):
        stream.got(last)
        assert stream.ids == numbers(1, last)


def test_a_token_that_was_renewed_on_the_way_gets_nothing_of_later(
    server: LiveServer, table: Table, watch: Audience
) -> None:
    game = table.create()
    table.renew(game, 1)
    table.play(game)
    stream = watch(server, game, "seat=1&generation=0")
    assert stream.ended()
    assert stream.ids == numbers(1, 5)


# -- waiting ----------------------------------------------------------------------------------------------------------


def test_a_wait_is_over_as_soon_as_the_game_moves(server: LiveServer, table: Table) -> None:
    game = table.create()
    threading.Timer(0.3, table.play, (game,)).start()
    begun = time.monotonic()
    assert server.get(f"/games/{game}?after=5&wait={LONG_WAIT}") == {"version": 6}
    assert time.monotonic() - begun < LONG_WAIT


def test_a_wait_that_nothing_comes_of_ends_in_time_with_the_answer_as_it_was(
    server: LiveServer, table: Table
) -> None:
    game = table.create()
    begun = time.monotonic()
    assert server.get(f"/games/{game}?after=5&wait=0.5") == {"version": 5}
    assert time.monotonic() - begun >= 0.5


def test_nobody_waits_for_what_is_there(server: LiveServer, table: Table) -> None:
    game = table.create()
    begun = time.monotonic()
    assert server.get(f"/games/{game}?after=4&wait={LONG_WAIT}")["version"] == 5
    assert time.monotonic() - begun < LONG_WAIT


def test_many_may_wait_at_once(server: LiveServer, table: Table) -> None:
    game = table.create()
    answers: list[int] = []
    path = f"/games/{game}?after=5&wait={LONG_WAIT}"
    waiting = [
        threading.Thread(target=lambda: answers.append(server.get(path)["version"])) for _ in range(WATCHERS)
    ]
    for each in waiting:
        each.start()
    time.sleep(0.5)
    table.play(game)
    for each in waiting:
        each.join(PATIENCE)
    assert answers == [6] * WATCHERS


# -- the store, and the end of the server -----------------------------------------------------------------------------


def test_streams_go_on_by_themselves_when_the_store_was_away(watch: Audience) -> None:
    with (
        running_valkey(appendonly="always") as store,
        serving(LiveServer(store.url)) as server,
        store.client() as client,
    ):
        survive(store, server, Table(client), watch)


def survive(store: ValkeyServer, server: LiveServer, table: Table, watch: Audience) -> None:
    game = table.create()
    streams = [watch(server, game) for _ in range(WATCHERS)]
    last = table.play(game, 3)
    for stream in streams:
        stream.got(last)
    waited: list[int] = []
    wait = threading.Thread(
        target=lambda: waited.append(server.get(f"/games/{game}?after={last}&wait={LONG_WAIT}")["version"])
    )
    wait.start()
    time.sleep(0.3)
    store.kill9()
    time.sleep(1)
    store.start()
    last = table.play(game, 5)
    for stream in streams:
        stream.got(last)
        assert stream.ids == numbers(1, last)
    wait.join(PATIENCE)
    assert waited[0] > 8


def test_streams_work_on_a_cluster(valkey_cluster: ValkeyCluster, watch: Audience) -> None:
    with (
        serving(LiveServer(valkey_cluster.url, STAND_IN_CLUSTER="yes")) as server,
        valkey_cluster.client() as client,
    ):
        table = Table(client)
        games = [table.create() for _ in range(6)]
        streams = [watch(server, game) for game in games]
        for game, stream in zip(games, streams, strict=True):
            last = table.play(game, 3)
            stream.got(last)
            assert stream.ids == numbers(1, last)


@contextmanager
def few_open_files() -> Iterator[None]:
    """As on most machines, where a process may open 1,024 files unless it asks for more, as this one does after."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (1024, most))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def test_more_than_a_thousand_streams_leave_room_for_others_and_the_server_stops_at_once(
    valkey: ValkeyServer, table: Table
) -> None:
    game = table.create()
    stream = f"GET /games/{game}/events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n".encode()
    wait = f"GET /games/{game}?after=5&wait={LONG_WAIT} HTTP/1.1\r\nHost: x\r\n\r\n".encode()
    server = LiveServer(valkey.url)
    with ExitStack() as opened:
        with few_open_files():
            opened.enter_context(serving(server))

        def ask(request: bytes) -> socket.socket:
            client = opened.enter_context(socket.create_connection(("127.0.0.1", server.port), 30))
            client.sendall(request)
            return client

        streams = [ask(stream) for _ in range(1100)]
        waits = [ask(wait) for _ in range(10)]
        for client in streams:
            assert client.recv(100).startswith(b"HTTP/1.1 200 ")
        assert server.get(f"/games/{game}")["version"] == 5
        assert server.stop() < LONG_WAIT
        for client in waits:
            assert client.recv(100).startswith(b"HTTP/1.1 200 ")
