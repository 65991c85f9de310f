"""A cluster as the store: every node has a line of its own, so that one that is silent stops nobody who asks another.

`ClusterLines` finds the node of a key, follows it when a slot moves or a replica takes over, and gives up soon: whoever
asked may ask again. A node that has just failed is not waited for again and again.
"""

import asyncio
from collections.abc import Sequence
from typing import Any, NamedTuple
from urllib.parse import urlsplit, urlunsplit

from redis import exceptions
from redis.crc import key_slot

from services.core.line import Command, Copies, Line

PATIENCE = 1.0
"""Seconds for which an answer is looked for while nodes are away or move, and after which those who can do with a part of
the answers do without the rest."""
HASTE = 0.3
"""The same for whoever is asked again anyway: while it waits for one node, it does nothing for the others."""
SILENCE = 1.0
"""Seconds without an answer after which a connection is given up."""
SICK = 1.0
"""Seconds for which a node that has failed is not asked again: whoever comes meanwhile is told at once."""
PROBE = 0.3
"""Seconds that such a node has for its first answer after that, to one who asks while all others are still told."""
PAUSE = 0.05
"""Seconds between two tries, and at least between two questions how the slots are shared."""
TO_AND_FRO = 0.005
"""Seconds before a node is asked that another has named: while a replica takes over, they may name each other."""
LEARN_SECONDS = 0.5
"""How long nodes have to tell how they share the slots."""

GONE = (exceptions.ConnectionError, exceptions.TimeoutError)
REDIRECTED = (exceptions.MovedError, exceptions.AskError)
PASSING = (
    exceptions.ClusterDownError,
    exceptions.TryAgainError,
    exceptions.BusyLoadingError,
    exceptions.ReadOnlyError,
)
"""What a node says that another, or the same a moment later, may not say."""
KEYLESS = frozenset(("CLUSTER", "COMMAND", "CONFIG", "DBSIZE", "INFO", "PING", "SCAN", "SCRIPT", "WAIT"))
"""Commands about a node, or about all of them."""


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
    return None if name.partition(" ")[0] in KEYLESS else command[1]


def slot_of(command: Command) -> int:
    key = key_of(command)
    return key_slot(key if isinstance(key, bytes) else str(key).encode())


Range = tuple[int, int, Address]
"""The first and the last of some slots, and the node that has them."""


class Layout:
    """What is known of a cluster: who has which slots, and which nodes are away; and how long answers are looked for.

    Clients of one store share it.
    """

    def __init__(self, urls: str, patience: float = PATIENCE) -> None:
        self.patience = patience
        self.seeds = [address_in(url) for url in urls.split(",")]
        self.template = urls.split(",", maxsplit=1)[0]
        self.ranges: list[Range] = []
        self.moved: dict[int, Address] = {}
        self.sick_until: dict[Address, float] = {}

    def nodes(self) -> set[Address]:
        """Every node that is known."""
        return {*self.seeds, *(address for _, _, address in self.ranges), *self.sick_until}

    def find(self, slot: int) -> Address:
        """The node that has a slot."""
        if slot in self.moved:
            return self.moved[slot]
        for first, last, address in self.ranges:
            if first <= slot <= last:
                return address
        raise exceptions.ConnectionError(f"no node of the cluster has slot {slot}")

    def choose(self, layouts: Sequence[list[Range]]) -> None:
        """Believe, of what nodes tell, what names the fewest slots of nodes that are away."""
        if layouts:
            self.ranges = min(layouts, key=self._slots_away)
            self.moved.clear()

    def _slots_away(self, ranges: list[Range]) -> int:
        return sum(last - first for first, last, address in ranges if address in self.sick_until)


class ClusterLines:
    """The lines of one event loop to the nodes of a cluster."""

    def __init__(self, layout: Layout, copies: Copies | None = None, silence: float = SILENCE) -> None:
        self._layout = layout
        self._copies = copies
        self._silence = silence + (copies.milliseconds / 1000 if copies else 0.0)
        self._loop = asyncio.get_running_loop()
        self._lines: dict[Address, Line] = {}
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
        until = self._loop.time() + self._layout.patience
        there: Address | None = None
        while True:
            address = there or await self._address_of(slot)
            answer = await self._try(address, command, asking=there is not None)
            there = None
            match answer:
                case exceptions.MovedError():
                    self._layout.moved[slot] = Address(answer.host or address.host, answer.port)
                    self._learn_soon()
                    await asyncio.sleep(TO_AND_FRO)
                case exceptions.AskError():
                    there = Address(answer.host or address.host, answer.port)
                case exceptions.NoScriptError() if command[1] in self.scripts:
                    command = ("EVAL", self.scripts[command[1]], *command[2:])
                case exceptions.TimeoutError():
                    raise self._call_sick(address, answer)
                case exceptions.ConnectionError() if self._loop.time() >= until:
                    raise self._call_sick(address, answer)
                case _ if isinstance(answer, (exceptions.ConnectionError, *PASSING)):
                    self._learn_soon()
                    await asyncio.sleep(PAUSE)
                case _:
                    return answer
            if self._loop.time() >= until:
                raise exceptions.TryAgainError("a slot moves") if isinstance(answer, REDIRECTED) else answer

    async def _try(self, address: Address, command: Command, *, asking: bool) -> Any:
        """The answer of this node, or why there is none.

        One that was away is tried by one who asks; the others are told meanwhile that it is.
        """
        sick = self._layout.sick_until
        recovering = address in sick
        if recovering:
            if self._loop.time() < sick[address]:
                self._learn_soon()
                raise exceptions.ConnectionError(f"{address.host}:{address.port} is away")
            sick[address] = self._loop.time() + PROBE
        try:
            async with asyncio.timeout(PROBE if recovering else None):
                answer = await self._send(self._line(address), command, asking=asking)
        except (*GONE, TimeoutError) as error:
            return error if isinstance(error, GONE) else exceptions.TimeoutError("it is still away")
        sick.pop(address, None)
        return answer

    async def _send(self, line: Line, command: Command, *, asking: bool) -> Any:
        if not asking:
            return await line.send(command)
        _, answer = await asyncio.gather(line.send(("ASKING",)), line.send(command))
        return answer

    def _call_sick(self, address: Address, error: Exception) -> Exception:
        self._layout.sick_until[address] = self._loop.time() + SICK
        self._learn_soon()
        return error

    def _line(self, address: Address) -> Line:
        if address not in self._lines:
            self._lines[address] = Line(url_at(self._layout.template, address), self._silence, self._copies)
        return self._lines[address]

    # -- who has which slots ----------------------------------------------------------------------------------------

    async def _address_of(self, slot: int) -> Address:
        if not self._layout.ranges:
            self._learn_soon()
            assert self._learning
            await asyncio.shield(self._learning)
        return self._layout.find(slot)

    def _learn_soon(self) -> None:
        if self._learning is None or self._learning.done():
            self._learning = self._loop.create_task(self._learn())

    async def _learn(self) -> None:
        """Ask every node that is known who has what."""
        inquiries = [self._loop.create_task(self._told_by(each)) for each in self._layout.nodes()]
        done, late = await asyncio.wait(inquiries, timeout=LEARN_SECONDS)
        for task in late:
            task.cancel()
        self._layout.choose([ranges for task in done if (ranges := task.result())])
        await asyncio.sleep(PAUSE)  # whatever happens, nobody is asked more often than this

    async def _told_by(self, address: Address) -> list[Range]:
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


async def gathered(
    lines: ClusterLines, commands: Sequence[Command], deadline: float | None = None
) -> list[Any]:
    """The answers to these commands, or errors in their places.

    What is late goes on by itself: it will tell whether its node is away.
    """
    if not commands:
        return []
    tasks = [asyncio.ensure_future(lines.ask(command)) for command in commands]
    _, late = await asyncio.wait(tasks, timeout=deadline)
    for task in late:
        task.add_done_callback(lambda done: done.cancelled() or done.exception())
    return [result_of(task) for task in tasks]


def result_of(task: asyncio.Future[Any]) -> Any:
    if not task.done():
        return exceptions.TimeoutError("a part of the store has not answered in time")
    if task.cancelled():
        return exceptions.ConnectionError("the process is about to stop")
    return task.exception() or task.result()
