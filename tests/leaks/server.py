"""A twin server as a process of its own: the API with its front and live streams, everything drawn at random fixed."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPResponse, IncompleteRead
from pathlib import Path
from socket import SHUT_RDWR
from sys import executable

import pytest

from services.api.serve import make_front
from services.core.logs import log_to_stderr
from services.front.rsgi import Front
from services.host import die_with_parent
from tests.api.client import Answer, Api, build_api
from tests.leaks.twins import GAMES, STREAM, fix_nonces
from tests.servers import PATIENCE, free_ports, wait_until

STORE = "TWIN_STORE"


def front() -> Front:
    """What the server process runs."""
    die_with_parent.request_parent_death_signal(os.getppid())
    log_to_stderr("debug")
    fix_nonces(pytest.MonkeyPatch())
    url = os.environ[STORE]
    return make_front(build_api(url, rulesets=GAMES).context, url)


class RemoteApi(Api):
    """The same client, of a server that runs elsewhere."""

    def __init__(self, url: str, port: int) -> None:
        local = build_api(url, rulesets=GAMES)
        super().__init__(local.context)
        self.port = port

    def send(
        self, method: str, path: str, body: bytes | None = None, token: str | None = None, **headers: str
    ) -> Answer:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request(method, path, body, named(token, **headers))
            response = connection.getresponse()
            return answer_of(response, response.read())
        finally:
            connection.close()


def answer_of(response: HTTPResponse, body: bytes) -> Answer:
    """An answer without its Date, which is nobody's secret and never twice the same."""
    headers = [(name, value) for name, value in response.getheaders() if name.lower() != "date"]
    return Answer(response.status, headers, body)


def named(token: str | None, **headers: str) -> dict[str, str]:
    """Headers as they are sent."""
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return sent | ({"Authorization": f"Bearer {token}"} if token else {})


class Watcher(threading.Thread):
    """Someone who watches a game's stream and keeps every byte."""

    def __init__(self, port: int, path: str, token: str | None) -> None:
        super().__init__(daemon=True)
        self.got = b""
        self._connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        self._connection.request("GET", path, headers=named(token, Accept=STREAM))
        self._socket = self._connection.sock
        self._response = self._connection.getresponse()
        self.start()

    def run(self) -> None:
        with suppress(IncompleteRead):
            for line in iter(self._response.readline, b""):
                self.got += line

    def wait_for(self, seq: int) -> Answer:
        """Everything up to the end of this event."""
        last = b"\nid: %d\n" % seq

        def complete() -> bool:
            return self.got.partition(last)[2].endswith(b"\n\n")

        wait_until(complete, f"event {seq} on a stream")
        return answer_of(self._response, self.got)

    def leave(self) -> None:
        self._socket.shutdown(SHUT_RDWR)
        self.join()
        self._response.close()
        self._connection.close()


@contextmanager
def serving(url: str, output: Path) -> Iterator[RemoteApi]:
    """A server on this store for the length of the block; what it says goes to a file."""
    (port,) = free_ports(1)
    command = [executable, "-m", "granian", "--factory", "tests.leaks.server:front"]
    command += ["--interface", "rsgi", "--port", str(port)]
    with output.open("wb") as file:
        process = die_with_parent.start(command, env={**os.environ, STORE: url}, output=file)
    api = RemoteApi(url, port)

    def answers() -> bool:
        assert process.poll() is None, output.read_text()
        try:
            return api.get("/healthz").status == 200
        except OSError:
            return False

    try:
        wait_until(answers, "the server to answer")
        yield api
    finally:
        process.terminate()
        process.wait(PATIENCE)
        api.close()
