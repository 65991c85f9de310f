"""Long lists as NDJSON, one JSON object a line: they are sent while they are made."""

import logging
from collections.abc import Iterator
from itertools import chain, islice
from typing import Any

from flask import Response, current_app, stream_with_context

from events.canonical import canonical
from services.api.answers import private
from services.api.problems import problem

LINES = "application/x-ndjson"

log = logging.getLogger(__name__)


def in_lines(items: Iterator[Any]) -> Response:
    """All items. What fails at once is answered as usual; what fails on the way ends the list with a problem."""
    first = list(islice(items, 1))
    return private(Response(stream_with_context(_lines(chain(first, items))), mimetype=LINES))


def _lines(items: Iterator[Any]) -> Iterator[bytes]:
    try:
        for item in items:
            yield canonical(item) + b"\n"
    except Exception as error:
        yield _last_words(error) + b"\n"


def _last_words(error: Exception) -> bytes:
    """The problem that this error would have been, had it come at once."""
    try:
        answer = current_app.make_response(current_app.handle_user_exception(error))
    except Exception:
        log.exception("a list has broken off")
        answer = problem(
            "internal_error", "Something went wrong on our side; it is in the server's log.", 500
        )
    return answer.get_data()
