"""`python -m bench.call_path`: the files and the calls that one action passes through, in one process.

The action goes through the front as in `stele up`, in an event loop with its pipelined connections to a store, but for
the server that reads HTTP. Counted are calls of functions of this project and the files that these lie in, from the
request to its answer; the rules of the game (`games/`) are left out, which are as long as the game wants them.
"""

import asyncio
import json
import sys
import time
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any

from services.api.serve import make_front
from services.front.rsgi import Front
from tests.api.client import build_api, new_game
from tests.servers import ValkeyServer

ROOT = Path(__file__).parents[1]
OURS = tuple(f"{ROOT}/{package}/" for package in ("events", "projections", "replays", "services"))
ROUNDS = 1000


class Headers(dict[str, str]):
    """The headers of a request as granian gives them."""

    def items(self) -> Any:
        return list(super().items())

    def keys(self) -> Any:
        return list(super().keys())


class Scope:
    """A request as granian gives it."""

    http_version, scheme, server, client, authority = "1.1", "http", "127.0.0.1:80", "127.0.0.1:5000", None

    def __init__(self, method: str, path: str, headers: dict[str, str]) -> None:
        self.method, self.path, self.query_string = method, path, ""
        self.headers = Headers(headers)


class Protocol:
    """Takes a body in, and an answer out."""

    def __init__(self, body: bytes) -> None:
        self.body = body
        self.status = 0

    async def __call__(self) -> bytes:
        return self.body

    def response_bytes(self, status: int, headers: Any, body: bytes) -> None:
        self.status, self.answer = status, body


class Calls:
    """Counts calls of our own functions while it is on."""

    def __init__(self) -> None:
        self.by_function: Counter[tuple[str, str]] = Counter()
        self._begun: set[FrameType] = set()

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        path = frame.f_code.co_filename
        if event != "call" or not path.startswith(OURS) or frame.f_code.co_name.startswith("<"):
            return
        if frame not in self._begun:  # a coroutine that goes on is not called again
            self._begun.add(frame)
            self.by_function[path.removeprefix(f"{ROOT}/"), frame.f_code.co_name] += 1


async def ask(front: Front, method: str, path: str, token: str, body: bytes = b"") -> Any:
    """The answer of the front to a request."""
    headers = {"host": "127.0.0.1", "authorization": f"Bearer {token}"}
    if body:
        headers |= {"content-type": "application/json", "content-length": str(len(body))}
    protocol = Protocol(body)
    await front.__rsgi__(Scope(method, path, headers), protocol)  # type: ignore[arg-type]
    assert protocol.status in (200, 201), protocol.answer
    return json.loads(protocol.answer)


def measure(url: str) -> tuple[Calls, float]:
    """The calls of one action, and the CPU seconds of the lower quartile."""
    api = build_api(url)
    front = make_front(api.context, url)
    loop = asyncio.new_event_loop()
    front.__rsgi_init__(loop)
    calls, seconds = Calls(), []
    try:
        game = new_game(api, "aton")
        for number in range(ROUNDS):
            shown = loop.run_until_complete(ask(front, "GET", game.path, str(game.token(0))))
            if shown["status"] != "playing":
                game = new_game(api, "aton")
                continue
            token = str(game.token(shown["to_act"][0]))
            legal = loop.run_until_complete(ask(front, "GET", f"{game.path}/actions", token))
            action = json.dumps(legal["actions"][0], separators=(",", ":")).encode()
            if number >= ROUNDS - 1:
                sys.setprofile(calls)
            began = time.thread_time()
            loop.run_until_complete(ask(front, "POST", f"{game.path}/actions", token, action))
            sys.setprofile(None)
            seconds.append(time.thread_time() - began)
    finally:
        front.__rsgi_del__(loop)
        loop.close()
        api.close()
    return calls, sorted(seconds)[len(seconds) // 4]


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        server = ValkeyServer(Path(folder))
        server.start()
        try:
            calls, seconds = measure(server.url)
        finally:
            server.stop()
    for (file, function), number in sorted(calls.by_function.items()):
        if "-v" in sys.argv:
            print(f"{number:4} {file} {function}")
    files = {file for file, _ in calls.by_function}
    print(f"{len(files)} files, {calls.by_function.total()} calls; {seconds * 1e6:.0f} µs of CPU")
