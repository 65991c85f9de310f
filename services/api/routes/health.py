"""Is the server alive, and can it serve?"""

from typing import Any

from flask import Response
from msgspec.structs import asdict
from redis.exceptions import RedisError

from events.weather import AWAY
from projections.health import backlog
from services.api.answers import answer
from services.api.context import context
from services.api.requests import StrictBlueprint
from services.api.schemas.server import HealthSchema, ReadySchema
from services.core.memory import fill_of
from services.core.metrics import CONTENT_TYPE_LATEST, exposition

blueprint = StrictBlueprint("health", __name__, description="For those who run the server.")


@blueprint.route("/healthz")
@blueprint.refuses()
@blueprint.response(200, HealthSchema)
def alive() -> Response:
    """This process answers."""
    return answer({"status": "ok"})


@blueprint.route("/readyz")
@blueprint.refuses()
@blueprint.response(200, ReadySchema)
@blueprint.alt_response(503, schema=ReadySchema, description="Not now, and why.")
def ready() -> Response:
    """The store answers, all of it or in part; and how far the workers are behind, whether there is room to write.

    Everyone may ask, so games are counted and not named: `stele jobs` names those that are stuck.
    """
    here = context()
    checks: dict[str, Any] = {"disk": "full" if here.disk and here.disk.full() else "ok"}
    try:
        waiting = backlog(here.store.client)
        checks |= asdict(waiting) | {"store": "in part" if waiting.missing else "ok"}
        checks["memory"] = fill_of(here.store.client)
    except (RedisError, *AWAY) as error:
        checks["store"] = type(error).__name__
    good = checks["store"] in ("ok", "in part")
    return answer({"ready": good, "checks": checks}, 200 if good else 503)


@blueprint.route("/metrics")
@blueprint.refuses("store_unavailable")
@blueprint.response(200, {"type": "string"}, content_type="text/plain", description="For Prometheus.")
def metrics() -> Response:
    """What is counted, in Prometheus' text format."""
    return Response(exposition(backlog(context().store.client)), content_type=CONTENT_TYPE_LATEST)
