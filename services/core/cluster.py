"""A cluster as the store: every node has a line of its own, so that one that is silent stops nobody who asks another.

`ClusterLines` finds the node of a key, follows it when a slot moves or a replica takes over, and gives up soon: whoever
asked may ask again. A node that has just failed is not waited for again and again. `ClusterClient` is the client that
all code of ours uses; it rests in an event loop and blocks elsewhere, where a loop of its own sends for all threads.
"""

import asyncio
import threading
from collections.abc import Coroutine, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any, NamedTuple, TypeVar, cast
from urllib.parse import urlsplit, urlunsplit

from redis import Redis, exceptions
from redis.asyncio import Redis as AsyncRedis
from redis.asyncio.client import Pipeline as AsyncPipeline
from redis.client import Pipeline
from redis.cluster import RedisCluster
from redis.crc import key_slot

from events.weather import AWAY
from services.core.line import Answered, Command, Copies, Line
from services.core.resting import in_loop, rest

T = TypeVar("T")

PATIENCE = 1.0
"""Seconds for which an answer is looked for while nodes are away or move."""
SILENCE = 1.5
"""Seconds without an answer after which a connection is given up."""
SICK = 1.0
"""Seconds for which a node that has failed is not asked again: whoever comes meanwhile is told at once."""
PAUSE = 0.05
LEARN_SECONDS = 0.5
"""How long nodes have to tell how they share the slots."""

GONE = (exceptions.ConnectionError, exceptions.TimeoutError)
PASSING = (
    exceptions.ClusterDownError,
    exceptions.TryAgainError,
    exceptions.BusyLoadingError,
    exceptions.ReadOnlyError,
)
"""What a node says that another, or the same a moment later, may not say."""


class Address(NamedTuple):
    """Where a node listens."""

    host: str
    port: int


def key_of(command: Command) -> Any:
    """The key by which a command finds its node; None if it has none."""
    name = str(command[0]).upper()
    if name in ("EVAL", "EVALSHA"):
        return command[3] if int(command[2]) else None
    if name in ("XREAD", "XREADGROUP"):
        words = [word.upper() if isinstance(word, str | bytes) else word for word in command]
        return command[1 + next(place for place, word in enumerate(words) if word in ("STREAMS", b"STREAMS"))]
    if name.partition(" ")[0] in (
        "INFO",
        "PING",
        "SCRIPT",
        "SCAN",
        "CLUSTER",
        "CONFIG",
        "WAIT",
        "COMMAND",
        "DBSIZE",
    ):
        return None
    return command[1]


def slot_of(command: Command) -> int:
    key = key_of(command)
    return key_slot(key if isinstance(key, bytes) else str(key).encode())


class ClusterLines:
    """The lines of one event loop to the nodes of a cluster."""

    def __init__(self, urls: str, copies: Copies | None = None, silence: float = SILENCE) -> None:
        self._seeds = [address_in(url) for url in urls.split(",")]
        self._template = urls.split(",", maxsplit=1)[0]
        self._copies = copies
        self._silence = silence
        self._loop = asyncio.get_running_loop()
        self._lines: dict[Address, Line] = {}
        self._ranges: list[tuple[int, int, Address]] = []
        self._moved: dict[int, Address] = {}
        self._sick_until: dict[Address, float] = {}
        self._learning: asyncio.Task[None] | None = None
        self.scripts: dict[str, str] = {}
        """The texts of scripts by their hashes: nodes that do not know one are told."""

    def close(self) -> None:
        """Let go of all connections."""
        if self._learning:
            self._learning.cancel()
        for line in self._lines.values():
            line.close()

    # -- asking -----------------------------------------------------------------------------------------------------

    async def ask(self, command: Command) -> Any:
        """The answer to a command; an error of the store that is about the command is a value of it, not raised."""
        slot = slot_of(command)
        until = self._loop.time() + PATIENCE
        there: Address | None = None
        while True:
            address = there or await self._address_of(slot)
            answer = await self._try(address, command, asking=there is not None)
            there = None
            match answer:
                case exceptions.MovedError():
                    self._moved[slot] = Address(answer.host or address.host, answer.port)
                    self._learn_soon()
                case exceptions.AskError():
                    there = Address(answer.host or address.host, answer.port)
                case exceptions.NoScriptError() if command[1] in self.scripts:
                    command = ("EVAL", self.scripts[command[1]], *command[2:])
                case _ if isinstance(answer, GONE):
                    self._learn_soon()
                    if self._loop.time() >= until or isinstance(answer, exceptions.TimeoutError):
                        self._sick_until[address] = self._loop.time() + SICK
                        raise answer
                    await asyncio.sleep(PAUSE)
                case _ if isinstance(answer, PASSING):
                    self._learn_soon()
                    await asyncio.sleep(PAUSE)
                case _:
                    return answer
            if self._loop.time() >= until:
                raise answer

    async def _try(self, address: Address, command: Command, *, asking: bool) -> Any:
        if self._loop.time() < self._sick_until.get(address, 0.0):
            self._learn_soon()
            raise exceptions.ConnectionError(f"{address.host}:{address.port} is away")
        line = self._line(address)
        try:
            if not asking:
                return await line.send(command)
            _, answer = await asyncio.gather(line.send(("ASKING",)), line.send(command))
            return answer
        except GONE as error:
            return error

    def _line(self, address: Address) -> Line:
        if address not in self._lines:
            self._lines[address] = Line(url_at(self._template, address), self._silence, self._copies)
        return self._lines[address]

    # -- who has which slots ----------------------------------------------------------------------------------------

    async def _address_of(self, slot: int) -> Address:
        if not self._ranges:
            self._learn_soon()
            assert self._learning
            await asyncio.shield(self._learning)
        if slot in self._moved:
            return self._moved[slot]
        for first, last, address in self._ranges:
            if first <= slot <= last:
                return address
        raise exceptions.ConnectionError(f"no node of the cluster has slot {slot}")

    def _learn_soon(self) -> None:
        if self._learning is None or self._learning.done():
            self._learning = self._loop.create_task(self._learn())

    async def _learn(self) -> None:
        """Ask every node that is known who has what; believe the one that names the fewest nodes that are away."""
        asked = [
            self._loop.create_task(self._told_by(each))
            for each in {*self._seeds, *self._lines, *self._primaries()}
        ]
        done, late = await asyncio.wait(asked, timeout=LEARN_SECONDS)
        for task in late:
            task.cancel()
        layouts = [ranges for task in done if (ranges := task.result())]
        if layouts:
            self._ranges = min(layouts, key=self._slots_away)
            self._moved.clear()
        await asyncio.sleep(PAUSE)  # whatever happens, nobody is asked more often than this

    def _primaries(self) -> set[Address]:
        return {address for _, _, address in self._ranges}

    def _slots_away(self, ranges: list[tuple[int, int, Address]]) -> int:
        now = self._loop.time()
        return sum(
            last - first for first, last, address in ranges if self._sick_until.get(address, 0.0) > now
        )

    async def _told_by(self, address: Address) -> list[tuple[int, int, Address]]:
        try:
            rows = await self._line(address).send(("CLUSTER SLOTS",))
        except GONE:
            return []
        if isinstance(rows, Exception):
            return []
        return [
            (first, last, Address((node[0] or b"").decode() or address.host, node[1]))
            for first, last, node, *_ in rows
        ]


def address_in(url: str) -> Address:
    parts = urlsplit(url)
    return Address(parts.hostname or "127.0.0.1", parts.port or 6379)


def url_at(template: str, address: Address) -> str:
    """The address of another node, with the password and all else as for the first."""
    parts = urlsplit(template)
    person, at, _ = parts.netloc.rpartition("@")
    host = f"[{address.host}]" if ":" in address.host else address.host
    return urlunsplit(parts._replace(netloc=f"{person}{at}{host}:{address.port}"))


class Background:
    """An event loop in a thread of its own, for whoever has none: made when it is needed, and it ends with the process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Wait for what is done there."""
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=self._loop.run_forever, name="lines", daemon=True).start()
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()


BACKGROUND = Background()


class ClusterClient(RedisCluster):
    """A client of a cluster that knows where it runs; of redis-py's own it has the commands, not the connections."""

    def __init__(self, urls: str, copies: Copies | None = None) -> None:
        self._urls = urls
        self._copies = copies
        self._reader = Redis.from_url(
            urls.split(",", maxsplit=1)[0]
        )  # which reads answers, and never connects
        self._in_loop: ClusterLines | None = None
        self._elsewhere: ClusterLines | None = None
        self._scripts: dict[str, str] = {}

    def another(self, copies: Copies | None = None) -> "ClusterClient":
        """A client of the same cluster with lines of its own, for what must not wait behind the rest."""
        return ClusterClient(self._urls, copies)

    def open_line(self) -> None:
        """From now on, requests of the running loop have lines of their own."""
        self._in_loop = self._new_lines()

    def close_line(self) -> None:
        if self._in_loop:
            self._in_loop.close()
            self._in_loop = None

    def _new_lines(self) -> ClusterLines:
        lines = ClusterLines(self._urls, self._copies)
        lines.scripts = self._scripts
        return lines

    def close(self) -> None:
        async def hang_up() -> None:
            if self._elsewhere:
                self._elsewhere.close()
                self._elsewhere = None

        if self._elsewhere:
            BACKGROUND.run(hang_up())

    def __del__(self) -> None:
        """Connections end with the process, or by `close`."""

    # -- commands ---------------------------------------------------------------------------------------------------

    def execute_command(self, *args: Any, **options: Any) -> Any:
        if key_of(args) is None:
            return self._whole.execute_command(*args, **options)  # type: ignore[no-untyped-call]  # of redis-py
        (answer,) = self._ask([args])
        return self._read(args, answer, options)

    def execute_all(self, commands: Sequence[tuple[Any, dict[str, Any]]]) -> list[Any]:
        """The answers to several commands, each an error if it failed: one that does harms no other."""
        answers = self._ask([args for args, _ in commands])
        found = []
        for (args, options), answer in zip(commands, answers, strict=True):
            try:
                found.append(self._read(args, answer, options))
            except Exception as error:
                found.append(error)
        return found

    def _ask(self, commands: list[Command]) -> list[Any]:
        if self._in_loop and in_loop():
            return rest(gathered(self._in_loop, commands))
        return BACKGROUND.run(self._ask_elsewhere(commands))

    async def _ask_elsewhere(self, commands: list[Command]) -> list[Any]:
        if self._elsewhere is None:
            self._elsewhere = self._new_lines()
        return await gathered(self._elsewhere, commands)

    def _read(self, args: Command, answer: Any, options: Mapping[str, Any]) -> Any:
        return self._reader.parse_response(Answered(answer), args[0], **options)  # type: ignore[no-untyped-call]  # of redis-py

    def pipeline(self, transaction: bool | None = None, shard_hint: Any = None) -> Any:
        return ClusterPipeline(self)

    # -- scripts, and what has no key -------------------------------------------------------------------------------

    def register_script(self, script: Any) -> Any:
        found = self._reader.register_script(script)
        found.registered_client = self
        self._scripts[found.sha] = script
        return found

    @cached_property
    def _whole(self) -> RedisCluster:
        """redis-py's own client, for what concerns all nodes; by the first address that answers."""
        *others, last = self._urls.split(",")
        for url in others:
            with suppress(*AWAY):
                return RedisCluster.from_url(url)
        return RedisCluster.from_url(last)

    def scan_iter(self, *given: Any, **named: Any) -> Iterable[Any]:  # type: ignore[override]  # of redis-py
        return cast(Iterable[Any], self._whole.scan_iter(*given, **named))


async def gathered(lines: ClusterLines, commands: Sequence[Command]) -> list[Any]:
    return await asyncio.gather(*(lines.ask(command) for command in commands), return_exceptions=True)


class ClusterPipeline(Pipeline):
    """Commands that go out together, to each node its own; they are no transaction."""

    def __init__(self, client: ClusterClient) -> None:
        super().__init__(client._reader.connection_pool, client._reader.response_callbacks, False, None)
        self._client = client

    def execute(self, raise_on_error: bool = True) -> list[Any]:
        commands = list(self.command_stack)
        self.reset()
        answers = self._client.execute_all(commands)
        for answer in answers if raise_on_error else ():
            if isinstance(answer, Exception):
                raise answer
        return answers


class ClusterReader(AsyncRedis):
    """A client of a cluster for coroutines: each command goes to its node."""

    def __init__(self, urls: str, silence: float) -> None:
        source = AsyncRedis.from_url(urls.split(",", maxsplit=1)[0])
        super().__init__(connection_pool=source.connection_pool)
        self._urls = urls
        self._silence = silence
        self._lines: ClusterLines | None = None

    def another(self) -> "ClusterReader":
        """One with lines of its own, which may wait without keeping others waiting."""
        return ClusterReader(self._urls, self._silence)

    async def execute_command(self, *args: Any, **options: Any) -> Any:
        answer = await self.lines.ask(args)
        return self.read(args, answer, options)

    @property
    def lines(self) -> ClusterLines:
        if self._lines is None:
            self._lines = ClusterLines(self._urls, silence=self._silence)
        return self._lines

    def read(self, args: Command, answer: Any, options: Mapping[str, Any]) -> Any:
        if isinstance(answer, Exception):
            raise answer
        callback = self.response_callbacks.get(str(args[0]))
        said = {name: value for name, value in options.items() if name != "keys"}
        return callback(answer, **said) if callback else answer

    def pipeline(self, transaction: bool = True, shard_hint: Any = None) -> AsyncPipeline:
        return ClusterReaderPipeline(self)

    async def aclose(self, close_connection_pool: bool | None = None) -> None:
        if self._lines:
            self._lines.close()


class ClusterReaderPipeline(AsyncPipeline):
    """Commands of a coroutine that go out together."""

    def __init__(self, client: ClusterReader) -> None:
        super().__init__(client.connection_pool, client.response_callbacks, False, None)
        self._client = client

    async def execute(self, raise_on_error: bool = True) -> list[Any]:
        commands = list(self.command_stack)
        self.command_stack.clear()
        answers = await gathered(self._client.lines, [args for args, _ in commands])
        return [
            self._client.read(args, answer, options)
            for (args, options), answer in zip(commands, answers, strict=True)
        ]
