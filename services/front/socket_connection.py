"""One WebSocket: its messages are read, carried out as calls of the API, and answered; frames are pushed between."""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from functools import partial
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from granian.rsgi import ProtocolClosed, ProtocolError, WebsocketMessageType

from games.kernel import Refusal
from services.core import metrics
from services.front import socket_messages as messages
from services.front.live import Live
from services.front.load_shedding import BUSY
from services.front.reading import RequestRefused
from services.front.sending import INTERNAL_ERROR, TranslateProblem, front_problem
from services.http.application import Application
from services.http.messages import Request, Response, Result, Stream
from services.http.routing import Route
from services.http.streams import Listen, Watch

log = logging.getLogger(__name__)

LARGEST_MESSAGE = 64 << 10
"""Bytes of a message that a client may send."""
UNREAD_BYTES = 1 << 20
"""What is kept for a client that does not read; with more it is disconnected."""
REQUESTS_AT_ONCE = 64
"""Requests of a connection that are carried out at once: no further message is read until one is answered."""
STALLED_SECONDS = 10.0
"""How long a client may take to make room for one message."""
CLOSING_SECONDS = 1.0
"""How long a client that is disconnected has to read why."""
NO_MEMBERS: Mapping[str, str] = MappingProxyType({})

Place = Literal["loop", "door"]
Run = Callable[[Place, Callable[[], Result]], Awaitable[Result]]
"""Does the work of a request in its place, or raises `RequestRefused` if there is too much to do."""


class Service(NamedTuple):
    """What all connections are served with."""

    application: Application
    live: Live
    run: Run
    follow: Route
    routes: Mapping[type[messages.GameMessage], Route]
    feed: Route
    most_follows: int
    in_words: TranslateProblem


class Followed:
    """A game as one viewer follows it on this connection."""

    __slots__ = ("game", "headers", "number", "ordered", "query", "stream")

    def __init__(self, number: int, follow: messages.Follow) -> None:
        self.number = number
        self.game = follow.game
        self.headers = follow.headers
        self.query = messages.query_of({"join_code": follow.join_code})
        """Lets a guest read."""
        self.ordered = asyncio.Lock()
        """Held while a request that changes the game is carried out; those that wait have it in their order."""
        self.stream: asyncio.Task[None] | None = None


class Connection:
    """A client on a WebSocket."""

    def __init__(self, service: Service, transport: Any, client: str, peer: str) -> None:
        self.client = client
        """Address and port, as the server names it."""
        self.latest = time.monotonic()
        """When the sending of a message began, or ended, last."""
        self.messages = 0
        """How many were received."""
        self.authenticated: Callable[[], None] = lambda: None
        """Called when the client has brought a token that is valid."""
        self._service = service
        self._transport = transport
        self._peer = peer
        self._follows: dict[int, Followed] = {}
        self._opening = 0
        self._latest_number = 0
        self._feed: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._slots = asyncio.Semaphore(REQUESTS_AT_ONCE)
        self._outbox: deque[str] = deque()
        self._unsent = 0
        self._sending = False
        self._reader: asyncio.Task[Any] | None = None
        self._closing: str | None = None

    @property
    def is_closing(self) -> bool:
        """Is it the server that disconnects the client?"""
        return self._closing is not None

    def check_stalled(self, now: float) -> None:
        """Disconnect a client that reads nothing, even if little is kept for it."""
        if self._sending and now - self.latest > STALLED_SECONDS:
            self.close("too_many", "You have left too much unread.")

    @property
    def is_idle(self) -> bool:
        """Is nothing carried out or sent now, and does the client not know yet of an end?"""
        return not (self._sending or self._outbox or self._tasks - self._streams() or self._closing)

    @property
    def is_paused(self) -> bool:
        """Is no message read now, since many are carried out?"""
        return self._slots.locked()

    # -- life ---------------------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Serve the client until it leaves or is disconnected."""
        self._reader = asyncio.current_task()
        try:
            await self._read()
        except (ProtocolClosed, ProtocolError):
            pass  # the client has gone
        except asyncio.CancelledError:
            if self._closing is None or self._reader is None:
                raise
            self._reader.uncancel()
        finally:
            self._reader = None
            for task in self._streams():
                task.cancel()
        if self._closing:
            await self._say_why(self._closing)

    def _streams(self) -> set[asyncio.Task[None]]:
        streams = (*(followed.stream for followed in self._follows.values()), self._feed)
        return {task for task in streams if task}

    def close(self, code: str, detail: str, *, said: bool = False) -> None:
        """Disconnect the client, and say why, unless that is said."""
        if self._closing is None:
            self._closing = "" if said else messages.closing(code, detail)
            if self._reader:  # which may be what calls: it has its turn to end by itself
                self._reader.get_loop().call_soon_threadsafe(self._interrupt)

    def _interrupt(self) -> None:
        if self._reader:
            self._reader.cancel()

    def let_go(self) -> None:
        """Nothing more is sent. The server closes a connection when nothing refers to its transport any more."""
        self._transport = None

    async def _say_why(self, closing: str) -> None:
        """Answer what is under way, and send the last message, if the client reads it."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=CLOSING_SECONDS)
        if self._unsent > UNREAD_BYTES:
            self._outbox.clear()
        with suppress(TimeoutError, ProtocolClosed, ProtocolError):
            async with asyncio.timeout(CLOSING_SECONDS):
                self._outbox.append(closing)
                while self._sending:
                    await asyncio.sleep(0.01)
                await self._flush()

    # -- sending ------------------------------------------------------------------------------------------------------

    def send(self, text: str) -> None:
        """Have a message sent as soon as the client has read what is before it."""
        if self._queue(text) and not self._sending:
            self._start(self._flush())

    async def _answer(self, re: bytes, response: Response, followed_as: int | None = None) -> None:
        """Send an answer; who has nothing else to do sends what others have left meanwhile."""
        if self._queue(messages.answer_to(re, response, followed_as)) and not self._sending:
            await self._flush()

    def _queue(self, text: str) -> bool:
        if self._unsent > UNREAD_BYTES:
            metrics.REQUESTS_SHED.labels("unread").inc()
            self.close("too_many", "You have left too much unread.")
            return False
        self._outbox.append(text)
        self._unsent += len(text)
        return True

    async def _flush(self) -> None:
        self._sending = True
        try:
            while self._outbox and self._transport:
                text = self._outbox.popleft()
                self.latest = time.monotonic()
                await self._transport.send_str(text)
                self._unsent -= len(text)
            self.latest = time.monotonic()
        except (ProtocolClosed, ProtocolError):
            self._outbox.clear()  # the client has gone, as its reader will see
        finally:
            self._sending = False

    def _start(self, work: Any) -> asyncio.Task[None]:
        task: asyncio.Task[None] = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    # -- reading ------------------------------------------------------------------------------------------------------

    async def _read(self) -> None:
        while True:
            received = await self._transport.receive()  # no frame may hold on to it: see `let_go`
            if received.kind == WebsocketMessageType.close:
                return
            self.messages += 1
            text = received.data
            if received.kind != WebsocketMessageType.string or is_too_large(text):
                self.close("bad_message", "A message is JSON text of at most 64 KiB.")
                return
            try:
                message = messages.read_message(text)
            except messages.NotAnObject:
                self.close("bad_message", "A message is a JSON object.")
                return
            except messages.NotUnderstood as error:
                await self._refuse(error.re, f"This is no request of the socket: {error}.")
                continue
            await self._slots.acquire()
            self._start(self._serve(message))

    async def _serve(self, message: messages.Operation) -> None:
        try:
            await self._carry_out(message)
        except RequestRefused as refused:
            body, _ = self._service.in_words(refused.response.body, self._language(message))
            await self._answer(message.re, refused.response._replace(body=body))
        except Exception:
            log.exception("a request on a socket has failed")
            await self._answer(message.re, INTERNAL_ERROR)
        finally:
            self._slots.release()

    def _language(self, message: messages.Operation) -> str:
        if isinstance(message, messages.Follow):
            return message.lang or ""
        followed = None if isinstance(message, messages.FeedRequest) else self._follows.get(message.as_)
        return followed.headers.get("accept-language", "") if followed else ""

    async def _carry_out(self, message: messages.Operation) -> None:
        if isinstance(message, messages.Follow):
            await self._follow(message)
        elif isinstance(message, messages.FeedRequest):
            await self._listen(message)
        elif followed := self._follows.get(message.as_):
            await self._carry_out_on(followed, message)
        else:
            await self._refuse(message.re, "This connection has no follow of that number in `as`.")

    async def _carry_out_on(
        self, followed: Followed, message: messages.GameMessage | messages.Unfollow
    ) -> None:
        if isinstance(message, messages.Ordered):
            async with followed.ordered:
                await self._call(followed, message)
        elif isinstance(message, messages.Unfollow):
            self._end(followed)
            await self._answer(message.re, Response(200, []))
        else:
            await self._call(followed, message)

    async def _refuse(self, re: bytes, why: str) -> None:
        request = self._request(self._service.follow, "", b"", NO_MEMBERS)
        result = self._service.application.refuse(request, Refusal("invalid_request", why))
        assert isinstance(result, Response)
        await self._answer(re, result)

    def _request(
        self,
        route: Route,
        query: str,
        body: bytes,
        headers: Mapping[str, str],
        arguments: Mapping[str, str] = NO_MEMBERS,
    ) -> Request:
        context = self._service.application.context
        return Request(route.method, route.path, query, headers, body, self._peer, context, route, arguments)

    # -- operations ---------------------------------------------------------------------------------------------------

    async def _call(self, followed: Followed, message: messages.GameMessage) -> None:
        """Carry out a call of the API about a game that is followed."""
        service = self._service
        route = service.routes[type(message)]
        query = followed.query if route.method == "GET" else message.query()
        headers = {**followed.headers, **message.headers()}
        request = self._request(route, query, message.body(), headers, {"game_id": followed.game})
        result = await service.run("loop", partial(service.application.respond, request))
        assert isinstance(result, Response)
        await self._answer(message.re, result)
        if result.status in (401, 404) and "authorization" in followed.headers:
            self._let_go(followed, "token")

    async def _follow(self, message: messages.Follow) -> None:
        service = self._service
        if len(self._follows) + self._opening >= service.most_follows:
            raise RequestRefused(
                front_problem(429, "rate_limited", f"A connection may follow {service.most_follows} games.")
            )
        request = self._request(
            service.follow, message.query, b"", message.headers, {"game_id": message.game}
        )
        self._opening += 1
        try:
            result = await service.run("door", partial(service.application.respond, request))
        finally:
            self._opening -= 1
        head = result.head if isinstance(result, Stream) else result
        assert isinstance(head, Response)
        if head.status != 200:
            await self._answer(message.re, head)
            return
        if message.token is not None:
            self.authenticated()
        self._latest_number += 1
        followed = self._follows[self._latest_number] = Followed(self._latest_number, message)
        await self._answer(message.re, head, followed.number)
        is_open = self._reader and followed.number in self._follows
        if is_open and isinstance(result, Stream) and isinstance(result.follows, Watch):
            followed.stream = self._start(self._push(followed, result.follows))

    async def _push(self, followed: Followed, watch: Watch) -> None:
        """Send frames for as long as there are any."""

        async def push(lines: bytes) -> None:
            for line in lines.splitlines():
                self.send(messages.frame_of(followed.number, line))

        with metrics.WATCHERS.track_inprogress():
            ended = await self._service.live.stream(watch, push, lines=True)
        match ended:
            case "token" | "rewound":
                self._let_go(followed, ended)
            case "interrupted":
                self.close("stopping", "The server cannot go on here: connect again.")

    async def _listen(self, message: messages.FeedRequest) -> None:
        service = self._service
        if self._feed and not self._feed.done():
            await self._refuse(message.re, "This connection has a feed already.")
            return
        request = self._request(service.feed, message.query, b"", message.headers)
        result = await service.run("door", partial(service.application.respond, request))
        if not isinstance(result, Stream):
            assert isinstance(result, Response)
            await self._answer(message.re, result)
            return
        listen = result.follows
        assert isinstance(listen, Listen)
        if not service.live.has_room_for_feed(listen):
            raise RequestRefused(BUSY)
        self.authenticated()
        await self._answer(message.re, Response(200, []))
        if self._reader:
            self._feed = self._start(self._tell(listen))

    async def _tell(self, listen: Listen) -> None:
        """Send what happens in all games of a host."""

        async def push(lines: bytes) -> None:
            for line in lines.splitlines():
                self.send(line.decode())

        await self._service.live.feed(listen, push, asyncio.Event().wait(), lines=True)
        self.close("stopping", "The server cannot go on here: connect again.")

    def _let_go(self, followed: Followed, why: str) -> None:
        """End a follow that cannot go on, and say so."""
        if followed.number in self._follows:
            self.send(messages.gone(followed.number, why))
            self._end(followed)

    def _end(self, followed: Followed) -> None:
        self._follows.pop(followed.number, None)
        if followed.stream and followed.stream is not asyncio.current_task():
            followed.stream.cancel()


def is_too_large(text: str) -> bool:
    """Has a message more bytes than it may?"""
    return len(text) > LARGEST_MESSAGE or (not text.isascii() and len(text.encode()) > LARGEST_MESSAGE)
