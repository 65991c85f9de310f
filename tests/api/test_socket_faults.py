"""Faults on the WebSocket: each leaves the log as it was or as it was acknowledged, and other players undisturbed."""

import os
import signal
import socket as sockets
import struct
import time
from base64 import b64encode
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from events.batch import EntryFactory
from events.keys import keys_of
from services.front.socket_connection import UNREAD_BYTES
from tests.api.client import OPERATOR, Api, Table, build_api, new_game
from tests.api.live import live_api
from tests.servers import PATIENCE, ValkeyServer
from tests.sockets import Closed, Socket

DATABASE = 10
MEGABYTE = 1 << 20


@pytest.fixture
def api(valkey: ValkeyServer) -> Iterator[Api]:
    """The API in this process, on the store of the server under test."""
    api = build_api(f"{valkey.url}?db={DATABASE}", entry_factory=EntryFactory())
    yield api
    api.close()


@pytest.fixture(scope="module")
def port(valkey: ValkeyServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    with serving(valkey, tmp_path_factory.mktemp("api")) as port:
        yield port


@contextmanager
def serving(valkey: ValkeyServer, directory: Path, **more: str) -> Iterator[int]:
    url = f"{valkey.url}?db={DATABASE}"
    with live_api(url, directory, unlimited=True, STELE_SOCKETS_PER_ADDRESS="0", **more) as port:
        yield port


def processes(port: int) -> list[int]:
    """The processes of a server."""
    found = []
    for each in Path("/proc").iterdir():
        if each.name.isdecimal():
            try:
                if f"\0STELE_PORT={port}\0".encode() in (each / "environ").read_bytes():
                    found.append(int(each.name))
            except OSError:
                continue
    return found


def resident(port: int) -> int:
    """Bytes of memory that a server has."""
    pages = sum(int(Path(f"/proc/{each}/statm").read_text().split()[1]) for each in processes(port))
    return pages * os.sysconf("SC_PAGE_SIZE")


def move(game: Table) -> tuple[int, Any]:
    seat = game.show()["to_act"][0]
    return seat, game.legal(seat)[0]


class RawSocket:
    """A client that speaks the protocol by hand: it sends what no library would, and reads when it likes."""

    def __init__(self, port: int) -> None:
        self.socket = sockets.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        key = b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET /v1/socket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        assert self.socket.recv(4096).startswith(b"HTTP/1.1 101")

    def send(self, data: bytes, first: int = 0x81) -> None:
        """Send a frame; the mask is 0."""
        self.socket.sendall(struct.pack("!BBQ", first, 0xFF, len(data)) + bytes(4) + data)

    def send_again(self, data: bytes, times: int) -> None:
        for _ in range(times):
            self.send(data)

    def close(self) -> None:
        self.socket.close()


def test_after_a_kill_an_act_is_retried_with_its_key(valkey: ValkeyServer, api: Api, tmp_path: Path) -> None:
    game = new_game(api, "babel")
    seat, action = move(game)
    with ExitStack() as stack:
        port = stack.enter_context(serving(valkey, tmp_path))
        socket = stack.enter_context(Socket(port))
        number = socket.follow(game.id, game.token(seat))
        first = socket.ask("act", as_=number, action=action, key="k")
        for process in processes(port):
            os.kill(process, signal.SIGKILL)
        with pytest.raises(Closed):
            socket.ask("head", as_=number)
    with serving(valkey, tmp_path) as port, Socket(port) as socket:
        number = socket.follow(game.id, game.token(seat), after=first["ok"]["version"])
        assert socket.ask("act", as_=number, action=action, key="k")["ok"] == first["ok"]
    assert game.head[0] == first["ok"]["version"]


def test_an_act_whose_answer_is_lost_is_retried_with_its_key(api: Api, port: int) -> None:
    game = new_game(api, "babel")
    seat, action = move(game)
    before = game.head[0]
    with Socket(port) as socket:
        number = socket.follow(game.id, game.token(seat), frames=False)
        socket.start("act", as_=number, action=action, key="k")
        socket.connection.socket.shutdown(sockets.SHUT_RDWR)
    with Socket(port) as socket:
        number = socket.follow(game.id, game.token(seat), frames=False)
        answer = socket.ask("act", as_=number, action=action, key="k")
    assert answer["status"] == 201
    assert game.head == (before + 1, answer["ok"]["hash"])


def test_a_client_that_does_not_read_is_disconnected(api: Api, port: int) -> None:
    game = new_game(api, "babel")
    slow = RawSocket(port)
    slow.socket.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
    message = b'{"id":"' + b"x" * 60_000 + b'","op":"head","as":1}'
    with Socket(port) as other, closing(slow):
        other.follow(game.id)
        with pytest.raises((ConnectionResetError, BrokenPipeError)):
            slow.send_again(message, 64 * UNREAD_BYTES // len(message))  # every answer repeats the id
        game.play(1)
        other.next(lambda each: each.get("frame", {}).get("version") == game.head[0])


@pytest.mark.parametrize("many", [100, pytest.param(1000, marks=pytest.mark.long)])
def test_a_thousand_idle_sockets_leave_players_room(
    api: Api, valkey: ValkeyServer, tmp_path: Path, many: int
) -> None:
    game = new_game(api, "babel")
    text = f'{{"id":1,"op":"follow","game":"{game.id}"}}'.encode()
    with serving(valkey, tmp_path) as port, ExitStack() as stack:
        for _ in range(many):
            idle = RawSocket(port)
            stack.callback(idle.close)
            idle.send(text)
        with Socket(port) as socket:
            seat, action = move(game)
            number = socket.follow(game.id, game.token(seat))
            assert socket.ask("act", as_=number, action=action)["status"] == 201
            socket.frame(number, game.head[0])


def test_a_flood_of_messages_delays_nobody_for_long(api: Api, port: int) -> None:
    game = new_game(api, "babel")
    with Socket(port) as flood, Socket(port) as player:
        number = flood.follow(game.id, frames=False)
        asked = [flood.start("head", as_=number) for _ in range(3000)]
        seat, action = move(game)
        mine = player.follow(game.id, game.token(seat), frames=False)
        assert player.ask("act", as_=mine, action=action)["status"] == 201
        assert {flood.answer(each)["status"] for each in asked} == {200}


def test_messages_that_are_too_large_take_little_memory(valkey: ValkeyServer, tmp_path: Path) -> None:
    with serving(valkey, tmp_path) as port, ExitStack() as stack:
        with Socket(port) as socket:
            socket.ask("head", as_=1)
        before, most = resident(port), 0
        attackers = [RawSocket(port) for _ in range(12)]
        for each in attackers:
            stack.callback(each.close)
            each.socket.settimeout(1)
        part, left = b" " * MEGABYTE, set(attackers)
        until = time.monotonic() + PATIENCE
        rounds = 0
        while left and time.monotonic() < until:  # one message in parts of 1 MiB each, which never ends
            for each in list(left):
                try:
                    each.send(part, first=0x00 if rounds else 0x01)
                except OSError:
                    left.discard(each)
            rounds += 1
            most = max(most, resident(port) - before)
        assert not left, "everyone who sends too much is cut"
        assert most < 300 * MEGABYTE, f"{most / MEGABYTE:.0f} MiB"
        with Socket(port) as socket:
            assert socket.ask("head", as_=1)["status"] == 422


def test_a_renewed_token_ends_its_follow(api: Api, port: int) -> None:
    game = new_game(api, "babel")
    with Socket(port) as socket:
        watched, quiet = (
            socket.follow(game.id, game.token(0)),
            socket.follow(game.id, game.token(0), frames=False),
        )
        spectator = socket.follow(game.id)
        answer = game.post("/seats/0/token", {}, OPERATOR)
        assert answer.status == 201, answer
        assert socket.next(lambda each: "gone" in each) == {"as": watched, "gone": "token"}
        refused = socket.ask("actions", as_=quiet)
        assert (refused["status"], refused["problem"]["code"]) == (401, "unauthorized")
        assert socket.next(lambda each: "gone" in each) == {"as": quiet, "gone": "token"}
        assert socket.ask("actions", as_=quiet)["status"] == 422
        socket.frame(spectator, game.head[0])


def test_a_rewound_log_ends_its_follows(api: Api, port: int, valkey: ValkeyServer) -> None:
    game = new_game(api, "babel")
    game.play(3)
    version = game.head[0]
    with Socket(port) as socket, valkey.client(db=DATABASE) as client:
        number = socket.follow(game.id)
        socket.frame(number, version)
        client.xdel(keys_of(game.id).stream, f"{version}-0", f"{version - 1}-0")
        with Socket(port) as another:  # whose reading shows that entries are missing
            another.follow(game.id)
            assert socket.next(lambda each: "gone" in each) == {"as": number, "gone": "rewound"}
        answer = socket.ask("follow", game=game.id, after=version)
        assert (answer["status"], answer["problem"]["code"]) == (409, "rewound")
        socket.follow(game.id)


def test_a_server_that_stops_says_so(api: Api, valkey: ValkeyServer, tmp_path: Path) -> None:
    game = new_game(api, "babel")
    with serving(valkey, tmp_path) as port, Socket(port) as socket, Socket(port) as idle:
        socket.follow(game.id)
        os.kill(min(processes(port)), signal.SIGTERM)  # the one that has started the others
        assert socket.closing() == "stopping"
        assert idle.closing() == "stopping"


def test_silence_is_broken_by_pings(valkey: ValkeyServer, api: Api, tmp_path: Path) -> None:
    game = new_game(api, "babel")
    with serving(valkey, tmp_path, STELE_SOCKET_PING_SECONDS="1") as port, Socket(port) as socket:
        socket.follow(game.id, frames=False)
        pings = [socket.next(lambda each: "ping" in each)["ping"] for _ in range(2)]
        assert pings[0] < pings[1]
