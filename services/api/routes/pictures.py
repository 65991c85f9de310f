"""Boards as pictures: drawn from what the caller may see, and from nothing else."""

from hashlib import sha256

from events.canonical import canonical
from events.entries import Carved
from events.game import Game
from games.pictures import Shape
from replays.frames import Perspective
from replays.narration import bot_name
from replays.pictures import Look, picture
from services.api.context import context
from services.api.parameters import AS, IF_NONE_MATCH, LANG, LANGUAGES, READER, SHAPE, SHAPES, THEME, THEMES
from services.api.requests import Visit, choice_parameter, visit
from services.api.responses import mark_private, name_of, shape_of
from services.api.returns import ABOUT_A_GAME, NOT_MODIFIED, TAG_HEADER, TEXT
from services.api.routes.replay import check_version_exists, perspective_of
from services.api.table import TABLE
from services.http.messages import Response, response, this_request
from services.http.routing import Returns

route = TABLE.section("pictures")

SVG = "image/svg+xml"
PICTURE_HEADERS = {
    "x_content_type_options": "nosniff",
    "content_security_policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
}
"""A picture that is opened by itself can do nothing."""


@route(
    "GET",
    "/v1/games/<game_id>/board.svg",
    runs_in="slow",
    params=(AS, LANG, THEME, SHAPE, *READER, IF_NONE_MATCH),
    returns={200: Returns(TEXT, headers=TAG_HEADER, content_type=SVG), 304: NOT_MODIFIED},
    errors=(*ABOUT_A_GAME, "forbidden", "game_not_started", "invalid_request"),
)
def board_now(game_id: str) -> Response:
    """The board as you see it now; once the game is settled with everything open, or `as` someone saw it."""
    visitor = visit(game_id)
    return drawn(visitor, visitor.game.version)


@route(
    "GET",
    "/v1/games/<game_id>/replay/<int:version>/board.svg",
    runs_in="slow",
    params=(AS, LANG, THEME, SHAPE, *READER, IF_NONE_MATCH),
    returns={200: Returns(TEXT, headers=TAG_HEADER, content_type=SVG), 304: NOT_MODIFIED},
    errors=(*ABOUT_A_GAME, "forbidden", "game_not_started", "invalid_request"),
)
def board_then(game_id: str, version: int) -> Response:
    """The board as it stood after one entry."""
    visitor = visit(game_id)
    check_version_exists(version, visitor.game)
    return drawn(visitor, version)


def drawn(visitor: Visit, version: int) -> Response:
    """The picture of a version, unless the caller has it already."""
    perspective = perspective_of(visitor)
    look = look_of(visitor)
    parameters = {
        "as": this_request().args.get("as"),
        "lang": look.language,
        "theme": look.theme,
        "shape": look.shape if look.shape != "wide" else None,
        "names": mark_of(look),
    }
    shape = shape_of(visitor.caller, visitor.game, **parameters)
    tag = f"{version}.{shape}-open" if perspective.everything else f"{version}.{shape}"
    if this_request().has(tag):
        return mark_private(Response(304, [("etag", f'"{tag}"')]))
    drawn_board = drawing(visitor, version, perspective, look).encode()
    return mark_private(response(drawn_board, f"{SVG}; charset=utf-8", etag=f'"{tag}"', **PICTURE_HEADERS))


def mark_of(look: Look) -> str:
    """What an ETag says of the names on a picture: they may be forgotten without a new version."""
    return sha256(canonical(look.players)).hexdigest()[:8]


def drawing(visitor: Visit, version: int, perspective: Perspective, look: Look) -> str:
    """The picture, drawn once for all who look with the same eyes."""
    here, game = context(), visitor.game
    eyes = (perspective.viewer, perspective.everything, look.language, look.theme, look.shape, *look.players)
    key = (game.id, game.hash, version, *eyes)
    return here.boards.of(key, lambda: picture(*moment(game, version), perspective, look, here.rulesets))


def moment(game: Game, version: int) -> tuple[Carved, Game]:
    """An entry and the game after it; of the present one only the entry must be fetched."""
    here = context()
    if version == game.version:
        return here.store.read(game.id, version - 1, 1)[0], game
    return here.past.moment(game.id, version)


def look_of(visitor: Visit) -> Look:
    """How the caller wants it drawn."""
    chairs, people = visitor.game.chairs, visitor.dossier.people
    language = choice_parameter("lang", LANGUAGES) or LANGUAGES[0]
    names = [
        bot_name(chair.bot, language)
        if chair.bot and seat not in people
        else name_of(chair.taken, chair.bot, people.get(seat))
        for seat, chair in enumerate(chairs)
    ]
    theme = choice_parameter("theme", THEMES) or THEMES[0]
    shape: Shape = "tall" if choice_parameter("shape", SHAPES) == "tall" else "wide"
    return Look(names, language, theme, shape)
