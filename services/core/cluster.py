"""Cluster routing: slot map, redirects, and a circuit breaker per node, so that a silent node delays no request to another.

`ClusterConnections` finds the node of a key, follows it when a slot moves or a replica takes over, and gives up soon: whoever
asked may ask again. A node that has just failed is not waited for again and again.
"""

import asyncio
from collections.abc import Sequence
from typing import Any, NamedTuple
from urllib.parse import urlsplit, urlunsplit

from redis import exceptions
from redis.crc import key_slot

from events.store_errors import CONNECTION_LOST, REDIRECTED, RETRIED_ERRORS
from services.core.backoff import SLOT_MOVING
from services.core.pipelining import Command, PipelinedConnection, ReplicationPolicy

ANSWER_TIMEOUT = 1.0
"""Seconds for which an answer is looked for while nodes are away or move, and after which those who can do with a part of
the answers do without the rest."""
SHORT_ANSWER_TIMEOUT = 0.3
"""The same for whoever is asked again anyway: while it waits for one node, it does nothing for the others."""
SILENCE_TIMEOUT = 1.0
"""Seconds without an answer after which a connection is given up."""
UNAVAILABLE_SECONDS = 1.0
"""Seconds for which a node that has failed is not asked again: whoever comes meanwhile is told at once."""
PROBE_TIMEOUT = 0.3
"""Seconds that such a node has for its first answer after that, to one who asks while all others are still told."""
REDIRECT_PAUSE = 0.005
"""Seconds before a node is asked that another has named: while a replica takes over, they may name each other."""
DISCOVERY_TIMEOUT = 0.5
"""How long nodes have to tell how they share the slots."""

KEYLESS = frozenset(("CLUSTER", "COMMAND", "CONFIG", "DBSIZE", "INFO", "PING", "SCAN", "SCRIPT", "WAIT"))
"""Commands about a node, or about all of them."""


class NodeAddress(NamedTuple):
    """Where a node listens."""

    host: str
    port: int


def command_key(command: Command) -> Any:
    """The key by which a command finds its node; None if it has none."""
    name = str(command[0]).upper()
    if name in ("EVAL", "EVALSHA"):
        return command[3] if int(command[2]) else None
    if name in ("XREAD", "XREADGROUP"):
        words = [word.upper() if isinstance(word, str | bytes) else word for word in command]
        return command[1 + next(place for place, word in enumerate(words) if word in ("STREAMS", b"STREAMS"))]
    return None if name.partition(" ")[0] in KEYLESS else command[1]


def command_slot(command: Command) -> int:
    key = command_key(command)
    return key_slot(key if isinstance(key, bytes) else str(key).encode())


SlotRange = tuple[int, int, NodeAddress]
"""The first and the last of some slots, and the node that has them."""


class SlotMap:
    """What is known of a cluster: who has which slots, and which nodes are away; and how long answers are looked for.

    Clients of one store share it.
    """

    def __init__(self, urls: str, patience: float = ANSWER_TIMEOUT) -> None:
        self.patience = patience
        self.seeds = [read_node_address(url) for url in urls.split(",")]
        self.template = urls.split(",", maxsplit=1)[0]
        self.ranges: list[SlotRange] = []
        self.moved: dict[int, NodeAddress] = {}
        self.unavailable_until: dict[NodeAddress, float] = {}

    def nodes(self) -> set[NodeAddress]:
        """Every node that is known."""
        return {*self.seeds, *(address for _, _, address in self.ranges), *self.unavailable_until}

    def find(self, slot: int) -> NodeAddress:
        """The node that has a slot."""
        if slot in self.moved:
            return self.moved[slot]
        for first, last, address in self.ranges:
            if first <= slot <= last:
                return address
        raise exceptions.ConnectionError(f"no node of the cluster has slot {slot}")

    def choose(self, layouts: Sequence[list[SlotRange]]) -> None:
        """Believe, of what nodes tell, what names the fewest slots of nodes that are away."""
        if layouts:
            self.ranges = min(layouts, key=self._slots_away)
            self.moved.clear()

    def _slots_away(self, ranges: list[SlotRange]) -> int:
        return sum(last - first for first, last, address in ranges if address in self.unavailable_until)


class ClusterConnections:
    """The lines of one event loop to the nodes of a cluster."""

    def __init__(
        self,
        slot_map: SlotMap,
        replication: ReplicationPolicy | None = None,
        silence: float = SILENCE_TIMEOUT,
    ) -> None:
        self._slot_map = slot_map
        self._copies = replication
        self._silence = silence + (replication.milliseconds / 1000 if replication else 0.0)
        self._loop = asyncio.get_running_loop()
        self._lines: dict[NodeAddress, PipelinedConnection] = {}
        self._discovery: asyncio.Task[None] | None = None
        self.scripts: dict[str, str] = {}
        """The texts of scripts by their hashes: nodes that do not know one are told."""

    def close(self) -> None:
        """Let go of all connections."""
        if self._discovery:
            self._discovery.cancel()
        for line in self._lines.values():
            line.close()

    # -- asking -----------------------------------------------------------------------------------------------------

    async def ask(self, command: Command) -> Any:
        """The answer to a command; an error of the store that is about the command is a value of it, not raised."""
        slot = command_slot(command)
        until = self._loop.time() + self._slot_map.patience
        there: NodeAddress | None = None
        while True:
            address = there or await self._address_of(slot)
            answer = await self._try(address, command, asking=there is not None)
            there = None
            match answer:
                case exceptions.MovedError():
                    self._slot_map.moved[slot] = NodeAddress(answer.host or address.host, answer.port)
                    self._rediscover_soon()
                    await asyncio.sleep(REDIRECT_PAUSE)
                case exceptions.AskError():
                    there = NodeAddress(answer.host or address.host, answer.port)
                case exceptions.NoScriptError() if command[1] in self.scripts:
                    command = ("EVAL", self.scripts[command[1]], *command[2:])
                    continue  # however late it is: the node that took over answers, it only lacks the script
                case exceptions.TimeoutError():
                    raise self._mark_unavailable(address, answer)
                case exceptions.ConnectionError() if self._loop.time() >= until:
                    raise self._mark_unavailable(address, answer)
                case _ if isinstance(answer, (exceptions.ConnectionError, *RETRIED_ERRORS)):
                    self._rediscover_soon()
                    await asyncio.sleep(SLOT_MOVING.first)
                case _:
                    return answer
            if self._loop.time() >= until:
                raise exceptions.TryAgainError("a slot moves") if isinstance(answer, REDIRECTED) else answer

    async def _try(self, address: NodeAddress, command: Command, *, asking: bool) -> Any:
        """The answer of this node, or why there is none.

        One that was away is tried by one who asks; the others are told meanwhile that it is.
        """
        sick = self._slot_map.unavailable_until
        recovering = address in sick
        if recovering:
            if self._loop.time() < sick[address]:
                self._rediscover_soon()
                raise exceptions.ConnectionError(f"{address.host}:{address.port} is away")
            sick[address] = self._loop.time() + PROBE_TIMEOUT
        try:
            async with asyncio.timeout(PROBE_TIMEOUT if recovering else None):
                answer = await self._send(self._line(address), command, asking=asking)
        except (*CONNECTION_LOST, TimeoutError) as error:
            return (
                error if isinstance(error, CONNECTION_LOST) else exceptions.TimeoutError("it is still away")
            )
        sick.pop(address, None)
        return answer

    async def _send(self, line: PipelinedConnection, command: Command, *, asking: bool) -> Any:
        if not asking:
            return await line.send(command)
        _, answer = await asyncio.gather(line.send(("ASKING",)), line.send(command))
        return answer

    def _mark_unavailable(self, address: NodeAddress, error: Exception) -> Exception:
        self._slot_map.unavailable_until[address] = self._loop.time() + UNAVAILABLE_SECONDS
        self._rediscover_soon()
        return error

    def _line(self, address: NodeAddress) -> PipelinedConnection:
        if address not in self._lines:
            self._lines[address] = PipelinedConnection(
                url_at(self._slot_map.template, address), self._silence, self._copies
            )
        return self._lines[address]

    # -- who has which slots ----------------------------------------------------------------------------------------

    async def _address_of(self, slot: int) -> NodeAddress:
        if not self._slot_map.ranges:
            self._rediscover_soon()
            assert self._discovery
            await asyncio.shield(self._discovery)
        return self._slot_map.find(slot)

    def _rediscover_soon(self) -> None:
        if self._discovery is None or self._discovery.done():
            self._discovery = self._loop.create_task(self._discover())

    async def _discover(self) -> None:
        """Ask every node that is known who has what."""
        inquiries = [self._loop.create_task(self._told_by(each)) for each in self._slot_map.nodes()]
        done, late = await asyncio.wait(inquiries, timeout=DISCOVERY_TIMEOUT)
        for task in late:
            task.cancel()
        self._slot_map.choose([ranges for task in done if (ranges := task.result())])
        await asyncio.sleep(SLOT_MOVING.first)  # whatever happens, nobody is asked more often than this

    async def _told_by(self, address: NodeAddress) -> list[SlotRange]:
        try:
            rows = await self._line(address).send(("CLUSTER SLOTS",))
        except CONNECTION_LOST:
            return []
        if isinstance(rows, Exception):
            return []
        return [
            (first, last, NodeAddress((node[0] or b"").decode() or address.host, node[1]))
            for first, last, node, *_ in rows
        ]


def read_node_address(url: str) -> NodeAddress:
    parts = urlsplit(url)
    return NodeAddress(parts.hostname or "127.0.0.1", parts.port or 6379)


def url_at(template: str, address: NodeAddress) -> str:
    """The address of another node, with the password and all else as for the first."""
    parts = urlsplit(template)
    person, at, _ = parts.netloc.rpartition("@")
    host = f"[{address.host}]" if ":" in address.host else address.host
    return urlunsplit(parts._replace(netloc=f"{person}{at}{host}:{address.port}"))


async def gather_answers(
    lines: ClusterConnections, commands: Sequence[Command], deadline: float | None = None
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
    return [task_result(task) for task in tasks]


def task_result(task: asyncio.Future[Any]) -> Any:
    if not task.done():
        return exceptions.TimeoutError("a part of the store has not answered in time")
    if task.cancelled():
        return exceptions.ConnectionError("the process is about to stop")
    return task.exception() or task.result()
