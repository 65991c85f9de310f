"""Compressing answers, and only those that hold no secret beside text that someone else has chosen.

The length of a compressed answer tells how alike its parts are: so none is compressed that depends on who asks, but for
what a settled public game lays open to everyone.
"""

import gzip
import zlib
from collections.abc import Iterable, Iterator

from flask import Response

from events.game import Game
from services.api.context import this_request

LEVEL = 6
SMALLEST = 512
"""Bytes of a whole answer below which it is not worth the trouble."""
GZIP = 31
"""How zlib is told to write gzip."""


def packed_if_open(response: Response, game: Game) -> Response:
    """Compress what a game tells, if the game is settled and everyone may see it."""
    return packed(response) if game.settled and not game.created.private else response


def packed(response: Response) -> Response:
    """Compress an answer if the caller takes it so; caches are told that there are two forms."""
    response.vary.add("Accept-Encoding")
    if response.status_code != 200 or not this_request().accept_encodings["gzip"]:
        return response
    if response.is_streamed and not response.direct_passthrough:
        response.response = _squeezed(response.iter_encoded())
    else:
        response.direct_passthrough = False
        body = response.get_data()
        if len(body) < SMALLEST:
            return response
        response.set_data(gzip.compress(body, LEVEL, mtime=0))
    response.headers["Content-Encoding"] = "gzip"
    tag, _ = response.get_etag()
    if tag:
        response.set_etag(tag, weak=True)  # it stands for other bytes now
    return response


def _squeezed(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """A list that is compressed while it is made."""
    press = zlib.compressobj(LEVEL, wbits=GZIP)
    try:
        for chunk in chunks:
            if part := press.compress(chunk):
                yield part
        yield press.flush()
    finally:
        if close := getattr(chunks, "close", None):
            close()
