"""Structured logs: one JSON object a line, each with the request it belongs to. Nothing secret is ever logged."""

import json
import logging
import sys
import time
import traceback
from contextvars import ContextVar

REQUEST_ID: ContextVar[str | None] = ContextVar("request_id", default=None)


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
        line |= getattr(record, "members", {})
        if record.exc_info and record.exc_info[1]:
            line["trace"] = trace(record.exc_info[1])
        return json.dumps(line, ensure_ascii=False)


def trace(error: BaseException) -> str:
    """Where an error came from and of which kind it is. What it says may be about anything, hidden cards included."""
    causes: list[BaseException] = []
    while error not in causes:
        causes.insert(0, error)
        error = error.__cause__ or error.__context__ or error
    return "\n".join(
        "".join(traceback.format_tb(each.__traceback__)) + type(each).__qualname__ for each in causes
    )


def log_to_stderr(level: str) -> None:
    """Send the logs of this process to stderr, as JSON, from this level on."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
