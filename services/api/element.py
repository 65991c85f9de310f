"""The custom element `<stele-board>`: one script, made of the page's own modules, that any page may load."""

from functools import cache

from services.api.bundling import bundle
from services.api.page import ASK_AGAIN, WEB, File, packed_file, sent
from services.api.table import TABLE
from services.http.messages import Response

route = TABLE.section("page")

NAME = "stele-board.js"
FIRST = "element/stele_board.js"
"""The module that defines the element."""


@route("GET", f"/element/{NAME}", runs_in="loop", documented=False)
def element() -> Response:
    """The file, for pages of every origin: it holds nothing of any game."""
    shared = {"access_control_allow_origin": "*", "cross_origin_resource_policy": "cross-origin"}
    return sent(element_file(), ASK_AGAIN).with_headers(**shared)


@cache
def element_file() -> File:
    return packed_file(NAME, bundle(WEB, FIRST).encode())
