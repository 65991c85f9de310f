"""NDJSON responses: long lists that are sent while they are made."""

from collections.abc import Iterator
from itertools import chain, islice
from typing import Any

from events.canonical import canonical
from services.api.hooks import explained
from services.api.responses import mark_private
from services.http.messages import Response, this_request

NDJSON = "application/x-ndjson"


def ndjson_response(items: Iterator[Any]) -> Response:
    """All items. What fails at once is answered as usual; what fails on the way ends the list with a problem."""
    first = list(islice(items, 1))
    return mark_private(Response(200, [("content-type", NDJSON)], rest=_lines(chain(first, items))))


def _lines(items: Iterator[Any]) -> Iterator[bytes]:
    try:
        for item in items:
            yield canonical(item) + b"\n"
    except Exception as error:
        yield _last_words(error) + b"\n"


def _last_words(error: Exception) -> bytes:
    """The problem that this error would have been, had it come at once."""
    return explained(this_request(), error).body
