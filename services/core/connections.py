"""The store, its ledger and the workers' queue, as the settings name them."""

import logging
from typing import Any

from redis import BlockingConnectionPool, Redis, exceptions
from redis.cluster import RedisCluster

from events.clocks import Patience
from events.scribe import Scribe
from events.store import Client, EventStore
from games import RULESETS
from games.kernel import Registry
from projections.store import ProjectionStore
from services.core.archive import FileArchive
from services.core.datadir import embedded_url
from services.core.ledger import Ledger
from services.core.settings import CannotStart, Settings, archive_dir

log = logging.getLogger(__name__)

AWAY = (
    exceptions.ConnectionError,
    exceptions.TimeoutError,
    exceptions.ClusterError,
    exceptions.TryAgainError,
    exceptions.RedisClusterException,  # no node of a cluster answers; it is no RedisError
)
"""What says that the store is away, not that something is wrong with a game or a request."""
CONNECTIONS = 64
TIMEOUT = 5.0
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 1.0
"""Seconds between two attempts to reach a store that is away."""


class Pauses:
    """The growing pauses between attempts to reach a store that is away; told once, not at every attempt."""

    def __init__(self, reader: str) -> None:
        self._reader = reader
        self._seconds = FIRST_PAUSE

    def next(self, error: Exception) -> float:
        """How many seconds to wait now."""
        if self._seconds == FIRST_PAUSE:
            log.warning("%s: the store is away: %s", self._reader, type(error).__name__)
        seconds, self._seconds = self._seconds, min(2 * self._seconds, LONGEST_PAUSE)
        return seconds

    def over(self) -> None:
        """The store is there."""
        if self._seconds != FIRST_PAUSE:
            log.warning("%s: the store is back", self._reader)
            self._seconds = FIRST_PAUSE


def store_url(settings: Settings) -> str:
    """Where the store is: the one given, or the embedded one of the data directory."""
    return settings.store_url or embedded_url(settings.data_dir)


def connect(url: str) -> Client:
    """A client of the store: requests wait for a free connection rather than fail."""
    options: dict[str, Any] = {"socket_timeout": TIMEOUT, "socket_connect_timeout": TIMEOUT}
    pool = BlockingConnectionPool.from_url(url, max_connections=CONNECTIONS, timeout=TIMEOUT, **options)
    client = Redis(connection_pool=pool)
    if client.info("cluster").get("cluster_enabled"):
        client.close()
        return RedisCluster.from_url(url, max_connections=CONNECTIONS, **options)
    return client


def open_ledger(
    settings: Settings,
    rulesets: Registry = RULESETS,
    client: Client | None = None,
    scribe: Scribe | None = None,
) -> Ledger:
    """The games of the store that the settings name."""
    client = client or connect(store_url(settings))
    patience = Patience(settings.open_game_ttl, settings.seal_ttl)
    store = EventStore(client, FileArchive(archive_dir(settings)))
    return Ledger(store, ProjectionStore(client, rulesets, patience), scribe)


def connect_queue(settings: Settings) -> Redis:
    """A client of the plain server that the workers' queue is on."""
    client = connect(settings.queue_url or store_url(settings))
    if isinstance(client, RedisCluster):
        raise CannotStart(
            "The workers' queue cannot run on a cluster: set STELE_QUEUE_URL to a plain Redis or Valkey."
        )
    return client
