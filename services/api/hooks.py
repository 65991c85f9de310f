"""What every request passes: it is named, counted and logged, its query checked, and what goes wrong is explained."""

import logging
import re
import secrets
from functools import lru_cache
from itertools import count
from typing import Any

from prometheus_client import Counter

from events.tombstones import ArchiveUnavailable
from games.kernel import UnknownRuleset
from services.api.problems import explain, missing, unforeseen
from services.api.requests import refuse_unknown_parameters, without_archive, without_rules
from services.core import metrics
from services.core.logs import REQUEST_ID
from services.http.messages import Request, Response

log = logging.getLogger("stele.request")

EXPOSED = "ETag, Location, Idempotent-Replayed, Retry-After, RateLimit, RateLimit-Policy"
HERE, NUMBERS = secrets.token_hex(4), count(1)
"""The name of a request that brings none: this process, and a number."""
GOOD_ID = re.compile(r"[A-Za-z0-9_.-]{1,64}")
ALLOWED = ", ".join(
    (
        "Authorization",
        "Content-Type",
        "Idempotency-Key",
        "If-Match",
        "If-None-Match",
        "Last-Event-ID",
        "Prefer",
        "Stele-Signature",
    )
)


class ApiHooks:
    """The hooks of the API (`services.http.application.Hooks`)."""

    def __init__(self, cors_origins: tuple[str, ...]) -> None:
        self._origins = cors_origins

    def begin(self, request: Request) -> None:
        wanted_id = request.headers.get("x-request-id")
        is_good = wanted_id and GOOD_ID.fullmatch(wanted_id)
        REQUEST_ID.set(wanted_id if is_good else f"{HERE}-{next(NUMBERS)}")

    def check(self, request: Request) -> None:
        if request.query:
            refuse_unknown_parameters(request)

    def explain(self, request: Request, error: Exception) -> Response:
        return explained(request, error)

    def missing(self, request: Request, allowed: list[str]) -> Response:
        return missing(request.method, allowed)

    def end(self, request: Request, answer: Response, seconds: float) -> Response:
        if self._origins:
            answer = allow_origin(request, answer, self._origins)
        if request.query:  # no browser hands on an address that holds a ticket or the code of a private game
            answer = answer.with_headers(referrer_policy="no-referrer")
        count_request(request, answer.status, seconds)
        if "x-request-id" in request.headers and (request_id := REQUEST_ID.get()):
            return answer.with_headers(x_request_id=request_id)
        return answer


def explained(request: Request, error: Exception) -> Response:
    """The answer to an error, whatever it is."""
    try:
        match error:
            case UnknownRuleset():
                return without_rules(error)
            case ArchiveUnavailable():
                return without_archive(error)
        return explain(error)
    except Exception as another:
        return unforeseen(request, another)


def allow_origin(request: Request, answer: Response, origins: tuple[str, ...]) -> Response:
    """Let pages of these origins read an answer (CORS)."""
    origin = request.headers.get("origin")
    answer = answer.varying("Origin")
    if not origin or ("*" not in origins and origin not in origins):
        return answer
    headers = {"access_control_allow_origin": origin, "access_control_expose_headers": EXPOSED}
    if request.method == "OPTIONS":
        headers["access_control_allow_methods"] = "GET, POST, PUT, DELETE, OPTIONS"
        headers["access_control_allow_headers"] = ALLOWED
        headers["access_control_max_age"] = "86400"
    return answer.with_headers(**headers)


def count_request(request: Request, status: int, seconds: float) -> None:
    """Log and count a request that is answered: by route, never by query, which may hold a ticket."""
    route = request.route.path if request.route else "(none)"
    # a method without a route is not named: callers could make up labels without end
    method = request.method if request.route else "(any)"
    counter(method, route, status).inc()
    if method == "POST" and route.endswith("/actions"):
        metrics.ACTION_SECONDS.observe(seconds)
    if log.isEnabledFor(logging.INFO):
        log.info("request", extra={"members": line_of(request, route, status, seconds)})


@lru_cache
def counter(method: str, route: str, status: int) -> Counter:
    """Where requests of this kind are counted."""
    return metrics.REQUESTS.labels(method, route, status)


def line_of(request: Request, route: str, status: int, seconds: float) -> dict[str, Any]:
    """The line that is logged of a request."""
    line = {"method": request.method, "route": route, "status": status, "ms": round(seconds * 1000, 1)}
    game = request.arguments.get("game_id")
    return line | {"game": game} if game else line
