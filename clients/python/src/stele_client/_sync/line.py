"""One WebSocket by which a game is followed, and by which its seat acts between two frames."""

import time
from time import sleep
from collections import deque
from contextlib import ExitStack
from itertools import count
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import httpx
import msgspec
from websockets.sync.client import ClientConnection, connect
from websockets.exceptions import ConcurrencyError, WebSocketException

from stele_client.calls import Call
from stele_client.sse import Sent

OPENING = 10.0
SILENCE = 45.0
"""After so many seconds without a message the connection is taken for dead; the server's pings come every 15."""
ANSWER = 20.0
REWOUND = "rewound"
LOST = (WebSocketException, OSError, EOFError, TimeoutError, msgspec.DecodeError)


class Place(msgspec.Struct):
    """What is read of a frame, or of an answer: its version, and what the seat may do then."""

    version: int
    actions: msgspec.Raw = msgspec.Raw(b"[]")


class Started(msgspec.Struct):
    """What is read of a game when its follow begins."""

    version: int
    settled: bool


class Line:
    """A game that is followed over a socket, as the stream of its frames would be."""

    def __init__(self, opened: ExitStack, socket: ClientConnection, number: int, is_over: bool) -> None:
        self._opened = opened
        self._socket = socket
        self._number = number
        self._ids = count(2)
        self._frames: deque[msgspec.Raw] = deque()
        self._is_busy = False
        self.is_over = is_over
        """Has the caller seen all that there will ever be?"""
        self.is_refused = False
        """Is the caller not let in any more? A request tells why."""

    def close(self) -> None:
        self._opened.close()

    def next(self) -> Sent | None:
        """What comes next; None where the connection has ended."""
        while self._is_busy:
            sleep(0.02)  # somebody else waits for an answer, and keeps what comes before it
        while not self._frames:
            message = self._read(SILENCE)
            if message is None or "closing" in message:
                return None
            if gone := message.get("gone"):
                self.is_refused = msgspec.json.decode(gone) != REWOUND
                return None if self.is_refused else Sent(None, b"{}", REWOUND)
        frame = bytes(self._frames.popleft())
        return Sent(str(msgspec.json.decode(frame, type=Place).version), frame)

    def act(self, call: Call) -> httpx.Response | None:
        """The answer to an action, as a request would get it; None if the socket is busy or gives none."""
        if self._is_busy:
            return None
        number = next(self._ids)
        try:
            self._socket.send(msgspec.json.encode(message_of(call, number, self._number)).decode())
        except LOST:
            return None
        until, answer = time.monotonic() + ANSWER, None
        while answer is None and time.monotonic() < until:
            message = self._read(ANSWER)
            if message is None or "closing" in message or "gone" in message:
                self.close()
                return None
            answer = message if bytes(message.get("re", b"")) == b"%d" % number else None
        if answer is None:
            return None
        status, later = int(bytes(answer["status"])), answer.get("retry_after")
        content = bytes(answer.get("ok") or answer["problem"])
        if status == 201 and call.query.get("include"):
            told = self._with_actions(content)
            if told is None:  # without them the caller would wait for a turn that it has: a request tells
                self.close()
                return None
            content = told
        headers = {} if later is None else {"Retry-After": bytes(later).decode()}
        return httpx.Response(status, content=content, headers=headers)

    def _with_actions(self, content: bytes) -> bytes | None:
        """An answer with what the seat may do then, which the frame of its version tells; None if no frame comes."""
        version = msgspec.json.decode(content, type=Place).version
        while not self._frames or msgspec.json.decode(self._frames[-1], type=Place).version < version:
            message = self._read(ANSWER)
            if message is None or "closing" in message or "gone" in message:
                return None
        for frame in self._frames:
            told = msgspec.json.decode(frame, type=Place)
            if told.version == version:
                members = msgspec.json.decode(content, type=dict[str, msgspec.Raw])
                return msgspec.json.encode(members | {"actions": told.actions})
        return content

    def _read(self, seconds: float) -> dict[str, msgspec.Raw] | None:
        """The next message, its frame kept if it is one; None if there will be none."""
        self._is_busy = True
        try:
            text = self._socket.recv(timeout=seconds)
            message = msgspec.json.decode(text, type=dict[str, msgspec.Raw])
        except (*LOST, ConcurrencyError):
            return None
        finally:
            self._is_busy = False
        if "frame" in message:
            self._frames.append(message["frame"].copy())
        return message


def message_of(call: Call, number: int, followed: int) -> dict[str, Any]:
    """An action as a message of the socket."""
    sigs = call.headers.get("Stele-Signature")
    body = call.body or b"{}"
    sent = {
        "id": number,
        "op": "act",
        "as": followed,
        "actions" if body.startswith(b"[") else "action": msgspec.Raw(body),
        "decision": call.query.get("decision"),
        "if_match": call.headers.get("If-Match"),
        "key": call.headers.get("Idempotency-Key"),
        "sigs": sigs.split(", ") if sigs else None,
    }
    return {name: value for name, value in sent.items() if value is not None}


def open_line(url: str, call: Call, admitted: dict[str, Any], after: str | None) -> Line | None:
    """A socket on which a game is followed; None where the server does not let this caller follow now.

    Raises `InvalidHandshake` where no sockets are opened at all.
    """
    parts = urlsplit(url)
    address = urlunsplit((parts.scheme.replace("http", "ws"), parts.netloc, "/v1/socket", "", ""))
    opened = ExitStack()
    socket = opened.enter_context(
        connect(address, open_timeout=OPENING, ping_interval=None, max_size=None, compression=None)
    )
    wanted = {"id": 1, "op": "follow", "game": call.path.split("/")[3], **admitted}
    if call.query.get("include"):
        wanted["include"] = ["actions"]
    if after is not None:
        wanted["after"] = int(after)
    try:
        socket.send(msgspec.json.encode(wanted).decode())
        while True:
            answer = msgspec.json.decode(socket.recv(timeout=ANSWER), type=dict[str, msgspec.Raw])
            if bytes(answer.get("re", b"")) == b"1":
                break
        if "ok" in answer:
            started = msgspec.json.decode(answer["ok"], type=Started)
            is_over = started.settled and str(started.version) == after
            return Line(opened, socket, int(bytes(answer["as"])), is_over)
    except LOST:
        pass
    opened.close()
    return None
