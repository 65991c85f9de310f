"""The API as a server process: granian in front, its event loop for live streams, threads for Flask."""

from granian import Granian
from granian.constants import Interfaces
from granian.log import LogLevels
from redis.cluster import RedisCluster

from services.api.app import create_app
from services.api.wiring import make_context
from services.core.connections import store_url
from services.core.logs import log_to_stderr
from services.core.settings import Settings, read_settings
from services.front.live import Live
from services.front.rsgi import CONNECTIONS, Front

SECONDS_TO_STOP = 2


def front() -> Front:
    """What each server process runs."""
    settings = read_settings()
    log_to_stderr(settings.log_level)
    context = make_context(settings)
    clustered = isinstance(context.store.client, RedisCluster)
    live = Live(store_url(settings), context.rulesets, clustered=clustered, archive=context.store.archive)
    return Front(create_app(context), live)


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
