"""Pipelined Redis connection shared by all requests of an event loop.

What is ready in the same moment goes out in one write, and answers come back in order. A store that syncs to disk
before it answers does so once for all it has read by then, so under load one sync carries many appends.
"""

import asyncio
import logging
from collections import deque
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple, cast

import hiredis
from redis.asyncio.connection import Connection, ConnectionPool, SSLConnection, UnixDomainSocketConnection
from redis.connection import DefaultParser
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import InvalidResponse
from redis.exceptions import TimeoutError as RedisTimeoutError

from events.store_errors import NotReplicated

log = logging.getLogger(__name__)

Command = tuple[Any, ...]
INCOMPLETE = object()
"""What the reader gives as long as an answer is not whole."""


class ReplicationPolicy(NamedTuple):
    """In how many replicas a write must stand before it counts, and how many milliseconds that may take."""

    replicas: int
    milliseconds: int

    @property
    def command(self) -> Command:
        return ("WAIT", self.replicas, self.milliseconds)

    def check(self, reached: Any) -> NotReplicated | None:
        """What the store's answer to `command` means for all that was written before it on the same connection."""
        if isinstance(reached, int) and reached >= self.replicas:
            return None
        return NotReplicated(f"{reached} of {self.replicas} replicas have it")


@dataclass(slots=True)
class PendingCommand:
    """A command that waits for its answer."""

    packed: bytes
    answer: asyncio.Future[Any]
    at: float = 0.0
    again: bool = False
    """Was it sent before, over a connection that died? Once is enough."""


def encode_command(command: Command) -> bytes:
    """A command as it is sent."""
    words = (*command[0].split(), *command[1:]) if " " in command[0] else command  # "SCRIPT LOAD" is two
    return bytes(hiredis.pack_command(words))


@lru_cache(16)
def address_of(url: str) -> Connection:
    """What redis-py reads from an address; it takes a millisecond."""
    address: Connection = ConnectionPool.from_url(url).make_connection()  # type: ignore[no-untyped-call]  # of redis-py
    return address


class PipelinedConnection:
    """Commands to the store, over one connection that is made when it is needed, and anew when it dies.

    Every command may be sent twice, if a connection dies before the answer: appends are known again by their hash,
    and whatever else goes this way reads, or sets what it sets. None may block (`XREAD BLOCK` and the like): all
    others would wait behind it.

    With `copies`, each batch is followed by one WAIT, and no answer of it is given before that of the WAIT: it speaks
    for its own connection. The next batch gathers meanwhile.
    """

    def __init__(self, url: str, patience: float, replication: ReplicationPolicy | None = None) -> None:
        self._address = address_of(url)
        self._patience = patience
        self._loop = asyncio.get_running_loop()
        self._ready: list[PendingCommand] = []
        self._waiting: deque[PendingCommand] = deque()
        self._copies = replication
        self._copying: PendingCommand | None = None
        """The WAIT that is on its way."""
        self._held: list[tuple[PendingCommand, Any]] = []
        """What has its answer, but not yet its copies."""
        self._wire: RespProtocol | None = None
        self._connecting: asyncio.Task[None] | None = None
        self._watch: asyncio.TimerHandle | None = None
        self._closed = False

    def send(self, command: Command) -> asyncio.Future[Any]:
        """The answer to a command, when it comes; an error of the store is a value of it, not raised."""
        return self._enqueue(PendingCommand(encode_command(command), self._loop.create_future()))

    def close(self) -> None:
        """Let go of the connection; who still waits for an answer is told that there is none."""
        self._closed = True
        if self._connecting:
            self._connecting.cancel()
        if self._wire:
            self._wire.transport.abort()
        self._fail(RedisConnectionError("the process is about to stop"))

    # -- sending ----------------------------------------------------------------------------------------------------

    def _enqueue(self, sent: PendingCommand) -> asyncio.Future[Any]:
        if self._closed:
            sent.answer.set_exception(RedisConnectionError("the process is about to stop"))
            return sent.answer
        if not self._ready:
            self._loop.call_soon(self._flush)
        self._ready.append(sent)
        return sent.answer

    def _flush(self) -> None:
        """Write what has gathered since the loop last turned: one batch, one write."""
        if self._wire is None:
            if self._connecting is None and not self._closed:
                self._connecting = self._loop.create_task(self._connect())
            return
        if not self._ready or self._copying:
            return
        batch, self._ready = self._ready, []
        if self._copies:
            batch.append(self._wait_for(self._copies))
        now = self._loop.time()
        for sent in batch:
            sent.at = now
        self._waiting.extend(batch)
        self._wire.transport.write(b"".join([sent.packed for sent in batch]))
        if self._watch is None:
            self._watch = self._loop.call_later(self._patience, self._look_for_silence)

    def _wait_for(self, replication: ReplicationPolicy) -> PendingCommand:
        nobody = self._loop.create_future()
        nobody.set_result(None)
        self._copying = PendingCommand(hiredis.pack_command(replication.command), nobody)
        return self._copying

    # -- receiving --------------------------------------------------------------------------------------------------

    def received(self, answer: Any) -> None:
        """The answer to the command that waits longest."""
        sent = self._waiting.popleft()
        if self._copies is None:
            resolve_command(sent, answer)
        elif sent is self._copying:
            self._copied(self._copies.check(answer))
        else:
            self._held.append((sent, answer))

    def _copied(self, problem: NotReplicated | None) -> None:
        """The batch has its copies, or will not have them in time."""
        held, self._held, self._copying = self._held, [], None
        for sent, answer in held:
            resolve_command(sent, answer if problem is None or isinstance(answer, Exception) else problem)
        self._flush()

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

    async def _dial(self) -> "RespProtocol":
        address = self._address
        if isinstance(address, UnixDomainSocketConnection):
            return (await self._loop.create_unix_connection(RespProtocol, address.path))[1]
        tls = address.ssl_context.get() if isinstance(address, SSLConnection) else None
        return (await self._loop.create_connection(RespProtocol, address.host, address.port, ssl=tls))[1]

    def lost(self, wire: "RespProtocol") -> None:
        """The connection has died: what it owed is asked once more over a new one."""
        if wire is not self._wire:
            return
        self._wire = None
        for sent in self._take_owed():
            if sent.again:
                fail_command(sent, RedisConnectionError("the connection to the store has died twice"))
            elif not sent.answer.done():
                sent.again = True
                self._enqueue(sent)
        if self._ready:
            self._loop.call_soon(self._flush)

    def _fail(self, error: Exception) -> None:
        """Nobody who waits will get an answer."""
        ready, self._ready = self._ready, []
        for sent in (*self._take_owed(), *ready):
            fail_command(sent, error)

    def _take_owed(self) -> list[PendingCommand]:
        """What was sent and has no answer that counts."""
        owed = [
            *(sent for sent, _ in self._held),
            *(sent for sent in self._waiting if sent is not self._copying),
        ]
        self._held, self._waiting, self._copying = [], deque(), None
        return owed


def resolve_command(sent: PendingCommand, answer: Any) -> None:
    if not sent.answer.done():  # whoever was cut off does not need it any more
        sent.answer.set_result(answer)


def fail_command(sent: PendingCommand, error: Exception) -> None:
    if not sent.answer.done():
        sent.answer.set_exception(error)


class RespProtocol(asyncio.Protocol):
    """The connection itself: bytes go out, answers come in."""

    def __init__(self) -> None:
        self.line: PipelinedConnection | None = None
        self.transport: asyncio.Transport
        self._reader = hiredis.Reader(
            protocolError=InvalidResponse, replyError=DefaultParser.parse_error, notEnoughData=INCOMPLETE
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
        try:
            for answer in await self._greeting:
                if isinstance(answer, Exception):
                    raise answer
        except BaseException:  # a time that is over included: a store that hangs must not gather connections
            self.transport.abort()
            raise

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self._reader.feed(data)
        while (answer := self._reader.gets()) is not INCOMPLETE:
            if self.line:
                self.line.received(answer)
            else:
                self._answers.append(answer)
                if self._greeting and not self._greeting.done() and len(self._answers) == self._expected:
                    self._greeting.set_result(self._answers)

    def connection_lost(self, exc: Exception | None) -> None:
        if self.line:
            self.line.lost(self)
        elif self._greeting and not self._greeting.done():
            self._greeting.set_exception(RedisConnectionError("the store has hung up"))


class ParsedReply:
    """An answer that came over a line, as redis-py reads it from a connection."""

    def __init__(self, answer: Any) -> None:
        self._answer = answer

    def read_response(self, **_: Any) -> Any:
        if isinstance(self._answer, Exception):
            raise self._answer
        return self._answer
