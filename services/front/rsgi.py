"""The HTTP front: an event loop takes requests in, serves live streams, and runs what is quick; threads do the rest.

A request is read only as far as its route allows. What is quick runs in the loop itself, in a greenlet that rests
while the store works (`services.core.resting`); what is slow has a small pool of its own.
"""

import asyncio
import logging
import resource
import signal
from collections.abc import AsyncIterator, Iterator, Sequence
from contextvars import Context, copy_context
from typing import NamedTuple, Protocol
from wsgiref.types import WSGIApplication, WSGIEnvironment

from granian.rsgi import HTTPProtocol, ProtocolClosed, ProtocolError, Scope

from services.core import metrics
from services.core.resting import Threads, run
from services.core.rubbish import look_for_rubbish_seldom
from services.front.calling import call, close, next_part
from services.front.crowd import BUSY, MOST, Crowd
from services.front.live import HANDOFF, WAITED, Listen, Live, Wait, Watch
from services.front.reading import Refused, check_headers, check_method, environ_of, expected_body, read_body
from services.front.sending import (
    BROKEN,
    LARGE,
    InWords,
    Response,
    answer,
    answer_in_parts,
    in_english,
    parts_of,
    worded,
)
from services.front.ways import ROUTE, SMALL_BODY, WHOLE_BODY, Signpost, Way, place_of, through_threads

log = logging.getLogger(__name__)

THREADS = 8
SLOW_THREADS = 2
UPLOADS = 4
"""Large bodies that are in memory at once, from their first byte until they are answered."""
UPLOAD_SECONDS = 2.0
"""How long a large body waits for its turn."""
CONNECTIONS = 16_384
"""What a process serves at once, streams included. It is for the server to know (granian's `backpressure`): with the
1,024 that it takes by itself, as many watchers would leave no connection for players."""


class Store(Protocol):
    """A client of the store that may have a line of its own in the loop."""

    def open_line(self) -> None: ...
    def close_line(self) -> None: ...


class Incoming(NamedTuple):
    """A request as it was read."""

    headers: list[tuple[str, str]]
    body: bytes
    way: Way


class Place:
    """A large body's place in memory, or a refusal if none is free for long."""

    def __init__(self, places: asyncio.Semaphore) -> None:
        self._places = places

    async def __aenter__(self) -> None:
        try:
            async with asyncio.timeout(UPLOAD_SECONDS):
                await self._places.acquire()
        except TimeoutError:
            metrics.TURNED_AWAY.labels("uploads").inc()
            raise Refused(BUSY) from None

    async def __aexit__(self, *_: object) -> None:
        self._places.release()


class Front:
    """An RSGI application that serves a WSGI application and its live streams."""

    def __init__(
        self,
        wsgi_app: WSGIApplication,
        live: Live,
        signpost: Signpost = through_threads,
        stores: Sequence[Store] = (),
        in_words: InWords = in_english,
    ) -> None:
        self._app = wsgi_app
        self._live = live
        self._signpost = signpost
        self._in_words = in_words
        self._stores = stores
        """What requests in the loop reach the store with; without any, there are none in the loop."""
        self._pools = {
            "threads": Threads(THREADS, "request"),
            "slow": Threads(SLOW_THREADS, "slow"),
            "door": Threads(1, "door"),
        }
        self._crowds = {place: Crowd(place) for place in MOST}

    # -- life -------------------------------------------------------------------------------------------------------

    def __rsgi_init__(self, loop: asyncio.AbstractEventLoop) -> None:
        make_room_for_connections()
        look_for_rubbish_seldom()
        loop.run_until_complete(self._open())
        self._live.start(loop)
        # The server waits for open streams before it stops, so they must hear of it first. Its own handlers are the
        # loop's, which a handler set here runs beside, not instead of.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(self._live.close))

    async def _open(self) -> None:
        for store in self._stores:
            store.open_line()
        self._uploads = asyncio.Semaphore(UPLOADS)
        self._door = asyncio.Semaphore(1)
        """Where those are let in who come to watch: a crowd that comes at once queues here, not among the players."""

    def __rsgi_del__(self, loop: asyncio.AbstractEventLoop) -> None:
        loop.run_until_complete(self._live.stop())
        for store in self._stores:
            store.close_line()
        for pool in self._pools.values():
            pool.shutdown(wait=False, cancel_futures=True)

    # -- a request --------------------------------------------------------------------------------------------------

    async def __rsgi__(self, scope: Scope, protocol: HTTPProtocol) -> None:
        try:
            check_method(scope.method)
            headers = check_headers(scope)
            way = self._signpost(scope.method, scope.path)
            body = expected_body(scope, headers, way.largest_body)
            if body is None:
                await self._serve(scope, protocol, Incoming(headers, b"", way))
            elif body.size <= SMALL_BODY:
                await self._serve(scope, protocol, Incoming(headers, await read_body(protocol, body), way))
            else:  # large ones take a place, of which there are few
                async with Place(self._uploads):
                    content = await read_body(protocol, body)
                    await self._serve(scope, protocol, Incoming(headers, content, way))
        except Refused as refused:
            answer(scope, protocol, worded(refused.response, scope, self._in_words))
        except (ProtocolClosed, ProtocolError):
            return  # the client has gone in the middle of its request

    async def _serve(self, scope: Scope, protocol: HTTPProtocol, incoming: Incoming) -> None:
        inside = copy_context()
        response, wish = await self._ask(scope, incoming, inside)
        match wish:
            case Watch() if response.status == 200 and scope.method != "HEAD":
                return await self._stream(protocol, response, wish)
            case Listen() if response.status == 200 and scope.method != "HEAD":
                return await self._feed(protocol, response, wish)
            case Wait() if await self._live.newer(wish):
                response, _ = await self._ask(scope, incoming, inside, waited=True)
        if response is BROKEN:
            raise Refused(response)
        if response.rest is not None:
            return await self._send_rest(scope, protocol, response, response.rest, inside)
        if len(response.body) > LARGE:
            return await answer_in_parts(scope, protocol, response, parts_of(response.body))
        return answer(scope, protocol, response)

    async def _ask(
        self, scope: Scope, incoming: Incoming, inside: Context, *, waited: bool = False
    ) -> tuple[Response, Listen | Watch | Wait | None]:
        """The application's response, and what it wishes to happen instead of sending it."""
        handoff: list[Listen | Watch | Wait] = []
        environ = environ_of(scope, incoming.headers, incoming.body)
        environ |= {HANDOFF: handoff, WAITED: waited, ROUTE: incoming.way.route, WHOLE_BODY: incoming.body}
        place = place_of(incoming.way, environ.get("HTTP_ACCEPT", ""), incoming.body)
        if incoming.way.vital:
            response = await self._call(place, environ, inside)
        else:
            crowd = self._crowds[place]
            crowd.enter()
            try:
                response = await self._call(place, environ, inside)
            finally:
                crowd.leave()
        return response, handoff[-1] if handoff else None

    async def _call(self, place: str, environ: WSGIEnvironment, inside: Context) -> Response:
        """The application's response, called where such requests are dealt with."""
        if self._stores and place == "loop":
            return await run(inside, call, self._app, environ)
        if self._stores and place == "door":
            async with self._door:
                return await run(inside, call, self._app, environ)
        pool = self._pools["threads" if place == "loop" else place]
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(pool, inside.run, call, self._app, environ)

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
            await answer_in_parts(scope, protocol, response, parts())
        except (ProtocolClosed, ProtocolError):
            pass  # the client has gone
        except Exception:
            log.exception("an answer has broken off")
        finally:
            await loop.run_in_executor(slow, inside.run, close, rest)

    async def _stream(self, protocol: HTTPProtocol, response: Response, watch: Watch) -> None:
        headers = [(name, value) for name, value in response.headers if name != "content-length"]
        transport = protocol.response_stream(response.status, headers)
        try:
            with metrics.WATCHERS.track_inprogress():
                await self._live.stream(watch, transport.send_bytes)
        except Exception:
            log.exception("a stream of %s has failed", watch.game)

    async def _feed(self, protocol: HTTPProtocol, response: Response, listen: Listen) -> None:
        if not self._live.has_room_for_feed(listen):
            raise Refused(BUSY)
        headers = [(name, value) for name, value in response.headers if name != "content-length"]
        transport = protocol.response_stream(response.status, headers)
        try:
            await self._live.feed(listen, transport.send_bytes, protocol.client_disconnect())
        except Exception:
            log.exception("a feed has failed")


def make_room_for_connections() -> None:
    """Each connection is an open file, of which a process may often have no more than 1,024 unless it asks."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 2 * CONNECTIONS if hard == resource.RLIM_INFINITY else min(2 * CONNECTIONS, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
