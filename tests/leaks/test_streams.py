"""Live streams of twin games, through the real server, are the same to the last byte; and it logs no secret."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count, islice
from pathlib import Path
from random import Random

import pytest

from games.kernel import Viewer
from tests.api.client import OPERATOR, Table
from tests.leaks.conftest import DATABASES
from tests.leaks.server import RemoteApi, Watcher, serving
from tests.leaks.twins import HASHES, Question, Twins, but_for_hashes, twins_at
from tests.rulesets.kits import KITS
from tests.rulesets.playing import Moment, played
from tests.servers import ValkeyServer
from tests.sockets import Socket

STEPS = 3
VIEWERS: tuple[tuple[str, Viewer], ...] = (
    *(("lanterns", viewer) for viewer in (None, 0, 1, 2)),
    *((name, viewer) for name in ("aton", "babel", "sa_re", "temple_of_five") for viewer in (None, 1)),
)
games_made = count()
Watch = Callable[..., Watcher]


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Where the servers' logs go."""
    directory = tmp_path_factory.mktemp("said")
    return directory / "one", directory / "other"


@pytest.fixture(scope="module")
def remote(valkey: ValkeyServer, said: tuple[Path, Path]) -> Iterator[tuple[RemoteApi, RemoteApi]]:
    """Twin servers that run as processes of their own."""
    with ExitStack() as stack:
        servers = []
        for database, output in zip(DATABASES, said, strict=True):
            with valkey.client(db=database) as client:
                client.flushdb()
            servers.append(stack.enter_context(serving(f"{valkey.url}?db={database}", output)))
        yield servers[0], servers[1]


def find_twins(servers: tuple[RemoteApi, RemoteApi], name: str, viewer: Viewer) -> Twins:
    """Twin games of a moment somewhere in the first half of a game."""
    kit = next(kit for kit in KITS if kit.ruleset.name == name)
    random = Random(f"{name} {viewer}")
    game = played(kit, 0, 0)
    while True:
        moment = Moment(game, random.randrange(len(game.steps) // 2))
        if twins := twins_at(servers, moment, viewer, random, f"streams-{next(games_made)}"):
            return twins


@pytest.fixture
def watch() -> Iterator[Watch]:
    """Opens streams, all of which end with the test."""
    opened: list[Watcher] = []

    def begin(table: Table, token: str | None, query: str = "") -> Watcher:
        assert isinstance(table.api, RemoteApi)
        opened.append(Watcher(table.api.port, f"{table.path}/events{query}", token))
        return opened[-1]

    yield begin
    for watcher in opened:
        watcher.leave()


@pytest.mark.parametrize(("name", "viewer"), VIEWERS)
def test_frames_of_twin_games_are_the_same(
    remote: tuple[RemoteApi, RemoteApi], watch: Watch, name: str, viewer: Viewer
) -> None:
    twins = find_twins(remote, name, viewer)
    token = twins.games[0].token(viewer)
    early = [watch(table, token, "?frames=true&include=labels&after=0") for table in twins.games]
    for step in islice(twins.next_steps(), 1):
        twins.act(*step)
    version = twins.games[0].head[0]
    stream = assert_same(early, version)
    assert stream.count(b"\nid: ") == stream.count(b'"view":') == version
    late = [watch(table, token, "?frames=true") for table in twins.games]
    assert assert_same(late, version).count(b"\nid: ") == 1


def assert_same(watchers: list[Watcher], version: int) -> bytes:
    one, other = (but_for_hashes(watcher.wait_for(version)) for watcher in watchers)
    assert one == other
    return one


@pytest.mark.parametrize(("name", "viewer"), VIEWERS)
def test_live_streams_of_twin_games_are_the_same(
    remote: tuple[RemoteApi, RemoteApi], watch: Watch, name: str, viewer: Viewer
) -> None:
    twins = find_twins(remote, name, viewer)
    token = twins.games[0].token(viewer)
    early = [watch(table, token) for table in twins.games]
    begun = twins.games[0].head[0]
    for _ in range(STEPS):
        step = next(twins.next_steps(), None)
        if step is None:
            break
        twins.act(*step)
    version = twins.games[0].head[0]
    late = [watch(table, token, f"?after={begun}") for table in twins.games if version > begun]
    stream = assert_same(early, version)
    assert stream.startswith(b"200\n")
    assert stream.count(b"\nid: ") == version
    if late:
        assert stream.endswith(assert_same(late, version).partition(b"retry: 1000\n\n")[2])


def test_waiting_for_what_comes_next_tells_the_same(remote: tuple[RemoteApi, RemoteApi]) -> None:
    twins = find_twins(remote, "lanterns", 0)
    version, token = twins.games[0].head[0], twins.games[0].token(0)
    assert twins.same(Question("GET", f"?after={version - 1}&wait=5", None, token)).status == 200
    assert twins.same(Question("GET", f"?after={version}&wait=1", None, token)).status == 200


def test_a_stream_may_be_watched_with_a_ticket_and_tells_the_same(
    remote: tuple[RemoteApi, RemoteApi], watch: Watch
) -> None:
    table = find_twins(remote, "lanterns", 1).games[0]
    ticket = table.post("/tickets", token=table.token(1)).json["ticket"]
    by_token, by_ticket = watch(table, table.token(1)), watch(table, None, f"?ticket={ticket}")
    version = table.head[0]
    assert by_token.wait_for(version).body == by_ticket.wait_for(version).body


def test_the_servers_log_no_token_and_no_ticket(
    remote: tuple[RemoteApi, RemoteApi], said: tuple[Path, Path]
) -> None:
    twins = find_twins(remote, "babel", 0)
    table = twins.games[0]
    ticket = table.post("/tickets", token=table.token(0)).json["ticket"]
    assert table.get(f"?ticket={ticket}").status == 200
    assert table.get(f"/nowhere?ticket={ticket}", OPERATOR).status == 404
    lines = said[0].read_text()
    assert table.id in lines
    for secret in (ticket, OPERATOR, *table.tokens.values()):
        assert secret not in lines


@pytest.mark.parametrize(("name", "viewer"), VIEWERS)
def test_sockets_of_twin_games_are_the_same(
    remote: tuple[RemoteApi, RemoteApi], name: str, viewer: Viewer
) -> None:
    twins = find_twins(remote, name, viewer)
    token = twins.games[0].token(viewer)
    with ExitStack() as stack:
        sockets = [stack.enter_context(Socket(api.port)) for api in remote]
        for socket, table in zip(sockets, twins.games, strict=True):
            followed = socket.follow(table.id, token, after=0, include=["labels", "actions"])
            socket.frame(followed, table.head[0])
            for op in ("actions", "head"):
                socket.ask(op, as_=followed)
            socket.ask("check", as_=followed, action={"type": "nonsense"})
            socket.ask("act", as_=followed, action={"type": "nonsense"}, decision=1)
            socket.ask("act", as_=followed, action={"type": "nonsense"}, answer="minimal")
        for step in islice(twins.next_steps(), 1):
            twins.act(*step)
        for socket, table in zip(sockets, twins.games, strict=True):
            if table.head[0] > max(versions_in(socket)):
                socket.frame(1, table.head[0])
        one, other = ([HASHES.sub(b"", text.encode()) for text in socket.raw] for socket in sockets)
    assert one == other
    assert len(one) >= 7


def versions_in(socket: Socket) -> list[int]:
    """The versions of the frames that have come."""
    messages = [json.loads(text) for text in socket.raw]
    return [message["frame"]["version"] for message in messages if "frame" in message]
