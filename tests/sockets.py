"""A client of the WebSocket for tests: it asks, and keeps what is pushed meanwhile.

with Socket(port) as socket:
    answer = socket.ask("follow", game=game, token=token)
    frame = socket.next(lambda message: "frame" in message)
"""

import json
import time
from collections.abc import Callable
from itertools import count
from types import TracebackType
from typing import Any, Self

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.servers import PATIENCE

Message = dict[str, Any]


class Closed(AssertionError):
    """The server has closed the connection while something was waited for."""


class Socket:
    """One connection."""

    def __init__(self, port: int, path: str = "/v1/socket", **headers: str) -> None:
        self.port = port
        self._opening = connect(
            f"ws://127.0.0.1:{port}{path}",
            additional_headers=headers,
            compression=None,
            max_size=None,
            open_timeout=PATIENCE,
            ping_interval=None,
            proxy=None,
        )
        self._ids = count(1)
        self.raw: list[str] = []
        """Every message that came, as it came."""
        self.unread: list[Message] = []
        """Messages that came while something else was waited for."""

    def __enter__(self) -> Self:
        self.connection: ClientConnection = self._opening.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._opening.__exit__(kind, error, trace)

    def send(self, message: Any) -> None:
        self.connection.send(message if isinstance(message, str | bytes) else json.dumps(message))

    def start(self, op: str, **members: Any) -> int:
        """Ask without waiting for the answer; the id of the request. `as_` is `as`."""
        number = next(self._ids)
        named = {name.rstrip("_"): value for name, value in members.items()}
        self.send({"id": number, "op": op, **named})
        return number

    def answer(self, number: Any) -> Message:
        """The answer to a request."""
        return self.next(lambda message: "re" in message and message["re"] == number)

    def ask(self, op: str, **members: Any) -> Message:
        return self.answer(self.start(op, **members))

    def follow(self, game: str, token: str | None = None, **more: Any) -> int:
        """Follow a game; the number of the follow."""
        answer = self.ask("follow", game=game, **({"token": token} if token else {}), **more)
        assert answer["status"] == 200, answer
        return int(answer["as"])

    def next(self, wanted: Callable[[Message], bool]) -> Message:
        """The next message of a kind, whether it has come or is yet to come."""
        for message in self.unread:
            if wanted(message):
                self.unread.remove(message)
                return message
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            message = self._receive(until - time.monotonic())
            if wanted(message):
                return message
            self.unread.append(message)
        raise AssertionError(f"nothing like it has come, but {self.unread[-3:]}")

    def frame(self, followed: int, version: int) -> Message:
        """The frame of a version."""
        wanted = self.next(
            lambda each: (
                each.get("as") == followed and "frame" in each and each["frame"]["version"] == version
            )
        )
        return dict(wanted["frame"])

    def closing(self) -> str:
        """Wait until the server says why it closes the connection, and does; the code."""
        code = str(self.next(lambda message: "closing" in message)["closing"])
        self.closed()
        return code

    def closed(self) -> None:
        """Wait until the connection is closed."""
        until = time.monotonic() + PATIENCE
        try:
            while time.monotonic() < until:
                self._receive(until - time.monotonic())
        except Closed:
            return
        raise AssertionError("the connection is still open")

    def _receive(self, seconds: float) -> Message:
        try:
            text = self.connection.recv(seconds)
        except ConnectionClosed as error:
            raise Closed(str(error)) from None
        except TimeoutError:
            raise AssertionError(f"nothing has come; unread: {self.unread[-3:]}") from None
        assert isinstance(text, str), "messages are text"
        self.raw.append(text)
        return dict(json.loads(text))
