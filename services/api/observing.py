"""Every request is logged and counted: by its route, never by its query, which may hold a ticket."""

import logging
import re
import secrets
import time
from functools import lru_cache
from itertools import count
from typing import Any

from flask import Flask, Request, Response
from prometheus_client import Counter

from services.api.context import this_request
from services.core import metrics
from services.core.logs import REQUEST_ID

BEGAN = "stele.began"
"""In the environ of a request: when it came."""
HERE, NUMBERS = secrets.token_hex(4), count(1)
"""The name of a request that brings none: this process, and a number."""
GOOD_ID = re.compile(r"[A-Za-z0-9_.-]{1,64}")

log = logging.getLogger("stele.request")


def observe(app: Flask) -> None:
    """Log and count what this application answers."""

    @app.before_request
    def begin() -> None:
        current = this_request()
        wanted_id = current.header("X_REQUEST_ID")
        is_good = wanted_id and GOOD_ID.fullmatch(wanted_id)
        REQUEST_ID.set(wanted_id if is_good else f"{HERE}-{next(NUMBERS)}")
        current.environ[BEGAN] = time.perf_counter()

    @app.after_request
    def end(response: Response) -> Response:
        current, now = this_request(), time.perf_counter()
        seconds = now - current.environ.get(BEGAN, now)
        route = current.url_rule.rule if current.url_rule else "(none)"
        # a method without a route is not named: callers could make up labels without end
        method = current.method if current.url_rule else "(any)"
        counter(method, route, response.status_code).inc()
        if method == "POST" and route.endswith("/actions"):
            metrics.ACTION_SECONDS.observe(seconds)
        if current.header("X_REQUEST_ID") and (request_id := REQUEST_ID.get()):
            response.headers["X-Request-ID"] = request_id
        if log.isEnabledFor(logging.INFO):
            log.info("request", extra={"members": line_of(current, route, response.status_code, seconds)})
        return response


@lru_cache
def counter(method: str, route: str, status: int) -> Counter:
    """Where requests of this kind are counted."""
    return metrics.REQUESTS.labels(method, route, status)


def line_of(current: Request, route: str, status: int, seconds: float) -> dict[str, Any]:
    """The line that is logged of a request."""
    line = {"method": current.method, "route": route, "status": status, "ms": round(seconds * 1000, 1)}
    game = (current.view_args or {}).get("game_id")
    return line | {"game": game} if game else line
