"""Connections to the store and the queue as the settings name them: connection pool, replication."""

import asyncio
from typing import Any

from redis import BlockingConnectionPool, ConnectionPool, Redis
from redis.client import Pipeline
from redis.cluster import RedisCluster
from redis.maint_notifications import MaintNotificationsConfig

from events.batch import EntryFactory
from events.clocks import Patience
from events.store import Client, EventStore
from events.store_errors import UNAVAILABLE
from games import RULESETS
from games.kernel import Registry
from projections.store import ProjectionStore
from services.core.archive import FileArchive
from services.core.cluster import ANSWER_TIMEOUT
from services.core.cluster_clients import ClusterClient
from services.core.datadir import embedded_url
from services.core.greenlet_bridge import await_, in_loop
from services.core.ledger import Ledger
from services.core.pipelining import ParsedReply, PipelinedConnection, ReplicationPolicy
from services.core.settings import CannotStart, Settings, archive_dir, log_dir
from services.core.warm_decoders import warm_decoders

POOL_SIZE = 64
TIMEOUT = 5.0
CLIENT_OPTIONS: dict[str, Any] = {
    "socket_timeout": TIMEOUT,
    "socket_connect_timeout": TIMEOUT,
    "maint_notifications_config": MaintNotificationsConfig(enabled=False),
}
"""Where a server might tell of its maintenance, redis-py would not look whether a connection holds an old answer."""
REPLICATION_TIMEOUT_MS = 1_000
"""How long an append waits for its replicas."""


def store_url(settings: Settings) -> str:
    """Where the store is: the one given, or the embedded one of the data directory."""
    return settings.store_url or embedded_url(settings.data_dir)


class StoreClient(Redis):
    """A client of a single server that knows where it runs.

    In an event loop with an open line, commands go over the line, and whoever gave them rests until the answer is
    there; everywhere else they go over a connection of the pool, and block. With `copies`, what it writes has reached
    so many replicas when there is an answer.
    """

    def __init__(self, url: str, pool: ConnectionPool, replication: ReplicationPolicy | None = None) -> None:
        super().__init__(connection_pool=pool)
        self._url = url
        self._copies = replication
        self._line: PipelinedConnection | None = None

    @property
    def url(self) -> str:
        """The address that it has found, of those that were named."""
        return self._url

    def open_loop_connection(self) -> None:
        """From now on, requests of the running loop have a line of their own."""
        self._line = PipelinedConnection(self._url, TIMEOUT, self._copies)

    def close_loop_connection(self) -> None:
        if self._line:
            self._line.close()

    def clone(self, replication: ReplicationPolicy | None = None) -> "StoreClient":
        """A client of the same server with a line of its own, for what must not wait behind the rest."""
        return StoreClient(self._url, self.connection_pool, replication)

    def execute_command(self, *args: Any, **options: Any) -> Any:
        if self._line is not None and in_loop():
            return self._read(args, await_(self._line.send(args)), options)
        if self._copies is None:
            return super().execute_command(*args, **options)  # type: ignore[no-untyped-call]  # of redis-py
        return self._execute_replicated(self._copies, args, options)

    def _execute_replicated(
        self, replication: ReplicationPolicy, args: tuple[Any, ...], options: dict[str, Any]
    ) -> Any:
        """A command and, on the same connection, the WAIT that speaks for it."""
        with super().pipeline(transaction=False) as pipe:
            pipe.execute_command(*args, **options)  # type: ignore[no-untyped-call]  # of redis-py
            pipe.execute_command(*replication.command)  # type: ignore[no-untyped-call]  # of redis-py
            answer, reached = pipe.execute(raise_on_error=False)
        if isinstance(answer, Exception):
            raise answer
        if problem := replication.check(reached):
            raise problem
        return answer

    def pipeline(self, transaction: bool = True, shard_hint: Any = None) -> Pipeline:
        return StorePipeline(self, self.connection_pool, self.response_callbacks, transaction, shard_hint)

    def execute_all(self, commands: list[tuple[Any, dict[str, Any]]]) -> list[Any] | None:
        """The answers to several commands, sent together; None where there is no line to send them over."""
        if self._line is None or not in_loop():
            return None
        sent = [self._line.send(args) for args, _ in commands]
        answers = await_(asyncio.gather(*sent))
        return [
            self._read(args, answer, options)
            for (args, options), answer in zip(commands, answers, strict=True)
        ]

    def _read(self, args: tuple[Any, ...], answer: Any, options: dict[str, Any]) -> Any:
        if isinstance(answer, Exception) or options:
            return self.parse_response(ParsedReply(answer), args[0], **options)  # type: ignore[no-untyped-call]  # of redis-py
        callback = self.response_callbacks.get(args[0])  # type: ignore[no-untyped-call]  # of redis-py
        return callback(answer) if callback else answer


class StorePipeline(Pipeline):
    """Commands that go out together; those of a transaction never come from the loop."""

    def __init__(self, client: StoreClient, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._client = client
        self._alone = bool(arguments[2])

    def execute(self, raise_on_error: bool = True) -> list[Any]:
        if not self._alone and (answers := self._client.execute_all(self.command_stack)) is not None:
            self.reset()
            return answers
        return super().execute(raise_on_error)


def connect(urls: str, patience: float = ANSWER_TIMEOUT) -> Client:
    """A client of the store, by any of its addresses that answers: requests wait for a free connection rather than fail.

    On a cluster, answers of nodes that are away are looked for as long as there is `patience`.
    """
    problem: Exception | None = None
    for url in urls.split(","):
        pool = BlockingConnectionPool.from_url(
            url, max_connections=POOL_SIZE, timeout=TIMEOUT, **CLIENT_OPTIONS
        )
        client = StoreClient(url, pool)
        try:
            clustered = client.info("cluster").get("cluster_enabled")
        except UNAVAILABLE as error:
            problem = error
            continue
        if clustered:
            client.close()
            return ClusterClient(urls, patience=patience)
        return client
    assert problem, "there is at least one address"
    raise problem


def replication_policy(settings: Settings) -> ReplicationPolicy | None:
    """How many replicas an append waits for, if it does."""
    return ReplicationPolicy(settings.min_replicas, REPLICATION_TIMEOUT_MS) if settings.min_replicas else None


def open_ledger(
    settings: Settings,
    rulesets: Registry = RULESETS,
    client: Client | None = None,
    entry_factory: EntryFactory | None = None,
) -> Ledger:
    """The games of the store that the settings name."""
    warm_decoders(rulesets)
    client = client or connect(store_url(settings))
    patience = Patience(
        open_game=settings.open_game_ttl,
        seal=settings.seal_ttl,
        idle_game=settings.idle_game_ttl,
        max_entries=settings.max_entries,
        anonymous_open_game=settings.anonymous_open_game_ttl,
    )
    replication = replication_policy(settings)
    appends = client.clone(replication) if isinstance(client, StoreClient | ClusterClient) else client
    store = EventStore(
        client,
        FileArchive(archive_dir(settings)),
        appends,
        replicated=replication is not None,
        logged=log_dir(settings) is not None,
    )
    return Ledger(store, ProjectionStore(client, rulesets, patience), entry_factory)


def connect_queue(settings: Settings) -> Redis:
    """A client of the plain server that the workers' queue is on."""
    client = connect(settings.queue_url or store_url(settings))
    if isinstance(client, RedisCluster):
        raise CannotStart(
            "The workers' queue cannot run on a cluster: set STELE_QUEUE_URL to a plain Redis or Valkey."
        )
    return client
