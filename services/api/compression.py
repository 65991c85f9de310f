"""Compression of responses, only of those that hold no secret beside text that someone else has chosen (BREACH).

The length of a compressed answer tells how alike its parts are: so none is compressed that depends on who asks, but for
what a settled public game lays open to everyone.
"""

import gzip
import zlib
from collections.abc import Iterable, Iterator

from events.game import Game
from services.http.messages import Response, this_request

GZIP_LEVEL = 6
MIN_COMPRESSED_BYTES = 512
"""Bytes of a whole answer below which it is not worth the trouble."""
GZIP_WBITS = 31
"""How zlib is told to write gzip."""


def compressed_if_open(response: Response, game: Game) -> Response:
    """Compress what a game tells, if the game is settled and everyone may see it."""
    return compressed(response) if game.settled and not game.created.private else response


def compressed(response: Response) -> Response:
    """Compress an answer if the caller takes it so; caches are told that there are two forms."""
    response = response.varying("Accept-Encoding")
    if response.status != 200 or not this_request().takes_gzip:
        return response
    if response.rest is not None:
        response = response._replace(rest=_squeezed(response.rest))
    elif len(response.body) < MIN_COMPRESSED_BYTES:
        return response
    else:
        response = response.with_body(gzip.compress(response.body, GZIP_LEVEL, mtime=0))
    tag = response.header("etag")  # it stands for other bytes now
    weak = {"etag": f"W/{tag}"} if tag else {}
    return response.with_headers(content_encoding="gzip", **weak)


def _squeezed(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """A list that is compressed while it is made."""
    press = zlib.compressobj(GZIP_LEVEL, wbits=GZIP_WBITS)
    try:
        for chunk in chunks:
            if part := press.compress(chunk):
                yield part
        yield press.flush()
    finally:
        if close := getattr(chunks, "close", None):
            close()
