"""The floor of an event loop: `python -m bench.floor PORT SOCKET` serves what a store and Flask can do, and nothing else.

Flask is called in the loop's own thread and its views do no input or output: each leaves behind the command that it
wants of the store, and what to make of the answer. Commands go out over one connection, all that are ready in one write,
so that one fsync carries many appends. No rules, no hashes, no tokens, no limits: a measure, not a server.
"""

import asyncio
import io
import itertools
import os
import sys
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, cast

import hiredis
import msgspec
from flask import Flask, Response, request
from granian import Granian
from granian.constants import Interfaces
from granian.log import LogLevels

SOCKET = "BENCH_FLOOR_SOCKET"
APPEND = """
local last = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
if last and last[1] ~= ARGV[1] then return 0 end
if redis.call('GET', KEYS[3]) then return 2 end
redis.call('XADD', KEYS[1], ARGV[2], 'e', ARGV[3], 'h', ARGV[4])
redis.call('XADD', KEYS[2], 'MAXLEN', '~', 100000, '*', 'game', KEYS[1])
redis.call('SET', KEYS[3], ARGV[2], 'EX', 86400)
return 1
"""
"""A plain event store: check the head, add to log and feed, note the request."""
ENTRY = b'{"note":"' + b"x" * 200 + b'"}'
STATE = b'{"note":"' + b"x" * 3000 + b'"}'
"""About as long as a game that is read."""

Finish = Callable[[Any], bytes]


class Line(asyncio.Protocol):
    """One connection to the store: commands are gathered until the loop has nothing else to do, answers come in order."""

    def __init__(self) -> None:
        self._reader = hiredis.Reader()
        self._waiting: deque[asyncio.Future[Any]] = deque()
        self._unsent: list[bytes] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.WriteTransport, transport)

    def data_received(self, data: bytes) -> None:
        self._reader.feed(data)
        while (answer := self._reader.gets()) is not False:
            self._waiting.popleft().set_result(answer)

    def send(self, *command: Any) -> asyncio.Future[Any]:
        loop = asyncio.get_running_loop()
        if not self._unsent:
            loop.call_soon(self._flush)
        self._unsent.append(hiredis.pack_command(command))
        answer: asyncio.Future[Any] = loop.create_future()
        self._waiting.append(answer)
        return answer

    def _flush(self) -> None:
        self._transport.write(b"".join(self._unsent))
        self._unsent.clear()


class Floor:
    """What each request goes through."""

    def __init__(self) -> None:
        self._app = Flask("floor")
        self._numbers = itertools.count(1)
        self._app.post("/append")(self.append)
        self._app.get("/read")(self.read)

    def append(self) -> Response:
        action = request.get_json()
        stream = f"game:{os.getpid()}:{next(self._numbers)}"
        keys = (stream, "feed", f"{stream}:key")
        return self._want(
            ("EVALSHA", self._script, len(keys), *keys, "0-0", "1-0", ENTRY, b"0" * 64),
            lambda answer: msgspec.json.encode({"ok": answer == 1, "player": action["player"]}),
        )

    def read(self) -> Response:
        return self._want(("GET", "state"), bytes)

    def _want(self, command: Sequence[Any], finish: Finish) -> Response:
        request.environ["bench.wanted"].append((command, finish))
        return Response(b"", mimetype="application/json")

    def __rsgi_init__(self, loop: asyncio.AbstractEventLoop) -> None:
        loop.run_until_complete(self._connect(loop))

    async def _connect(self, loop: asyncio.AbstractEventLoop) -> None:
        _, self._line = await loop.create_unix_connection(Line, os.environ[SOCKET])
        self._script = await self._line.send("SCRIPT", "LOAD", APPEND)
        await self._line.send("SET", "state", STATE)

    async def __rsgi__(self, scope: Any, protocol: Any) -> None:
        body = await protocol() if scope.method == "POST" else b""
        wanted: list[tuple[Sequence[Any], Finish]] = []
        status = 0

        def start_response(
            status_line: str, _headers: Any, _problem: Any = None
        ) -> Callable[[bytes], object]:
            nonlocal status
            status = int(status_line[:3])
            return lambda _content: None  # WSGI's old way to write, which Flask never takes

        content = b"".join(self._app(environ(scope, body, wanted), start_response))
        if wanted:
            command, finish = wanted[0]
            content = finish(await self._line.send(*command))
        protocol.response_bytes(status, [("content-type", "application/json")], content)


def environ(scope: Any, body: bytes, wanted: list[Any]) -> dict[str, Any]:
    """A request as WSGI has it."""
    made = {
        "REQUEST_METHOD": scope.method,
        "PATH_INFO": scope.path,
        "QUERY_STRING": scope.query_string,
        "SERVER_NAME": "floor",
        "SERVER_PORT": "1",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.url_scheme": "http",
        "wsgi.version": (1, 0),
        "wsgi.multithread": False,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
        "bench.wanted": wanted,
    }
    for name, value in scope.headers.items():
        prefix = "" if name in ("content-type", "content-length") else "HTTP_"
        made[prefix + name.upper().replace("-", "_")] = value
    return made


if __name__ == "__main__":
    os.environ[SOCKET] = sys.argv[2]
    Granian(
        "bench.floor:Floor",
        factory=True,
        interface=Interfaces.RSGI,
        port=int(sys.argv[1]),
        websockets=False,
        log_level=LogLevels.warning,
    ).serve()
