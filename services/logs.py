"""Structured logs: one JSON object a line, each with the request it belongs to. Nothing secret is ever logged."""

import json
import logging
import re
import secrets
import sys
import time
from contextvars import ContextVar
from typing import Any

from flask import Flask, Response, g, request

from services import metrics

REQUEST_ID: ContextVar[str | None] = ContextVar("request_id", default=None)
GOOD_ID = re.compile(r"[A-Za-z0-9_.-]{1,64}")

log = logging.getLogger("stele.request")


class JsonLines(logging.Formatter):
    """A log record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
            + f".{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if request_id := REQUEST_ID.get():
            line["request_id"] = request_id
        line |= getattr(record, "told", {})
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def log_to_stderr(level: str) -> None:
    """Send the logs of this process to stderr, as JSON, from this level on."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)


def observe(app: Flask) -> None:
    """Log and count every request: by its route, never by its query, which may hold a ticket."""

    @app.before_request
    def begin() -> None:
        given = request.headers.get("X-Request-ID", "")
        REQUEST_ID.set(given if GOOD_ID.fullmatch(given) else secrets.token_hex(8))
        g.began = time.perf_counter()

    @app.after_request
    def end(response: Response) -> Response:
        seconds = time.perf_counter() - g.get("began", time.perf_counter())
        route = request.url_rule.rule if request.url_rule else "(none)"
        # a method without a route is not named: callers could make up labels without end
        method = request.method if request.url_rule else "(any)"
        metrics.REQUESTS.labels(method, route, response.status_code).inc()
        if request.method == "POST" and route.endswith("/actions"):
            metrics.ACTION_SECONDS.observe(seconds)
        if "X-Request-ID" in request.headers and (request_id := REQUEST_ID.get()):
            response.headers["X-Request-ID"] = request_id
        if log.isEnabledFor(logging.INFO):
            log.info("request", extra={"told": told(route, response.status_code, seconds)})
        return response


def told(route: str, status: int, seconds: float) -> dict[str, Any]:
    """What is logged of a request."""
    line = {"method": request.method, "route": route, "status": status, "ms": round(seconds * 1000, 1)}
    game = (request.view_args or {}).get("game_id")
    return line | {"game": game} if game else line
