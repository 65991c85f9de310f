"""The transparency log as C2SP tlog-tiles has it: its checkpoint, and tiles that never change."""

import re

from games.kernel import Refusal
from replays.audit.verify import HASH_BYTES, TILE_WIDTH
from services.api.context import context
from services.api.page import FOR_EVER
from services.api.table import TABLE
from services.core.log_files import LogFiles
from services.http.messages import Response, response
from services.http.routing import Returns

route = TABLE.section("transparency")

TILE = re.compile(r"(entries|[0-9]|[1-5][0-9]|6[0-3])/((?:x[0-9]{3}/)*[0-9]{3})(?:\.p/([1-9][0-9]{0,2}))?")
LONGEST_TILE_NUMBER = 15
"""Digits: more leaves than there will ever be."""


def log_files() -> LogFiles:
    """The log of this server."""
    log = context().log
    files = log.present() if log else None
    if files is None:
        raise Refusal("not_found", "This server has published no transparency log.")
    return files


@route(
    "GET",
    "/tlog/checkpoint",
    returns={200: Returns({"type": "string"}, content_type="text/plain; charset=utf-8")},
    errors=("not_found",),
)
def show_checkpoint() -> Response:
    """The latest checkpoint of the log, with the cosignatures of its witnesses: keep it, and no history can be swapped."""
    checkpoint = log_files().latest_checkpoint()
    if checkpoint is None:
        raise Refusal("not_found", "This server has published no checkpoint yet.")
    return response(checkpoint.note.encode(), "text/plain; charset=utf-8", cache_control="no-cache")


@route(
    "GET",
    "/tlog/tile/<path:tile>",
    returns={200: Returns({"type": "string"}, content_type="application/octet-stream")},
    errors=("not_found",),
)
def show_tile(tile: str) -> Response:
    """A tile of the tree (`0/x001/234`, partial ones `0/000.p/17`), or a bundle of its leaves (`entries/000`)."""
    content = tile_content(tile)
    if content is None:
        raise Refusal("not_found", "The log has no such tile.")
    return response(content, "application/octet-stream", cache_control=FOR_EVER)


def tile_content(path: str) -> bytes | None:
    """What a tile holds; nothing for a path that no tile of the published tree has."""
    match = TILE.fullmatch(path)
    if match is None:
        return None
    level, digits, width = match[1], re.sub("[x/]", "", match[2]), int(match[3] or TILE_WIDTH)
    is_padded = len(digits) > 3 and digits.startswith("000")
    if is_padded or len(digits) > LONGEST_TILE_NUMBER or (match[3] and width >= TILE_WIDTH):
        return None
    files = log_files()
    if level == "entries":
        return files.entries(int(digits), width)
    content = files.tile(int(level), int(digits), width)
    return content if content is None or len(content) == width * HASH_BYTES else None
