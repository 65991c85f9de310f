"""A line to the store: one connection for all requests of an event loop.

What is ready in the same moment goes out in one write, and answers come back in order. A store that syncs to disk
before it answers does so once for all it has read by then, so under load one sync carries many appends.
"""

import asyncio
import logging
from collections import deque
from dataclasses import dataclass
from typing import Any, cast

import hiredis
from redis.asyncio.connection import Connection, ConnectionPool, SSLConnection, UnixDomainSocketConnection
from redis.connection import DefaultParser
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import InvalidResponse
from redis.exceptions import TimeoutError as RedisTimeoutError

log = logging.getLogger(__name__)

Command = tuple[Any, ...]
NOT_YET = object()
"""What the reader gives as long as an answer is not whole."""


@dataclass(slots=True)
class Sent:
    """A command that waits for its answer."""

    packed: bytes
    answer: asyncio.Future[Any]
    at: float = 0.0
    again: bool = False
    """Was it sent before, over a connection that died? Once is enough."""


class Line:
    """Commands to the store, over one connection that is made when it is needed, and anew when it dies.

    Every command may be sent twice, if a connection dies before the answer: appends are known again by their hash,
    and whatever else goes this way reads, or sets what it sets. None may block (`XREAD BLOCK` and the like): all
    others would wait behind it.
    """

    def __init__(self, url: str, patience: float) -> None:
        self._address: Connection = ConnectionPool.from_url(url).make_connection()  # type: ignore[no-untyped-call]  # of redis-py
        self._patience = patience
        self._loop = asyncio.get_running_loop()
        self._ready: list[Sent] = []
        self._waiting: deque[Sent] = deque()
        self._wire: Wire | None = None
        self._connecting: asyncio.Task[None] | None = None
        self._watch: asyncio.TimerHandle | None = None
        self._closed = False

    def send(self, command: Command) -> asyncio.Future[Any]:
        """The answer to a command, when it comes; an error of the store is a value of it, not raised."""
        words = (*command[0].split(), *command[1:]) if " " in command[0] else command  # "SCRIPT LOAD" is two
        return self._enqueue(Sent(hiredis.pack_command(words), self._loop.create_future()))

    def close(self) -> None:
        """Let go of the connection; who still waits for an answer is told that there is none."""
        self._closed = True
        if self._connecting:
            self._connecting.cancel()
        if self._wire:
            self._wire.transport.abort()
        self._fail(RedisConnectionError("the process is about to stop"))

    # -- sending ----------------------------------------------------------------------------------------------------

    def _enqueue(self, sent: Sent) -> asyncio.Future[Any]:
        if self._closed:
            sent.answer.set_exception(RedisConnectionError("the process is about to stop"))
            return sent.answer
        if not self._ready:
            self._loop.call_soon(self._flush)
        self._ready.append(sent)
        return sent.answer

    def _flush(self) -> None:
        """Write what has gathered since the loop last turned: one batch, one write.

        Whatever is to hold for all of a batch before its answers count (a WAIT for replicas after appends, say) is to
        be written here after it, and its answer awaited with theirs.
        """
        if self._wire is None:
            if self._connecting is None and not self._closed:
                self._connecting = self._loop.create_task(self._connect())
            return
        batch, self._ready = self._ready, []
        if not batch:
            return
        now = self._loop.time()
        for sent in batch:
            sent.at = now
        self._waiting.extend(batch)
        self._wire.transport.write(b"".join([sent.packed for sent in batch]))
        if self._watch is None:
            self._watch = self._loop.call_later(self._patience, self._look_for_silence)

    # -- receiving --------------------------------------------------------------------------------------------------

    def received(self, answer: Any) -> None:
        """The answer to the command that waits longest."""
        future = self._waiting.popleft().answer
        if not future.done():  # whoever was cut off does not need it any more
            future.set_result(answer)

    def _look_for_silence(self) -> None:
        """Give up a connection on which an answer has been owed for too long."""
        self._watch = None
        if not self._waiting:
            return
        left = self._waiting[0].at + self._patience - self._loop.time()
        if left > 0:
            self._watch = self._loop.call_later(left, self._look_for_silence)
            return
        wire, self._wire = self._wire, None
        if wire:
            wire.transport.abort()
        self._fail(RedisTimeoutError("the store has not answered in time"))

    # -- the connection ---------------------------------------------------------------------------------------------

    async def _connect(self) -> None:
        try:
            async with asyncio.timeout(self._patience):
                wire = await self._dial()
                await wire.greet(self._address)
        except Exception as error:
            self._connecting = None
            self._fail(RedisConnectionError(f"the store cannot be reached: {error}"))
            return
        self._connecting, self._wire = None, wire
        wire.line = self
        if wire.transport.is_closing():
            self.lost(wire)
        else:
            self._flush()

    async def _dial(self) -> "Wire":
        address = self._address
        if isinstance(address, UnixDomainSocketConnection):
            return (await self._loop.create_unix_connection(Wire, address.path))[1]
        tls = address.ssl_context.get() if isinstance(address, SSLConnection) else None
        return (await self._loop.create_connection(Wire, address.host, address.port, ssl=tls))[1]

    def lost(self, wire: "Wire") -> None:
        """The connection has died: what it owed is asked once more over a new one."""
        if wire is not self._wire:
            return
        self._wire = None
        owed, self._waiting = self._waiting, deque()
        for sent in owed:
            if sent.again:
                fail(sent, RedisConnectionError("the connection to the store has died twice"))
            elif not sent.answer.done():
                sent.again = True
                self._enqueue(sent)

    def _fail(self, error: Exception) -> None:
        """Nobody who waits will get an answer."""
        owed = [*self._waiting, *self._ready]
        self._waiting, self._ready = deque(), []
        for sent in owed:
            fail(sent, error)


def fail(sent: Sent, error: Exception) -> None:
    if not sent.answer.done():
        sent.answer.set_exception(error)


class Wire(asyncio.Protocol):
    """The connection itself: bytes go out, answers come in."""

    def __init__(self) -> None:
        self.line: Line | None = None
        self.transport: asyncio.Transport
        self._reader = hiredis.Reader(
            protocolError=InvalidResponse, replyError=DefaultParser.parse_error, notEnoughData=NOT_YET
        )
        self._greeting: asyncio.Future[list[Any]] | None = None
        self._answers: list[Any] = []

    async def greet(self, address: Connection) -> None:
        """Say which protocol we speak, who we are and which database we want, as the address tells."""
        credentials: Command = ()
        if address.credential_provider:
            credentials = await address.credential_provider.get_credentials_async()
        elif address.password:
            credentials = (address.username or "default", address.password)
        named = ("default", *credentials) if len(credentials) == 1 else credentials
        commands: list[Command] = [("HELLO", address.protocol, *(("AUTH", *named) if named else ()))]
        if address.db:
            commands.append(("SELECT", address.db))
        self._expected = len(commands)
        self._greeting = asyncio.get_running_loop().create_future()
        self.transport.write(b"".join(hiredis.pack_command(command) for command in commands))
        for answer in await self._greeting:
            if isinstance(answer, Exception):
                self.transport.abort()
                raise answer

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self._reader.feed(data)
        while (answer := self._reader.gets()) is not NOT_YET:
            if self.line:
                self.line.received(answer)
            else:
                self._answers.append(answer)
                if self._greeting and len(self._answers) == self._expected:
                    self._greeting.set_result(self._answers)

    def connection_lost(self, exc: Exception | None) -> None:
        if self.line:
            self.line.lost(self)
        elif self._greeting and not self._greeting.done():
            self._greeting.set_exception(RedisConnectionError("the store has hung up"))
