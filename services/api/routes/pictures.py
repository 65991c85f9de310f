"""Boards as pictures: drawn from what the caller may see, and from nothing else."""

from collections.abc import Callable
from hashlib import sha256
from typing import Any, NamedTuple

from events.canonical import canonical
from events.entries import Carved
from events.game import Game, ruleset_of
from games.pictures import Shape
from replays.frames import Perspective
from replays.pictures import Look, picture
from replays.share_cards import CARD_WIDTH, share_card
from services.api.context import context
from services.api.parameters import (
    AS,
    CARD,
    IF_NONE_MATCH,
    LANG,
    LANGUAGES,
    READER,
    SHAPE,
    SHAPES,
    THEME,
    THEMES,
    WIDTH,
    WIDTHS,
)
from services.api.requests import Visit, choice_parameter, flag_parameter, integer_parameter, visit
from services.api.responses import mark_private, player_names, shape_of
from services.api.returns import ABOUT_A_GAME, NOT_MODIFIED, TAG_HEADER, TEXT
from services.api.routes.replay import check_version_exists, perspective_of
from services.api.table import TABLE
from services.http.messages import Response, response, this_request
from services.http.routing import Doc, Handler, Returns

route = TABLE.section("pictures")

SVG, PNG = "image/svg+xml", "image/png"
USUAL_WIDTH = 1000
"""Pixels."""
PICTURE_HEADERS = {
    "x_content_type_options": "nosniff",
    "content_security_policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
}
"""A picture that is opened by itself can do nothing."""


LOOKS = (AS, LANG, THEME, SHAPE)
DRAWN = (*ABOUT_A_GAME, "forbidden", "game_not_started", "invalid_request")
NOW, THEN = "/v1/games/<game_id>/board", "/v1/games/<game_id>/replay/<int:version>/board"


def picture_route(path: str, content_type: str, *params: Doc) -> Callable[[Handler], Handler]:
    """A route that draws a board."""
    return route(
        "GET",
        path,
        runs_in="slow",
        params=(*LOOKS, *params, *READER, IF_NONE_MATCH),
        returns={200: Returns(TEXT, headers=TAG_HEADER, content_type=content_type), 304: NOT_MODIFIED},
        errors=DRAWN,
    )


@picture_route(f"{NOW}.svg", SVG)
def board_now(game_id: str) -> Response:
    """The board as you see it now; once the game is settled with everything open, or `as` someone saw it."""
    visitor = visit(game_id)
    return drawn(visitor, visitor.game.version)


@picture_route(f"{THEN}.svg", SVG)
def board_then(game_id: str, version: int) -> Response:
    """The board as it stood after one entry."""
    visitor = visit(game_id)
    check_version_exists(version, visitor.game)
    return drawn(visitor, version)


@picture_route(f"{NOW}.png", PNG, WIDTH, CARD)
def board_now_in_pixels(game_id: str) -> Response:
    """The same as PNG, for where no SVG is taken."""
    raster = raster_wanted()
    visitor = visit(game_id)
    return drawn(visitor, visitor.game.version, raster)


@picture_route(f"{THEN}.png", PNG, WIDTH, CARD)
def board_then_in_pixels(game_id: str, version: int) -> Response:
    """The board as it stood after one entry, as PNG."""
    raster = raster_wanted()
    visitor = visit(game_id)
    check_version_exists(version, visitor.game)
    return drawn(visitor, version, raster)


class Raster(NamedTuple):
    """A picture in pixels: how wide, and whether it is the card of a preview."""

    width: int
    card: bool


def raster_wanted() -> Raster:
    """The pixels that the caller asks for."""
    width, card = integer_parameter("width", least=WIDTHS[0], most=WIDTHS[1]), flag_parameter("card")
    return Raster(width or (CARD_WIDTH if card else USUAL_WIDTH), card)


def drawn(visitor: Visit, version: int, raster: Raster | None = None) -> Response:
    """The picture of a version, unless the caller has it already."""
    perspective = perspective_of(visitor)
    look = look_of(visitor)
    parameters = {
        "as": this_request().args.get("as"),
        "lang": look.language,
        "theme": look.theme,
        "shape": look.shape if look.shape != "wide" else None,
        "names": mark_of(look),
        "width": raster and raster.width,
        "card": "true" if raster and raster.card else None,
    }
    shape = shape_of(visitor.caller, visitor.game, **parameters)
    tag = f"{version}.{shape}-open" if perspective.everything else f"{version}.{shape}"
    if this_request().has(tag):
        return mark_private(Response(304, [("etag", f'"{tag}"')]))
    if raster:
        content, kind = rastered(visitor, version, perspective, look, raster), PNG
    else:
        content, kind = drawing(visitor, version, perspective, look).encode(), f"{SVG}; charset=utf-8"
    return mark_private(response(content, kind, etag=f'"{tag}"', **PICTURE_HEADERS))


def mark_of(look: Look) -> str:
    """What an ETag says of the names on a picture: they may be forgotten without a new version."""
    return sha256(canonical(look.players)).hexdigest()[:8]


def picture_key(visitor: Visit, version: int, perspective: Perspective, look: Look) -> tuple[Any, ...]:
    """What two pictures that are the same have in common."""
    game = visitor.game
    eyes = (perspective.viewer, perspective.everything, look.language, look.theme, look.shape, *look.players)
    return (game.id, game.hash, version, *eyes)


def drawing(visitor: Visit, version: int, perspective: Perspective, look: Look) -> str:
    """The picture, drawn once for all who look with the same eyes."""
    here, game = context(), visitor.game
    key = picture_key(visitor, version, perspective, look)
    return here.boards.of(key, lambda: picture(*moment(game, version), perspective, look, here.rulesets))


def rastered(visitor: Visit, version: int, perspective: Perspective, look: Look, raster: Raster) -> bytes:
    """The same in pixels."""
    here = context()

    def make() -> bytes:
        board = drawing(visitor, version, perspective, look)
        name = ruleset_of(visitor.game, here.rulesets).names[look.language][visitor.game.created.ruleset]
        return here.rasterize(share_card(board, name, look) if raster.card else board, raster.width)

    return here.pngs.of((*picture_key(visitor, version, perspective, look), *raster), make)


def moment(game: Game, version: int) -> tuple[Carved, Game]:
    """An entry and the game after it; of the present one only the entry must be fetched."""
    here = context()
    if version == game.version:
        return here.store.read(game.id, version - 1, 1)[0], game
    return here.past.moment(game.id, version)


def look_of(visitor: Visit) -> Look:
    """How the caller wants it drawn."""
    language = choice_parameter("lang", LANGUAGES) or LANGUAGES[0]
    names = player_names(visitor.dossier, language)
    theme = choice_parameter("theme", THEMES) or THEMES[0]
    shape: Shape = "tall" if choice_parameter("shape", SHAPES) == "tall" else "wide"
    return Look(names, language, theme, shape)
