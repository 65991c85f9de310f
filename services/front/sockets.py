"""WebSockets: who may open one, keep-alive, and what keeps their memory bounded.

The server reads a message whole, up to 64 MiB, before it gives it to us. So the system is asked now and then how much each
connection has received since its latest message: one that brings more than a message may have is cut. Altogether
clients can have kept no more than that allowance each, and what arrives in a quarter of a second.
"""

import asyncio
import socket
import struct
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import get_args
from urllib.parse import urlsplit

from granian.rsgi import ProtocolClosed, ProtocolError, Scope, WebsocketProtocol

from events.times import utc_now
from services.core import metrics
from services.front.live import Live
from services.front.reading import RequestRefused, check_headers, peer_of, request_of
from services.front.sending import TranslateProblem, in_english, sockets_to
from services.front.socket_connection import CLOSING_SECONDS, LARGEST_MESSAGE, Connection, Run, Service
from services.front.socket_messages import GameMessage, Operation, closing, ping
from services.http.application import Application
from services.http.messages import Request
from services.http.routing import Found, Route

PATH = "/v1/socket"
LOOK_SECONDS = 0.25
"""Seconds between two looks at all connections."""
LOOKS_AT_ONCE = 64
"""After so many connections others have their turn."""
INBOUND_BYTES = 4 * LARGEST_MESSAGE
"""What may arrive on a connection before a message is complete: one, what follows it, and answers to keep-alives."""
STOPPING = ("stopping", "The server stops: connect again.")
SHORT_MESSAGE = 126
"""Bytes from which on the length of a message is written in another way."""
RECEIVED_AT = 128
"""Where `tcpi_bytes_received` is in the system's `struct tcp_info`."""
TCP_INFO = getattr(socket, "TCP_INFO", None)


@dataclass(frozen=True)
class SocketPolicy:
    """What the settings say of sockets."""

    follow: Route
    """What carries out a follow."""
    address_of: Callable[[Request], str]
    """Where a request comes from."""
    origins: tuple[str, ...] = ()
    connections: int = 0
    """Connections of one address that have brought no token; 0: no limit."""
    follows: int = 64
    ping_seconds: float = 15.0


class Meter:
    """How much a client has sent since its latest message, as the system knows it."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.socket: socket.socket | None = None
        self._messages = 0
        self._base: int | None = None
        """What had been received when the latest message was seen."""

    def is_over(self) -> bool:
        """Has more arrived than a message may have?"""
        received = self._received()
        if received is None:
            return False
        connection = self.connection
        if self._base is None or connection.messages != self._messages or connection.is_paused:
            self._base, self._messages = received, connection.messages
        return received - self._base > INBOUND_BYTES

    def _received(self) -> int | None:
        if self.socket is None or TCP_INFO is None:
            return None
        with suppress(OSError, struct.error):
            info = self.socket.getsockopt(socket.IPPROTO_TCP, TCP_INFO, RECEIVED_AT + 8)
            return int(struct.unpack_from("Q", info, RECEIVED_AT)[0])
        return None

    def say(self, text: str) -> bool:
        """Send a short message (RFC 6455) to a client that nothing is on its way to; whether it is sent."""
        data = text.encode()
        assert len(data) < SHORT_MESSAGE
        with suppress(OSError):
            return self.socket is not None and bool(self.socket.send(bytes([0x81, len(data)]) + data))
        return False

    def stop(self) -> None:
        """Receive nothing more."""
        if self.socket:
            with suppress(OSError):
                self.socket.shutdown(socket.SHUT_RD)

    def cut(self) -> None:
        """End the connection, whatever is on its way."""
        if self.socket:
            with suppress(OSError):
                self.socket.shutdown(socket.SHUT_RDWR)
            self.socket.close()

    def close(self) -> None:
        if self.socket:
            self.socket.close()


class Sockets:
    """All WebSockets of this process."""

    def __init__(
        self,
        application: Application,
        live: Live,
        run: Run,
        policy: SocketPolicy,
        in_words: TranslateProblem = in_english,
    ) -> None:
        feed = application.table.find("GET", "/v1/feed").route
        assert feed
        routes = routes_of(application)
        self._service = Service(application, live, run, policy.follow, routes, feed, policy.follows, in_words)
        self._policy = policy
        self._meters: dict[Connection, Meter] = {}
        self._strangers: Counter[str] = Counter()
        """Connections without a token, by address."""
        self._closing = False
        self._watching: asyncio.Task[None] | None = None

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        self._watching = loop.create_task(self._watch())

    def close(self) -> None:
        """Disconnect every client; there will be no others.

        A server that stops waits for HTTP requests alone, and may leave the loop no time for another turn. So clients
        that nothing is on its way to are told at once, and past the server.
        """
        self._closing = True
        missing = {each.client: meter for each, meter in self._meters.items() if meter.socket is None}
        for client, found in (sockets_to(missing) if missing else {}).items():
            missing[client].socket = found
        for connection, meter in list(self._meters.items()):
            said = connection.is_idle and meter.say(closing(*STOPPING))
            connection.close(*STOPPING, said=said)

    async def stop(self) -> None:
        """Disconnect every client, and give each some time to hear of it: the server waits for HTTP alone."""
        self.close()
        with suppress(TimeoutError):
            async with asyncio.timeout(2 * CLOSING_SECONDS):
                while self._meters:
                    await asyncio.sleep(0.01)
        if self._watching:
            self._watching.cancel()

    # -- a connection -------------------------------------------------------------------------------------------------

    async def serve(self, scope: Scope, protocol: WebsocketProtocol) -> None:
        """Serve a client that asks for a WebSocket."""
        try:
            address = self._admit(scope)
        except RequestRefused as refused:
            protocol.close(refused.response.status)
            return
        except UpgradeRefused as refused:
            metrics.REQUESTS_SHED.labels("sockets").inc()
            protocol.close(refused.status)
            return
        self._strangers[address] += 1
        is_stranger = True

        def forget_stranger() -> None:
            nonlocal is_stranger
            if is_stranger:
                is_stranger = False
                self._strangers[address] -= 1
                if not self._strangers[address]:
                    del self._strangers[address]

        try:
            await self._connect(scope, protocol, forget_stranger)
        except (ProtocolClosed, ProtocolError):
            return  # the client has gone before it was let in
        finally:
            forget_stranger()

    async def _connect(
        self, scope: Scope, protocol: WebsocketProtocol, authenticated: Callable[[], None]
    ) -> None:
        connection = Connection(self._service, await protocol.accept(), scope.client, peer_of(scope))
        connection.authenticated = authenticated
        meter = self._meters[connection] = Meter(connection)
        try:
            await connection.run()
            if connection.is_closing:
                await self._find_sockets([meter])
        finally:
            del self._meters[connection]
            connection.let_go()
            if connection.is_closing:  # the server would wait for ever for a client that does not answer
                asyncio.get_running_loop().call_later(CLOSING_SECONDS, meter.cut)
            else:
                meter.close()

    def _admit(self, scope: Scope) -> str:
        """The address that a client comes from, if it may open a socket."""
        headers = check_headers(scope)
        if scope.path != PATH:
            raise UpgradeRefused(404)
        if not is_origin_allowed(scope, self._policy.origins):
            raise UpgradeRefused(403)
        request = request_of(
            scope, headers, b"", Found(self._policy.follow, {}), self._service.application.context
        )
        address = self._policy.address_of(request)
        if self._closing:
            raise UpgradeRefused(503)
        if self._policy.connections and self._strangers[address] >= self._policy.connections:
            raise UpgradeRefused(429)
        return address

    # -- all connections ----------------------------------------------------------------------------------------------

    async def _watch(self) -> None:
        """Send pings where nothing else is sent, and cut who sends too much at once."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            await self._find_sockets([meter for meter in self._meters.values() if meter.socket is None])
            for number, (connection, meter) in enumerate(list(self._meters.items()), 1):
                now = time.monotonic()
                connection.check_stalled(now)
                if now - connection.latest >= self._policy.ping_seconds:
                    connection.send(ping(utc_now()))
                if meter.is_over():
                    connection.close("bad_message", "A message is JSON text of at most 64 KiB.")
                    meter.stop()
                if number % LOOKS_AT_ONCE == 0:
                    await asyncio.sleep(0)

    async def _find_sockets(self, meters: list[Meter]) -> None:
        """Find the system's own names of connections: all in one search, which is not made in the loop."""
        missing = {meter.connection.client: meter for meter in meters if meter.socket is None}
        if not missing or TCP_INFO is None:
            return
        for client, found in (await asyncio.to_thread(sockets_to, missing)).items():
            meter = missing[client]
            if meter.connection in self._meters and meter.socket is None:
                meter.socket = found
            else:
                found.close()


class UpgradeRefused(Exception):
    """Someone may not open a socket; the status says why."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


def is_origin_allowed(scope: Scope, origins: tuple[str, ...]) -> bool:
    """May pages of the origin that a browser names open a socket: one of the settings, or that of the server itself?"""
    origin: str | None = scope.headers.get("origin")
    if origin is None or "*" in origins or origin in origins:
        return True
    host = scope.headers.get("host") or scope.authority or ""
    return origin != "null" and urlsplit(origin).netloc.lower() == host.lower()


def routes_of(application: Application) -> dict[type[GameMessage], Route]:
    """The routes that carry out the operations on a game."""
    routes: dict[type[GameMessage], Route] = {}
    for kind in get_args(Operation):
        if issubclass(kind, GameMessage):
            method, path = kind.call
            found = application.table.find(method, f"/v1/games/x/{path}").route
            assert found, f"there is no route {method} {path}"
            routes[kind] = found
    return routes
