"""Is the server alive, and can it serve?"""

from typing import Any

from flask import Response
from redis.exceptions import RedisError

from services.api.answers import answer
from services.api.context import context
from services.api.requests import StrictBlueprint
from services.api.schemas import HealthSchema, ReadySchema

blueprint = StrictBlueprint("health", __name__, description="For those who run the server.")


@blueprint.route("/healthz")
@blueprint.response(200, HealthSchema)
def alive() -> Response:
    """This process answers."""
    return answer({"status": "ok"})


@blueprint.route("/readyz")
@blueprint.response(200, ReadySchema)
@blueprint.alt_response(503, schema=ReadySchema, description="Not now, and why.")
def ready() -> Response:
    """The store answers and there is room to write."""
    here = context()
    checks: dict[str, Any] = {"store": "ok", "disk": "full" if here.disk and here.disk.full() else "ok"}
    try:
        here.store.client.ping()
    except RedisError as error:
        checks["store"] = type(error).__name__
    good = set(checks.values()) == {"ok"}
    return answer({"ready": good, "checks": checks}, 200 if good else 503)
