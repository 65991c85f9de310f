"""Is the server alive, and can it serve?"""

import time
from contextlib import suppress
from hmac import compare_digest
from typing import Any

from msgspec.structs import asdict

from events.store_errors import STORE_FAILED
from projections.health import backlog
from services.api.authentication import OperatorCaller, unauthorized
from services.api.context import Context, context
from services.api.limits import read_address
from services.api.requests import bearer
from services.api.responses import json_response
from services.api.returns import TEXT
from services.api.table import TABLE
from services.bodies.server import HealthBody, ReadyBody
from services.core.disk import MB, Disk
from services.core.high_water_mark import HighWaterMark
from services.core.memory import fill_of, store_gauges
from services.core.metrics import CONTENT_TYPE_LATEST, exposition
from services.core.store_files import truncations
from services.http.messages import Response, response, this_request
from services.http.routing import Returns

route = TABLE.section("health")


@route("GET", "/healthz", runs_in="loop", returns={200: Returns(HealthBody)}, sheds_load=False)
def alive() -> Response:
    """This process answers."""
    return json_response(HealthBody(status="ok"))


@route(
    "GET",
    "/readyz",
    returns={200: Returns(ReadyBody), 503: Returns(ReadyBody, description="Not now, and why.")},
)
def ready() -> Response:
    """The store answers, all of it or in part; and how far the workers are behind, whether there is room to write.

    Everyone may ask, so games are counted and not named: `stele jobs` names those that are stuck.
    """
    here = context()
    checks: dict[str, Any] = {"disk": "full" if here.disk and here.disk.full() else "ok"}
    checks |= losses(here.disk)
    try:
        waiting = backlog(here.store.client)
        checks |= asdict(waiting) | {"store": "in part" if waiting.missing else "ok"}
        checks["memory"] = fill_of(here.store.client)
    except STORE_FAILED as error:
        checks["store"] = type(error).__name__
    good = checks["store"] in ("ok", "in part")
    return json_response(ReadyBody(ready=good, checks=checks), 200 if good else 503)


def check_may_read_metrics(here: Context) -> None:
    """Let in who asks from this machine and through no proxy, or brings a token."""
    request = this_request()
    address = read_address(request.peer)
    forwarded = any(name == "forwarded" or name.startswith("x-forwarded-") for name in request.headers)
    if address and address.is_loopback and not forwarded:
        return
    token = bearer()
    if token and here.metrics_token and compare_digest(token.encode(), here.metrics_token.encode()):
        return
    if not isinstance(here.authenticator.identify(token), OperatorCaller):
        raise unauthorized("The metrics need STELE_METRICS_TOKEN or an operator's token.")


def disk_gauges(disk: Disk | None) -> dict[str, float]:
    """Room on the disk of the embedded store, in bytes."""
    return {"disk_free_bytes": disk.free(), "disk_reserve_bytes": disk.min_free_mb * MB} if disk else {}


def losses(disk: Disk | None) -> dict[str, int]:
    """What the files of the embedded store have lost and nobody has acknowledged: torn tails, and games without entries they had."""
    if disk is None:
        return {"truncations": 0, "lost_games": 0}
    return {"truncations": truncations(disk.path), "lost_games": len(HighWaterMark(disk.path).lost())}


@route(
    "GET",
    "/metrics",
    returns={200: Returns(TEXT, description="For Prometheus.", content_type="text/plain")},
    errors=("unauthorized",),
)
def metrics() -> Response:
    """What is counted, in Prometheus' text format: for this machine, and for holders of the metrics token or an operator's.

    While the store is away, `stele_store_up` is 0 and what only the store knows is absent.
    """
    here = context()
    check_may_read_metrics(here)
    state = {"store_up": 0, **losses(here.disk), **disk_gauges(here.disk)}
    lags: dict[str, float] = {}
    with suppress(*STORE_FAILED):
        waiting = backlog(here.store.client)
        lags = here.webhooks.lags(time.time())
        state |= asdict(waiting) | store_gauges(here.store.client)
        state |= {"store_up": 1, "missing_partitions": len(waiting.missing)}
    return response(exposition(state, lags), CONTENT_TYPE_LATEST)
