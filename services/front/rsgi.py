"""The HTTP front: Flask answers in threads, live streams are served by the event loop and hold none."""

import asyncio
import gc
import io
import logging
import resource
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import Context, copy_context
from typing import Any, NamedTuple
from wsgiref.types import WSGIApplication, WSGIEnvironment

from granian.rsgi import HTTPProtocol, ProtocolClosed, ProtocolError, Scope

from services.core import metrics
from services.front.live import HANDOFF, WAITED, Live, Wait, Watch

log = logging.getLogger(__name__)

LARGEST_BODY = 16_000_000
"""What any request may bring: a record is the largest thing there is."""
PART = 64 << 10
"""How much of an answer without a known length is made and sent at a time."""
THREADS = 8
CONNECTIONS = 16_384
"""What a process serves at once, streams included. It is for the server to know (granian's `backpressure`): with the
1,024 that it takes by itself, as many watchers would leave no connection for players."""
EVENT_STREAM = "text/event-stream"
CGI_NAMES = {"content-type": "CONTENT_TYPE", "content-length": "CONTENT_LENGTH"}


class Response(NamedTuple):
    status: int
    headers: list[tuple[str, str]]
    body: bytes
    rest: Iterator[bytes] | None = None
    """What follows the body, of an answer whose length nobody knows yet."""


def problem(status: int, title: str, code: str, detail: str) -> Response:
    """An answer of the front itself, in the words of RFC 9457."""
    body = f'{{"type":"urn:stele:problem:{code}","title":"{title}","status":{status},"detail":"{detail}","code":"{code}"}}'
    headers = [("content-type", "application/problem+json"), ("content-length", str(len(body)))]
    return Response(status, headers, body.encode())


TOO_LARGE = problem(
    413, "Request Entity Too Large", "body_too_large", "The body of a request may have 16 MB at most."
)
BROKEN = problem(
    500, "Internal Server Error", "internal_error", "Something went wrong here; it has been noted."
)


class TooLarge(Exception):
    """A request's body is larger than anything we take."""


class Front:
    """An RSGI application that serves a WSGI application and its live streams."""

    def __init__(self, wsgi_app: WSGIApplication, live: Live, threads: int = THREADS) -> None:
        self._app = wsgi_app
        self._live = live
        self._pool = ThreadPoolExecutor(threads, "request")
        self._door = ThreadPoolExecutor(1, "door")
        """Where those are let in who come to watch: a crowd that comes at once queues here, not among the players."""

    def __rsgi_init__(self, loop: asyncio.AbstractEventLoop) -> None:
        make_room_for_connections()
        gc.collect()
        gc.freeze()  # what is loaded by now stays: looking through it again and again would stop everyone for long
        self._live.start(loop)
        # The server waits for open streams before it stops, so they must hear of it first. Its own handlers are the
        # loop's, which a handler set here runs beside, not instead of.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(self._live.close))

    def __rsgi_del__(self, loop: asyncio.AbstractEventLoop) -> None:
        loop.run_until_complete(self._live.stop())
        for pool in (self._pool, self._door):
            pool.shutdown(wait=False, cancel_futures=True)

    async def __rsgi__(self, scope: Scope, protocol: HTTPProtocol) -> None:
        try:
            body = await read_body(scope, protocol)
        except TooLarge:
            return answer(scope, protocol, TOO_LARGE)
        except (ProtocolClosed, ProtocolError):
            return None  # the client has gone in the middle of its request
        inside = copy_context()
        response, wish = await self._ask(scope, body, inside)
        match wish:
            case Watch() if response.status == 200 and scope.method != "HEAD":
                return await self._stream(protocol, response, wish)
            case Wait() if await self._live.newer(wish):
                response, _ = await self._ask(scope, body, inside, waited=True)
        if response.rest is None:
            return answer(scope, protocol, response)
        return await self._send_parts(protocol, response, response.rest, inside)

    async def _ask(
        self, scope: Scope, body: bytes, inside: Context, *, waited: bool = False
    ) -> tuple[Response, Watch | Wait | None]:
        """The application's response, given in a thread, and what it wishes to happen instead of sending it."""
        handoff: list[Watch | Wait] = []
        environ = environ_of(scope, body) | {HANDOFF: handoff, WAITED: waited}
        pool = self._door if EVENT_STREAM in scope.headers.get("accept", "") else self._pool
        loop = asyncio.get_running_loop()
        response = await loop.run_in_executor(pool, inside.run, call, self._app, environ)
        return response, handoff[-1] if handoff else None

    async def _send_parts(
        self, protocol: HTTPProtocol, response: Response, rest: Iterator[bytes], inside: Context
    ) -> None:
        """Send an answer while it is made: part by part, so that others have their turn in between."""
        loop = asyncio.get_running_loop()
        transport = protocol.response_stream(response.status, response.headers)
        try:
            while part := await loop.run_in_executor(self._pool, inside.run, next_part, rest):
                await transport.send_bytes(part)
        except (ProtocolClosed, ProtocolError):
            pass  # the client has gone
        except Exception:
            log.exception("an answer has broken off")
        finally:
            await loop.run_in_executor(self._pool, inside.run, close, rest)

    async def _stream(self, protocol: HTTPProtocol, response: Response, watch: Watch) -> None:
        headers = [(name, value) for name, value in response.headers if name != "content-length"]
        transport = protocol.response_stream(response.status, headers)
        try:
            with metrics.WATCHERS.track_inprogress():
                await self._live.stream(watch, transport.send_bytes)
        except Exception:
            log.exception("a stream of %s has failed", watch.game)


def make_room_for_connections() -> None:
    """Each connection is an open file, of which a process may often have no more than 1,024 unless it asks."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 2 * CONNECTIONS if hard == resource.RLIM_INFINITY else min(2 * CONNECTIONS, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


async def read_body(scope: Scope, protocol: HTTPProtocol) -> bytes:
    """The whole body of a request; one that is too large is refused before it is read, or while it is."""
    declared = scope.headers.get("content-length")
    if declared is not None:
        if int(declared) > LARGEST_BODY:
            raise TooLarge
        return await protocol()
    if scope.http_version.startswith("1") and "transfer-encoding" not in scope.headers:
        return b""
    chunks = []
    size = 0
    async for chunk in protocol:
        size += len(chunk)
        if size > LARGEST_BODY:
            raise TooLarge
        chunks.append(chunk)
    return b"".join(chunks)


def environ_of(scope: Scope, body: bytes) -> WSGIEnvironment:
    """The request as WSGI tells it (PEP 3333)."""
    server, _, port = scope.server.rpartition(":")
    environ: WSGIEnvironment = {
        "REQUEST_METHOD": scope.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": scope.path.encode().decode("latin-1"),
        "QUERY_STRING": scope.query_string,
        "SERVER_NAME": server,
        "SERVER_PORT": port,
        "SERVER_PROTOCOL": f"HTTP/{scope.http_version}",
        "REMOTE_ADDR": scope.client.rpartition(":")[0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.scheme,
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for name, value in scope.headers.items():
        if "_" in name or name == "transfer-encoding":  # `x_y` would pass for `x-y`; the body is whole by now
            continue
        key = CGI_NAMES.get(name) or "HTTP_" + name.upper().replace("-", "_")
        environ[key] = (
            f"{environ[key]}{'; ' if name == 'cookie' else ','}{value}" if key in environ else value
        )
    if scope.authority:
        environ["HTTP_HOST"] = scope.authority
    if body:
        environ["CONTENT_LENGTH"] = str(len(body))
    return environ


def call(app: WSGIApplication, environ: WSGIEnvironment) -> Response:
    """Run a WSGI application: to its end, if its answer has a length.

    Whatever goes wrong in it, the client gets an answer and learns nothing.
    """
    started: list[tuple[int, list[tuple[str, str]]]] = []
    chunks: list[bytes] = []

    def start_response(
        status: str, headers: list[tuple[str, str]], exc_info: Any = None
    ) -> Callable[[bytes], object]:
        started.append((int(status[:3]), [(name.lower(), value) for name, value in headers]))
        return chunks.append

    try:
        result: Iterable[bytes] = app(environ, start_response)
        if is_open_ended(environ, *started[-1]):
            return Response(*started[-1], b"", iter(result))
        try:
            chunks.extend(result)
        finally:
            close(result)
        return Response(*started[-1], b"".join(chunks))
    except Exception:
        log.exception("%s %s has failed", environ["REQUEST_METHOD"], environ["PATH_INFO"])
        return BROKEN


def is_open_ended(environ: WSGIEnvironment, status: int, headers: list[tuple[str, str]]) -> bool:
    """Is this an answer that is made while it is sent?"""
    has_body = environ["REQUEST_METHOD"] != "HEAD" and status not in (204, 304)
    return has_body and all(name != "content-length" for name, _ in headers)


def next_part(chunks: Iterator[bytes]) -> bytes:
    """What can be sent at once of an answer; nothing at its end."""
    part = bytearray()
    for chunk in chunks:
        part += chunk
        if len(part) >= PART:
            break
    return bytes(part)


def close(result: object) -> None:
    """Tell an application that nobody needs the rest of its answer (PEP 3333)."""
    if method := getattr(result, "close", None):
        method()


def answer(scope: Scope, protocol: HTTPProtocol, response: Response) -> None:
    """Send a response; those that have no body by their nature are sent without."""
    status, headers, body, _ = response
    if scope.method == "HEAD" or status in (204, 304):
        protocol.response_empty(status, headers)
    else:
        protocol.response_bytes(status, headers, body)
