"""Request log and metrics: by route, never by query, which may hold a ticket."""

import logging
import re
import secrets
from functools import lru_cache
from itertools import count
from typing import Any

from prometheus_client import Counter

from services.core import metrics
from services.core.logs import REQUEST_ID
from services.http.messages import Request, Response

HERE, NUMBERS = secrets.token_hex(4), count(1)
"""The name of a request that brings none: this process, and a number."""
GOOD_ID = re.compile(r"[A-Za-z0-9_.-]{1,64}")

log = logging.getLogger("stele.request")


def begin(request: Request) -> None:
    """Give a request its name."""
    wanted_id = request.headers.get("x-request-id")
    is_good = wanted_id and GOOD_ID.fullmatch(wanted_id)
    REQUEST_ID.set(wanted_id if is_good else f"{HERE}-{next(NUMBERS)}")


def end(request: Request, response: Response, seconds: float) -> Response:
    """Log and count a request that is answered."""
    route = request.route.path if request.route else "(none)"
    # a method without a route is not named: callers could make up labels without end
    method = request.method if request.route else "(any)"
    counter(method, route, response.status).inc()
    if method == "POST" and route.endswith("/actions"):
        metrics.ACTION_SECONDS.observe(seconds)
    if log.isEnabledFor(logging.INFO):
        log.info("request", extra={"members": line_of(request, route, response.status, seconds)})
    if "x-request-id" in request.headers and (request_id := REQUEST_ID.get()):
        return response.with_headers(x_request_id=request_id)
    return response


@lru_cache
def counter(method: str, route: str, status: int) -> Counter:
    """Where requests of this kind are counted."""
    return metrics.REQUESTS.labels(method, route, status)


def line_of(request: Request, route: str, status: int, seconds: float) -> dict[str, Any]:
    """The line that is logged of a request."""
    line = {"method": request.method, "route": route, "status": status, "ms": round(seconds * 1000, 1)}
    game = request.arguments.get("game_id")
    return line | {"game": game} if game else line
