"""Clients of a cluster: `ClusterClient` for threads and loop greenlets, `ClusterReader` for coroutines."""

import asyncio
import threading
from collections.abc import Coroutine, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from hashlib import sha1
from typing import Any, TypeVar, cast

from redis import Redis
from redis.asyncio import Redis as AsyncRedis
from redis.asyncio.client import Pipeline as AsyncPipeline
from redis.client import Pipeline
from redis.cluster import RedisCluster

from events.store_errors import UNAVAILABLE
from services.core.cluster import (
    ANSWER_TIMEOUT,
    SILENCE_TIMEOUT,
    ClusterConnections,
    SlotMap,
    command_key,
    gather_answers,
)
from services.core.greenlet_bridge import await_, in_loop
from services.core.pipelining import Command, ParsedReply, ReplicationPolicy

T = TypeVar("T")


class BackgroundLoop:
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


BACKGROUND_LOOP = BackgroundLoop()


class ClusterClient(RedisCluster):
    """A client of a cluster that knows where it runs; of redis-py's own it has the commands, not the connections."""

    def __init__(
        self,
        urls: str,
        replication: ReplicationPolicy | None = None,
        slot_map: SlotMap | None = None,
        patience: float = ANSWER_TIMEOUT,
    ) -> None:
        self._urls = urls
        self._copies = replication
        self._slot_map = slot_map or SlotMap(urls, patience)
        self._reader = Redis.from_url(self._slot_map.template)
        """Reads answers, and never connects."""
        self._in_loop: ClusterConnections | None = None
        self._elsewhere: ClusterConnections | None = None
        self._scripts: dict[str, str] = {}

    def clone(self, replication: ReplicationPolicy | None = None) -> "ClusterClient":
        """A client of the same cluster with lines of its own, for what must not wait behind the rest."""
        return ClusterClient(self._urls, replication, self._slot_map)

    @property
    def patience(self) -> float:
        """How many seconds an answer is looked for while nodes are away."""
        return self._slot_map.patience

    def open_loop_connection(self) -> None:
        """From now on, requests of the running loop have lines of their own."""
        self._in_loop = self._new_lines()

    def close_loop_connection(self) -> None:
        if self._in_loop:
            self._in_loop.close()
            self._in_loop = None

    def _new_lines(self) -> ClusterConnections:
        lines = ClusterConnections(self._slot_map, self._copies)
        lines.scripts = self._scripts
        return lines

    def close(self) -> None:
        async def hang_up() -> None:
            if self._elsewhere:
                self._elsewhere.close()
                self._elsewhere = None

        if self._elsewhere:
            BACKGROUND_LOOP.run(hang_up())

    def __del__(self) -> None:
        """Connections end with the process, or by `close`."""

    # -- commands ---------------------------------------------------------------------------------------------------

    def execute_command(self, *args: Any, **options: Any) -> Any:
        if command_key(args) is None:
            return self._whole.execute_command(*args, **options)  # type: ignore[no-untyped-call]  # of redis-py
        (answer,) = self._ask([args])
        return self._read(args, answer, options)

    def execute_all(
        self, commands: Sequence[tuple[Any, dict[str, Any]]], deadline: float | None = None
    ) -> list[Any]:
        """The answers to several commands, each an error if it failed, or was late: one that does harms no other."""
        answers = self._ask([args for args, _ in commands], deadline)
        results = []
        for (args, options), answer in zip(commands, answers, strict=True):
            try:
                results.append(self._read(args, answer, options))
            except Exception as error:
                results.append(error)
        return results

    def _ask(self, commands: list[Command], deadline: float | None = None) -> list[Any]:
        if self._in_loop and in_loop():
            return await_(gather_answers(self._in_loop, commands, deadline))
        return BACKGROUND_LOOP.run(self._ask_elsewhere(commands, deadline))

    async def _ask_elsewhere(self, commands: list[Command], deadline: float | None) -> list[Any]:
        if self._elsewhere is None:
            self._elsewhere = self._new_lines()
        return await gather_answers(self._elsewhere, commands, deadline)

    def _read(self, args: Command, answer: Any, options: Mapping[str, Any]) -> Any:
        return self._reader.parse_response(ParsedReply(answer), args[0], **options)  # type: ignore[no-untyped-call]  # of redis-py

    def delete(self, *keys: Any) -> Any:
        """The keys of one command of ours always lie in one slot; redis-py would ask for each slot by itself."""
        return self.execute_command("DEL", *keys)

    def exists(self, *keys: Any) -> Any:
        """As `delete`."""
        return self.execute_command("EXISTS", *keys)

    def pipeline(self, transaction: bool | None = None, shard_hint: Any = None) -> Any:
        return ClusterPipeline(self)

    # -- scripts, and what has no key -------------------------------------------------------------------------------

    def script_load(self, script: Any) -> str:
        """Remember a script: each node is taught it when it does not know it, as one that has just taken over."""
        sha = sha1(script.encode(), usedforsecurity=False).hexdigest()
        self._scripts[sha] = script
        return sha

    @cached_property
    def _whole(self) -> RedisCluster:
        """redis-py's own client, for what concerns all nodes; by the first address that answers."""
        *others, last = self._urls.split(",")
        for url in others:
            with suppress(*UNAVAILABLE):
                return RedisCluster.from_url(url)
        return RedisCluster.from_url(last)

    def scan_iter(self, *arguments: Any, **named: Any) -> Iterable[Any]:  # type: ignore[override]  # of redis-py
        return cast(Iterable[Any], self._whole.scan_iter(*arguments, **named))


class ClusterPipeline(Pipeline):
    """Commands that go out together, to each node its own; they are no transaction."""

    def __init__(self, client: ClusterClient) -> None:
        super().__init__(client._reader.connection_pool, client._reader.response_callbacks, False, None)
        self._client = client

    def execute(self, raise_on_error: bool = True) -> list[Any]:
        commands = list(self.command_stack)
        self.reset()
        answers = self._client.execute_all(commands, None if raise_on_error else self._client.patience)
        for answer in answers if raise_on_error else ():
            if isinstance(answer, Exception):
                raise answer
        return answers


class ClusterReader(AsyncRedis):
    """A client of a cluster for coroutines: each command goes to its node."""

    def __init__(self, urls: str, silence: float = SILENCE_TIMEOUT, slot_map: SlotMap | None = None) -> None:
        self._slot_map = slot_map or SlotMap(urls)
        source = AsyncRedis.from_url(self._slot_map.template)
        super().__init__(connection_pool=source.connection_pool)
        self._urls = urls
        self._silence = silence
        self._lines: ClusterConnections | None = None

    def clone(self, silence: float) -> "ClusterReader":
        """One with lines of its own, which may wait so long without keeping others waiting."""
        return ClusterReader(self._urls, silence, self._slot_map)

    async def execute_command(self, *args: Any, **options: Any) -> Any:
        answer = await self.lines.ask(args)
        return self.read(args, answer, options)

    @property
    def lines(self) -> ClusterConnections:
        if self._lines is None:
            self._lines = ClusterConnections(self._slot_map, silence=self._silence)
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
        deadline = None if raise_on_error else ANSWER_TIMEOUT
        answers = await gather_answers(self._client.lines, [args for args, _ in commands], deadline)
        return [
            answer
            if isinstance(answer, Exception) and not raise_on_error
            else self._client.read(args, answer, options)
            for (args, options), answer in zip(commands, answers, strict=True)
        ]
