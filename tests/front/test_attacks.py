"""What was done to stall the server, over a real socket: none of it works any more."""

import json
import os
import select
import signal
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection

import pytest

from events import commands
from events.batch import EntryBatch
from events.store import EventStore
from games import RULESETS
from projections.store import ProjectionStore
from services.core.ledger import Dossier, Ledger
from services.front.fair_turns import MOST_WAITING
from services.front.rsgi import UPLOADS
from tests.front.attacked import Reply, Server, attacked, reply_of
from tests.front.hasty import CROWD
from tests.servers import PATIENCE, ValkeyServer, wait_until

MB = 1_000_000
ANSWERS = 4
"""Answers that a player has at least during an attack. A server that did nothing else meanwhile would give one."""


@pytest.fixture(scope="module")
def server(valkey: ValkeyServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with attacked(valkey, tmp_path_factory.mktemp("attacked")) as server:
        yield server


class Player(threading.Thread):
    """Someone who looks at a game again and again, and counts the answers."""

    def __init__(self, server: Server) -> None:
        super().__init__(daemon=True)
        self._server = server
        self._path = f"/v1/games/{server.new_game()['id']}"
        self._over = threading.Event()
        self.answers = 0
        self.refusals: list[object] = []

    def run(self) -> None:
        while not self._over.is_set():
            answer = self._server.call("GET", self._path)
            if "version" in answer:
                self.answers += 1
            else:
                self.refusals.append(answer)
            time.sleep(0.005)

    def wait_for_answers(self, number: int) -> None:
        """Wait until so many more answers have come."""
        enough = self.answers + number
        wait_until(lambda: self.answers >= enough, f"{number} answers to a player")

    def __enter__(self) -> "Player":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self.join()
        assert not self.refusals


def attack(server: Server, request: bytes, number: int) -> set[int]:
    """Send a request so many times from eight connections, while a player looks at a game; the statuses of the replies."""
    with Player(server) as player, ThreadPoolExecutor(8) as strangers:
        player.wait_for_answers(1)
        before = player.answers
        replies = list(strangers.map(lambda _: server.send(request), range(number)))
        answers = player.answers - before
    assert answers >= ANSWERS
    return {reply.status for reply in replies}


# -- tokens without end (first, as long as the server has no memory to spare) --------------------------------------


def test_wrong_tokens_are_not_remembered(server: Server) -> None:
    path = f"/v1/games/{server.new_game()['id']}"
    before = server.memory()
    connection = HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    for number in range(3_000):
        token = f"0.0.{number}".ljust(4_000, "x")
        connection.request("GET", path, headers={"Authorization": f"Bearer {token}"})
        answer = connection.getresponse()
        answer.read()
        assert answer.status == 401
    connection.close()
    assert server.memory() - before < 6 * MB


# -- records that take long to read ----------------------------------------------------------------------------------


def upload(content: bytes) -> bytes:
    head = f"POST /v1/records HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: {len(content)}\r\n\r\n"
    return head.encode() + content


@pytest.mark.parametrize("entry", [b"{}", b'{"some member":"and its value"}'])
def test_records_that_take_long_to_read_keep_no_player_waiting(server: Server, entry: bytes) -> None:
    content = b'{"format":"stele-record/1","entries":[' + b",".join([entry] * (2 * MB // len(entry))) + b"]}"
    assert attack(server, upload(content), 8) <= {200, 422, 503}


def test_bodies_that_take_long_to_check_keep_no_player_waiting(server: Server) -> None:
    content = json.dumps(
        {"ruleset": "babel", "options": {f"option {number}": [] for number in range(12_000)}}
    )
    request = upload(content.encode()).replace(b"/v1/records", b"/v1/games", 1)
    assert attack(server, request, 16) == {422}


# -- bodies that are never sent whole ---------------------------------------------------------------------------------


def half_sent(path: str, declared: int = 16 * MB) -> bytes:
    head = f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {declared}\r\n\r\n"
    return head.encode()


@pytest.mark.parametrize("path", ["/nowhere", "/v1/games", "/v1/records"])
def test_bodies_that_are_half_sent_are_not_held(server: Server, path: str) -> None:
    before = server.memory()

    def send_half(client: socket.socket) -> None:
        client.settimeout(2)
        try:
            client.sendall(half_sent(path))
            client.sendall(bytes(15 * MB))
        except OSError:
            return  # nobody takes it: it is refused, or waits where it comes from

    with ExitStack() as opened:
        clients = [opened.enter_context(server.open()) for _ in range(20)]
        with ThreadPoolExecutor(20) as strangers:
            list(strangers.map(send_half, clients))
        assert server.memory() - before < 120 * MB
    assert server.call("GET", "/healthz")["status"] == "ok"


def test_a_body_must_come_in_time(server: Server) -> None:
    with server.open() as client:
        client.sendall(half_sent("/v1/games", 1000) + b'{"ruleset":')
        assert client.recv(1000).startswith(b"HTTP/1.1 408 ")


def test_a_body_that_ends_too_soon_is_refused_in_words(server: Server) -> None:
    with server.open() as client:
        client.sendall(half_sent("/v1/games", 1000) + b'{"ruleset":')
        client.shutdown(socket.SHUT_WR)
        reply = reply_of(client)
    assert (reply.status, reply.code) == (400, "incomplete_body")


CHUNKED = b"POST /v1/games HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n"
NEW_GAME = b'{"ruleset":"babel"}'


@pytest.mark.parametrize("ending", [b"", b"0", b"0\r\n", b"5\r\n12", b"nonsense\r\n"])
def test_a_chunked_body_without_its_end_changes_nothing(server: Server, ending: bytes) -> None:
    """Even if what has come would do."""
    with server.open() as client:
        client.sendall(CHUNKED + b"\r\n%x\r\n%b\r\n%b" % (len(NEW_GAME), NEW_GAME, ending))
        client.shutdown(socket.SHUT_WR)
        assert reply_of(client).code == "incomplete_body"


def test_a_chunked_body_that_comes_in_pieces_is_read_whole(server: Server) -> None:
    with server.open() as client:
        client.sendall(CHUNKED + b"\r\n")
        for byte in NEW_GAME:
            client.sendall(b"1\r\n%c\r\n" % byte)
            time.sleep(0.005)
        client.sendall(b"0\r\n\r\n")
        assert reply_of(client).status == 201


@pytest.mark.parametrize("sent", [b"", b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: y"])
def test_a_connection_that_sends_nothing_or_no_whole_request_is_closed(server: Server, sent: bytes) -> None:
    with server.open() as client:
        client.sendall(sent)
        assert client.recv(1000) == b""


def test_many_silent_connections_leave_room_for_players(server: Server) -> None:
    with ExitStack() as opened, Player(server) as player:
        for _ in range(1500):
            opened.enter_context(server.open())
        player.wait_for_answers(10)


@pytest.mark.parametrize("length", [257_000, 999_999_999])
def test_a_body_that_is_said_to_be_too_large_is_refused_before_it_is_sent(
    server: Server, length: int
) -> None:
    with server.open() as client:
        client.sendall(half_sent("/v1/games", length))
        assert client.recv(1000).startswith(b"HTTP/1.1 413 "), "not 408, as to one that is waited for"


def test_large_bodies_beyond_those_that_have_a_place_are_refused_soon(server: Server) -> None:
    with ExitStack() as opened:
        for _ in range(UPLOADS):
            opened.enter_context(server.open()).sendall(half_sent("/v1/records", 4 * MB))
        time.sleep(0.1)
        with server.open() as client:
            client.sendall(half_sent("/v1/records", 4 * MB))
            reply = client.recv(1000)
            assert reply.startswith(b"HTTP/1.1 503 "), "not 408, as to one that got a place"
            assert b"retry-after: 1" in reply


# -- more than can be done -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/v1/games/{}", "/v1/games/{}/board.svg", "/v1/games?limit=1"])
def test_who_comes_on_top_of_too_many_is_turned_away_at_once_and_the_others_are_served(
    server: Server, valkey: ValkeyServer, path: str
) -> None:
    """In the loop, in the slow pool and in the threads; each caller asks once."""
    request = look_at(path.format(server.new_game()["id"]))
    refused, served = crowded(server, valkey, request, range(1, CROWD + 13), 12)
    assert [(reply.status, reply.code) for reply in refused] == [(503, "busy")] * 12
    assert [reply.status for reply in served] == [200] * CROWD
    assert server.send(request).status == 200


def test_a_caller_with_too_many_slow_requests_is_refused_at_once_and_the_others_are_served(
    server: Server, valkey: ValkeyServer
) -> None:
    """It takes no more than one place in the slow pool: there is room for all others."""
    request = look_at(f"/v1/games/{server.new_game()['id']}/board.svg")
    callers = [1] * (MOST_WAITING + 12) + list(range(2, CROWD + 1))
    refused, served = crowded(server, valkey, request, callers, 12)
    assert [(reply.status, reply.code) for reply in refused] == [(429, "rate_limited")] * 12
    assert [reply.status for reply in served] == [200] * (len(callers) - 12)


def look_at(path: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode()


def crowded(
    server: Server, valkey: ValkeyServer, request: bytes, callers: Sequence[int], too_many: int
) -> tuple[list[Reply], list[Reply]]:
    """The replies to callers who all come while the store answers nobody: those given at once, so many, and the others."""
    with ExitStack() as opened:
        with standing_still(valkey):
            crowd = [opened.enter_context(server.open(caller)) for caller in callers]
            for client in crowd:
                client.sendall(request)
            wait_until(lambda: len(select.select(crowd, [], [], 0)[0]) >= too_many, "the others to be told")
            turned_away = select.select(crowd, [], [], 0)[0]
            assert len(turned_away) == too_many
            assert server.call("GET", "/healthz")["status"] == "ok"
        refused = [reply_of(each) for each in turned_away]
        return refused, [reply_of(each) for each in crowd if each not in turned_away]


@contextmanager
def standing_still(valkey: ValkeyServer) -> Iterator[None]:
    """The store answers nobody for the length of the block."""
    os.kill(valkey.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(valkey.pid, signal.SIGCONT)


# -- answers that nobody reads ----------------------------------------------------------------------------------------


def test_an_answer_that_its_client_does_not_read_is_not_held_whole(
    server: Server, valkey: ValkeyServer
) -> None:
    game = long_game(server, valkey)
    path = f"/v1/games/{game}/events"
    whole = server.send(
        f"GET {path} HTTP/1.1\r\nHost: x\r\nAccept: application/x-ndjson\r\nConnection: close\r\n\r\n".encode()
    )
    assert len(whole.body) > 4 * MB
    before = server.memory()
    with ExitStack() as opened:
        clients = [opened.enter_context(small_socket(server)) for _ in range(10)]
        for client in clients:
            client.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\nAccept: application/x-ndjson\r\n\r\n".encode())
        time.sleep(2)
        assert server.memory() - before < 10 * 2 * MB
        wait_until(lambda: all(map(is_cut, clients)), "those to be cut off who do not read")


def small_socket(server: Server) -> socket.socket:
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.settimeout(PATIENCE)
    client.connect(("127.0.0.1", server.port))
    return client


def is_cut(client: socket.socket) -> bool:
    """Has the server ended this connection before all was sent?"""
    try:
        while part := client.recv(1 << 20):
            if part.endswith(b"\r\n0\r\n\r\n"):
                return False
    except OSError:
        return True
    return True


def long_game(server: Server, valkey: ValkeyServer) -> str:
    """A game of some megabytes: its host has renewed a token again and again."""
    game = str(server.new_game()["id"])

    def write(batch: EntryBatch, _: Dossier) -> None:
        for _number in range(16_000):
            commands.renew_token(batch, {"host": "club"}, 0)

    with valkey.client() as client:
        Ledger(EventStore(client), ProjectionStore(client, RULESETS)).change(game, write)
    return game
