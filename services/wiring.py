"""Where things are plugged together: from settings to a store, a ledger and an API."""

from typing import Any

from redis import BlockingConnectionPool, Redis
from redis.cluster import RedisCluster

from events.scribe import Scribe
from events.store import Client, EventStore
from games import RULESETS
from games.kernel import Registry
from projections.lists import Lists
from projections.store import ProjectionStore
from services.api.callers import Doorkeeper
from services.api.context import Context, Disk
from services.datadir import token_key
from services.embedded import store_url
from services.ledger import Ledger
from services.settings import Settings

CONNECTIONS = 64
TIMEOUT = 5.0


def connect(url: str) -> Client:
    """A client of the store: requests wait for a free connection rather than fail."""
    options: dict[str, Any] = {"socket_timeout": TIMEOUT, "socket_connect_timeout": TIMEOUT}
    pool = BlockingConnectionPool.from_url(url, max_connections=CONNECTIONS, timeout=TIMEOUT, **options)
    client = Redis(connection_pool=pool)
    if client.info("cluster").get("cluster_enabled"):
        client.close()
        return RedisCluster.from_url(url, max_connections=CONNECTIONS, **options)
    return client


def make_context(
    settings: Settings,
    rulesets: Registry = RULESETS,
    client: Client | None = None,
    scribe: Scribe | None = None,
) -> Context:
    """Everything that the API of these settings serves with."""
    client = client or connect(store_url(settings))
    store, projections = EventStore(client), ProjectionStore(client, rulesets)
    return Context(
        store=store,
        lists=Lists(client),
        ledger=Ledger(store, projections, scribe),
        rulesets=rulesets,
        door=Doorkeeper(token_key(settings), settings.host_tokens, settings.operator_tokens),
        create=settings.create,
        cors_origins=settings.cors_origins,
        disk=None if settings.store_url else Disk(settings.data_dir, settings.min_free_mb),
    )
