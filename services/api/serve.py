"""The API as a server process: granian in front, its event loop for what is quick and for live streams."""

from dataclasses import replace
from functools import partial

from granian import Granian
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels
from redis.cluster import RedisCluster

from services.api.app import make_application, wsgi_app
from services.api.context import Context
from services.api.payers import payer_of
from services.api.routes.socket import FOLLOW
from services.api.translation import translate_problem
from services.api.wiring import make_context
from services.core.cluster_clients import ClusterClient
from services.core.connections import StoreClient, store_url
from services.core.logs import log_to_stderr
from services.core.parent_watch import exit_with_parent
from services.core.rasterizing import SandboxedRasterizer
from services.core.sandboxed_audit import SandboxedAuditor
from services.core.settings import Settings, read_settings
from services.front.live import Live
from services.front.open_files import connection_limit, raise_file_limit
from services.front.rsgi import Front
from services.front.sockets import SocketPolicy

SECONDS_TO_STOP = 2
HEADER_SECONDS = 20.0
"""How long a connection may take to send the head of a request, the next one included: silence ends it."""


def front() -> Front:
    """What each server process runs: it ends with the one that began it, so that no orphan holds the port."""
    exit_with_parent()
    settings = read_settings()
    log_to_stderr(settings.log_level)
    context = replace(make_context(settings), examine=SandboxedAuditor(), rasterize=SandboxedRasterizer())
    return make_front(context, store_url(settings))


def make_front(context: Context, url: str) -> Front:
    """The front of an API: what is quick runs in its loop, over lines to the store, to every node of a cluster one."""
    store = context.store
    clustered = isinstance(store.client, RedisCluster)
    patience = context.ledger.patience
    if isinstance(store.client, StoreClient):
        url = store.client.url  # of several that may be named, the one that answered
    live = Live(url, context.rulesets, clustered=clustered, archive=store.archive, patience=patience)
    application = make_application(context)
    clients = (store.client, store.appends)
    lines = [client for client in clients if isinstance(client, StoreClient | ClusterClient)]
    sockets = SocketPolicy(
        FOLLOW,
        context.limits.address,
        context.cors_origins,
        connections=context.limits.sockets,
        follows=context.limits.follows,
        ping_seconds=context.limits.ping_seconds,
    )
    return Front(
        application,
        wsgi_app(application),
        live,
        lines,
        translate_problem,
        sockets,
        partial(payer_of, context),
    )


def serve(settings: Settings) -> None:
    """Serve until told to stop."""
    Granian(
        "services.api.serve:front",
        factory=True,
        interface=Interfaces.RSGI,
        address=settings.host,
        port=settings.port,
        workers=settings.api_processes,
        backpressure=connection_limit(raise_file_limit()),
        http=HTTPModes.http1,
        http1_settings=HTTP1Settings(header_read_timeout=round(1000 * HEADER_SECONDS)),
        respawn_failed_workers=True,
        workers_kill_timeout=SECONDS_TO_STOP,
        log_level=LogLevels.warning,
    ).serve()
