"""A real server in front of a real store, and clients that watch its streams."""

import http.client
import json
import os
import re
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from services.front.open_files import MAX_CONNECTIONS
from services.host import die_with_parent
from tests.servers import PATIENCE, free_ports, wait_until

OPTIONS = ("--interface", "rsgi", "--no-ws", "--backpressure", str(MAX_CONNECTIONS), "--log-level", "warning")


class LiveServer:
    """The stand-in application under granian, on a port of its own."""

    def __init__(self, store_url: str, *, output: Path | None = None, **settings: str) -> None:
        self.port = free_ports(1)[0]
        self._output = output
        self._command = [sys.executable, "-m", "granian", "--factory", "tests.front.stand_in:front"]
        self._command += ["--port", str(self.port), *OPTIONS]
        self._environment = {**os.environ, "STAND_IN_STORE": store_url, **settings}

    def start(self) -> None:
        with (self._output or Path(os.devnull)).open("wb") as output:
            self._process = die_with_parent.start(self._command, env=self._environment, output=output)
        wait_until(self._answers, "the server to answer")

    def log(self) -> str:
        """Everything it has written so far."""
        assert self._output
        return self._output.read_text()

    def stop(self) -> float:
        """End it as a supervisor does; how many seconds it took."""
        begun = time.monotonic()
        self._process.terminate()
        try:
            self._process.wait(PATIENCE)
        finally:
            self._process.kill()
        return time.monotonic() - begun

    def _answers(self) -> bool:
        assert self._process.poll() is None, "the server ended at once"
        try:
            return self.request("GET", "/threads").status == 200
        except OSError:
            return False

    def request(self, method: str, path: str, body: Any = None, **headers: str) -> "Answer":
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=40)
        try:
            connection.request(
                method, path, body, {name.replace("_", "-"): headers[name] for name in headers}
            )
            response = connection.getresponse()
            return Answer(response.status, response.getheaders(), response.read())
        finally:
            connection.close()

    def get(self, path: str) -> Any:
        return self.request("GET", path).json


class Answer:
    def __init__(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
        self.status = status
        self.headers = headers
        self.body = body

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    def header(self, name: str) -> list[str]:
        return [value for each, value in self.headers if each.lower() == name]


class Stream(threading.Thread):
    """A client that watches one stream to its end and keeps what it got."""

    def __init__(self, server: LiveServer, path: str, **headers: str) -> None:
        super().__init__(daemon=True)
        self.ids: list[int] = []
        self.raw: list[bytes] = []
        self.other: list[str] = []
        """Lines that are no part of an event: the hint when to come back, heartbeats."""
        self.cut = False
        self._connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        self._connection.connect()
        self._socket: socket.socket = self._connection.sock
        self._connection.request(
            "GET", path, headers={name.replace("_", "-"): headers[name] for name in headers}
        )
        self.response = self._connection.getresponse()
        self.start()

    def run(self) -> None:
        try:
            for line in iter(self.response.readline, b""):
                self._take(line.removesuffix(b"\n"))
        except (OSError, ValueError, http.client.HTTPException):
            self.cut = True

    def _take(self, line: bytes) -> None:
        if number := re.fullmatch(rb"id: (\d+)", line):
            self.ids.append(int(number[1]))
        elif line.startswith(b"data: "):
            self.raw.append(line[6:])
        elif line:
            self.other.append(line.decode())

    @property
    def events(self) -> list[Any]:
        return [json.loads(raw) for raw in self.raw]

    def got(self, seq: int) -> None:
        """Wait until the event with this number has come."""
        wait_until(lambda: bool(self.ids) and self.ids[-1] >= seq, f"event {seq}, after {self.ids[-1:]}")

    def got_or_ended(self, seq: int) -> None:
        """Wait until the event with this number has come, or the stream is over."""
        wait_until(lambda: not self.is_alive() or self.ids[-1:] == [seq], f"event {seq} or an end")

    def ended(self) -> bool:
        """Wait until the stream is over; whether the server has closed it properly."""
        self.join(PATIENCE)
        assert not self.is_alive(), "the stream has not ended"
        return not self.cut

    def leave(self) -> None:
        """Go away without a word."""
        with suppress(OSError):  # it may have ended
            self._socket.shutdown(socket.SHUT_RDWR)
        self.join(PATIENCE)
        self.response.close()
        self._connection.close()


@contextmanager
def serving(server: LiveServer) -> Iterator[LiveServer]:
    server.start()
    try:
        yield server
    finally:
        server.stop()
