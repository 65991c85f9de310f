"""The API as a server process: granian in front, its event loop for what is quick and for live streams."""

from granian import Granian
from granian.constants import Interfaces
from granian.log import LogLevels
from redis.cluster import RedisCluster

from services.api.app import create_app
from services.api.context import Context
from services.api.lanes import Signs
from services.api.wiring import make_context
from services.core.connections import StoreClient, store_url
from services.core.logs import log_to_stderr
from services.core.settings import Settings, read_settings
from services.front.live import Live
from services.front.rsgi import CONNECTIONS, Front

SECONDS_TO_STOP = 2


def front() -> Front:
    """What each server process runs."""
    settings = read_settings()
    log_to_stderr(settings.log_level)
    return make_front(make_context(settings), store_url(settings))


def make_front(context: Context, url: str) -> Front:
    """The front of an API. On a cluster everything runs in threads: its client has no lines."""
    store = context.store
    clustered = isinstance(store.client, RedisCluster)
    live = Live(url, context.rulesets, clustered=clustered, archive=store.archive)
    app = create_app(context)
    lines = [client for client in (store.client, store.appends) if isinstance(client, StoreClient)]
    return Front(app, live, Signs(app), lines)


def serve(settings: Settings) -> None:
    """Serve until told to stop."""
    Granian(
        "services.api.serve:front",
        factory=True,
        interface=Interfaces.RSGI,
        address=settings.host,
        port=settings.port,
        workers=settings.api_processes,
        backpressure=CONNECTIONS,
        websockets=False,
        respawn_failed_workers=True,
        workers_kill_timeout=SECONDS_TO_STOP,
        log_level=LogLevels.warning,
    ).serve()
