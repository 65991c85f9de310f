"""The HTTP front: an event loop takes requests in, serves live streams, and runs what is quick; threads do the rest.

A request is read only as far as its route allows. What is quick runs in the loop itself, in a greenlet that rests
while the store works (`services.core.greenlet_bridge`); what is slow has a small pool of its own.
"""

import asyncio
import logging
import signal
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from contextvars import Context, copy_context
from functools import partial
from typing import Literal, NamedTuple, Protocol, TypeVar
from wsgiref.types import WSGIApplication

from granian.rsgi import HTTPProtocol, ProtocolClosed, ProtocolError, Scope, WebsocketProtocol

from services.core import metrics
from services.core.gc_tuning import tune_gc
from services.core.greenlet_bridge import YieldingThreadPool, run_in_greenlet
from services.front.calling import call, close, next_part
from services.front.fair_turns import FairTurns
from services.front.live import Live
from services.front.load_shedding import BUSY, MAX_CONCURRENT, ConcurrencyLimit
from services.front.open_files import MAX_CONNECTIONS, raise_file_limit, report_file_limit, watcher_limit
from services.front.reading import (
    RequestRefused,
    check_headers,
    check_method,
    environ_of,
    expected_body,
    read_body,
    request_of,
)
from services.front.sending import (
    INTERNAL_ERROR,
    WHOLE_RESPONSE_BYTES,
    TranslateProblem,
    chunks_of,
    in_english,
    send_in_chunks,
    send_response,
    translated,
)
from services.front.sockets import SocketPolicy, Sockets
from services.http.application import Application
from services.http.messages import SMALL_BODY, LongPoll, Request, Response, Result, Stream
from services.http.routing import Found, Route, RunsIn
from services.http.streams import Listen, Watch

T = TypeVar("T")

log = logging.getLogger(__name__)

THREAD_POOL_SIZE = 8
SLOW_THREADS = 2
UPLOADS = 4
"""Large bodies that are in memory at once, from their first byte until they are answered."""
UPLOAD_SECONDS = 2.0
"""How long a large body waits for its turn."""
QUICK_BODY = 8_192
"""What the loop deals with itself, several times what a list of actions takes: to read more would be felt by all."""
EVENT_STREAM = "text/event-stream"

UploadSlot = RunsIn | Literal["door"]
"""Where a request is dealt with: who comes to watch is let in at the door."""


class Store(Protocol):
    """A client of the store that may have a line of its own in the loop."""

    def open_loop_connection(self) -> None: ...
    def close_loop_connection(self) -> None: ...


class Incoming(NamedTuple):
    """A request as it was read, and where it goes."""

    headers: list[tuple[str, str]]
    body: bytes
    found: Found
    place: UploadSlot


class Room:
    """A large body's place in memory, or a refusal if none is free for long."""

    def __init__(self, places: asyncio.Semaphore) -> None:
        self._places = places

    async def __aenter__(self) -> None:
        try:
            async with asyncio.timeout(UPLOAD_SECONDS):
                await self._places.acquire()
        except TimeoutError:
            metrics.REQUESTS_SHED.labels("uploads").inc()
            raise RequestRefused(BUSY) from None

    async def __aexit__(self, *_: object) -> None:
        self._places.release()


class Front:
    """An RSGI application: it calls routes of the loop itself, and those of threads as a WSGI application."""

    def __init__(
        self,
        application: Application,
        wsgi_app: WSGIApplication,
        live: Live,
        stores: Sequence[Store] = (),
        in_words: TranslateProblem = in_english,
        sockets: SocketPolicy | None = None,
        caller_of: Callable[[Request], str] | None = None,
    ) -> None:
        self._application = application
        self._wsgi_app = wsgi_app
        self._live = live
        self._in_words = in_words
        self._stores = stores
        """What requests in the loop reach the store with; without any, there are none in the loop."""
        self._turns = FairTurns()
        self._caller_of = caller_of
        """Who is counted as one caller; None: nobody is told apart."""
        self._pools = {
            "threads": YieldingThreadPool(THREAD_POOL_SIZE, "request"),
            "slow": YieldingThreadPool(SLOW_THREADS, "slow"),
            "door": YieldingThreadPool(1, "door"),
        }
        self._watching = 0
        self._most_watchers = MAX_CONNECTIONS
        self._crowds = {place: ConcurrencyLimit(place) for place in MAX_CONCURRENT}
        self._sockets = Sockets(application, live, self._run_shedding, sockets, in_words) if sockets else None

    # -- life -------------------------------------------------------------------------------------------------------

    def __rsgi_init__(self, loop: asyncio.AbstractEventLoop) -> None:
        files = raise_file_limit()
        self._most_watchers = watcher_limit(files)
        report_file_limit(files)
        tune_gc()
        loop.run_until_complete(self._open())
        self._live.start(loop)
        if self._sockets:
            self._sockets.start(loop)
        # The server waits for open streams before it stops, so they must hear of it first. Its own handlers are the
        # loop's, which a handler set here runs beside, not instead of.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: self._close(loop))

    def _close(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._sockets:
            self._sockets.close()
        loop.call_soon_threadsafe(self._live.close)

    async def _open(self) -> None:
        for store in self._stores:
            store.open_loop_connection()
        self._uploads = asyncio.Semaphore(UPLOADS)
        self._door = asyncio.Semaphore(1)
        """Where those are let in who come to watch: a crowd that comes at once queues here, not among the players."""

    def __rsgi_del__(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._sockets:
            loop.run_until_complete(self._sockets.stop())
        loop.run_until_complete(self._live.stop())
        for store in self._stores:
            store.close_loop_connection()
        for pool in self._pools.values():
            pool.shutdown(wait=False, cancel_futures=True)

    # -- a request --------------------------------------------------------------------------------------------------

    async def __rsgi__(self, scope: Scope, protocol: HTTPProtocol | WebsocketProtocol) -> None:
        if isinstance(protocol, WebsocketProtocol):
            await self._serve_socket(scope, protocol)
            return
        try:
            check_method(scope.method)
            headers = check_headers(scope)
            found = self._application.table.find(scope.method, scope.path)
            body = expected_body(scope, headers, largest_body(scope.method, found.route))
            if body is None:
                await self._serve(scope, protocol, incoming(headers, b"", found))
            elif body.size <= SMALL_BODY:
                await self._serve(scope, protocol, incoming(headers, await read_body(protocol, body), found))
            else:  # large ones take a place, of which there are few
                async with Room(self._uploads):
                    content = await read_body(protocol, body)
                    await self._serve(scope, protocol, incoming(headers, content, found))
        except RequestRefused as refused:
            send_response(scope, protocol, translated(refused.response, scope, self._in_words))
        except (ProtocolClosed, ProtocolError):
            return  # the client has gone in the middle of its request

    async def _serve_socket(self, scope: Scope, protocol: WebsocketProtocol) -> None:
        if self._sockets:
            await self._sockets.serve(scope, protocol)
        else:
            protocol.close(404)

    async def _serve(self, scope: Scope, protocol: HTTPProtocol, request: Incoming) -> None:
        inside = copy_context()
        work = self._work(scope, request)
        async with self._turn(scope, request):
            result = await self._admitted(request, inside, work)
        if isinstance(result, LongPoll):
            await self._live.newer(result.game, result.version, result.seconds)
            result = await self._admitted(request, inside, result.then)
        if isinstance(result, Stream):
            if scope.method != "HEAD":
                return await self._stream(protocol, result)
            result = result.head
        assert isinstance(result, Response), "what has waited does not wait again"
        if result is INTERNAL_ERROR:
            raise RequestRefused(result)
        if result.rest is not None and scope.method != "HEAD":
            return await self._send_rest(scope, protocol, result, result.rest, inside)
        if len(result.body) > WHOLE_RESPONSE_BYTES:
            return await send_in_chunks(scope, protocol, result, chunks_of(result.body))
        return send_response(scope, protocol, result)

    def _turn(self, scope: Scope, request: Incoming) -> AbstractAsyncContextManager[None]:
        """The turn of a slow request among those of its caller."""
        if request.place != "slow" or self._caller_of is None:
            return nullcontext()
        headers, _, found, _ = request
        return self._turns.turn(
            self._caller_of(request_of(scope, headers, b"", found, self._application.context))
        )

    def _work(self, scope: Scope, request: Incoming) -> Callable[[], Result]:
        """What answers a request: its handler, or in threads Flask; but Flask knows no live streams."""
        headers, body, found, place = request
        if found.route and place in ("threads", "slow") and not found.route.streams:
            environ = environ_of(scope, headers, body)
            return partial(call, self._wsgi_app, environ)
        application = self._application
        return partial(application.respond, request_of(scope, headers, body, found, application.context))

    async def _admitted(self, request: Incoming, inside: Context, work: Callable[[], Result]) -> Result:
        """What comes of the work, unless there is too much to do already."""
        if request.found.route and not request.found.route.sheds_load:
            return await self._run(request.place, inside, work)
        return await self._run_shedding(request.place, work, inside)

    async def _run_shedding(
        self, place: UploadSlot, work: Callable[[], Result], inside: Context | None = None
    ) -> Result:
        """Do some work, unless there is too much to do in its place already."""
        crowd = self._crowds[place]
        crowd.enter()
        try:
            return await self._run(place, copy_context() if inside is None else inside, work)
        finally:
            crowd.leave()

    async def _run(self, place: UploadSlot, inside: Context, work: Callable[[], T]) -> T:
        """Do some work where such requests are dealt with."""
        if self._stores and place == "loop":
            return await run_in_greenlet(inside, work)
        if self._stores and place == "door":
            async with self._door:
                return await run_in_greenlet(inside, work)
        pool = self._pools["threads" if place == "loop" else place]
        return await asyncio.get_running_loop().run_in_executor(pool, inside.run, work)

    async def _send_rest(
        self, scope: Scope, protocol: HTTPProtocol, response: Response, rest: Iterator[bytes], inside: Context
    ) -> None:
        """Send an answer while it is made: part by part, so that others have their turn in between."""
        loop = asyncio.get_running_loop()
        slow = self._pools["slow"]

        async def parts() -> AsyncIterator[bytes]:
            while part := await loop.run_in_executor(slow, inside.run, next_part, rest):
                yield part

        try:
            await send_in_chunks(scope, protocol, response, parts())
        except (ProtocolClosed, ProtocolError):
            pass  # the client has gone
        except Exception:
            log.exception("an answer has broken off")
        finally:
            await loop.run_in_executor(slow, inside.run, close, rest)

    async def _stream(self, protocol: HTTPProtocol, stream: Stream) -> None:
        """Send a live stream for as long as there is something to tell."""
        follows = stream.follows
        if self._watching >= self._most_watchers:
            metrics.REQUESTS_SHED.labels("open files").inc()
            raise RequestRefused(BUSY)
        if isinstance(follows, Listen) and not self._live.has_room_for_feed(follows):
            raise RequestRefused(BUSY)
        headers = [(name, value) for name, value in stream.head.headers if name != "content-length"]
        transport = protocol.response_stream(stream.head.status, headers)
        self._watching += 1
        try:
            if isinstance(follows, Watch):
                with metrics.WATCHERS.track_inprogress():
                    await self._live.stream(follows, transport.send_bytes)
            else:
                await self._live.feed(follows, transport.send_bytes, protocol.client_disconnect())
        except Exception:
            log.exception("a live stream has failed")
        finally:
            self._watching -= 1


def incoming(headers: list[tuple[str, str]], body: bytes, found: Found) -> Incoming:
    """A request that is read, and the place where it is dealt with.

    What a client says of itself must not bring slow work into the loop: neither an `Accept` nor a long body.
    """
    route = found.route
    place: UploadSlot = route.runs_in if route else "loop"
    if route and route.streams and ("accept", EVENT_STREAM) in headers:
        place = "door"
    elif place == "loop" and len(body) > QUICK_BODY:
        place = "slow"
    return Incoming(headers, body, found, place)


def largest_body(method: str, route: Route | None) -> int:
    """Bytes that are read of the body of a request; 0: none."""
    return route.largest_body if route and method != "OPTIONS" else 0
