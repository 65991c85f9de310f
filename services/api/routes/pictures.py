"""Boards as pictures: drawn from what the caller may see, and from nothing else."""

from hashlib import sha256

from flask import Response, request

from events.canonical import canonical
from events.entries import Carved
from events.game import Game
from replays.frames import Perspective
from replays.pictures import Look, picture
from services.api.answers import name_of, private, shape_of
from services.api.context import context
from services.api.promises import (
    ABOUT_A_GAME,
    AS,
    IF_NONE_MATCH,
    LANG,
    LANGUAGES,
    READER,
    TAG_HEADER,
    THEME,
    THEMES,
)
from services.api.requests import StrictBlueprint, Visit, one_of, visit
from services.api.routes.replay import check_version_exists, perspective_of

blueprint = StrictBlueprint("pictures", __name__, url_prefix="/v1", description="Boards as pictures.")

SVG = "image/svg+xml"
UNNAMED_BOT = {"en": "{bot} bot", "fr": "robot ({bot})"}
"""What a bot is called on a picture that was given no name, by language."""
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
}
"""A picture that is opened by itself can do nothing."""


@blueprint.route("/games/<game_id>/board.svg")
@blueprint.takes(AS, LANG, THEME, *READER, IF_NONE_MATCH)
@blueprint.refuses(*ABOUT_A_GAME, "forbidden", "game_not_started", "invalid_request")
@blueprint.response(200, {"type": "string"}, content_type=SVG, headers=TAG_HEADER)
@blueprint.alt_response(304, description="You have it already.", headers=TAG_HEADER)
def board_now(game_id: str) -> Response:
    """The board as you see it now; once the game is settled with everything open, or `as` someone saw it."""
    visitor = visit(game_id)
    return drawn(visitor, visitor.game.version)


@blueprint.route("/games/<game_id>/replay/<int:version>/board.svg")
@blueprint.takes(AS, LANG, THEME, *READER, IF_NONE_MATCH)
@blueprint.refuses(*ABOUT_A_GAME, "forbidden", "game_not_started", "invalid_request")
@blueprint.response(200, {"type": "string"}, content_type=SVG, headers=TAG_HEADER)
@blueprint.alt_response(304, description="You have it already.", headers=TAG_HEADER)
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
        "as": request.args.get("as"),
        "lang": look.language,
        "theme": look.theme,
        "names": mark_of(look),
    }
    shape = shape_of(visitor.caller, visitor.game, **parameters)
    tag = f"{version}.{shape}-open" if perspective.everything else f"{version}.{shape}"
    if request.if_none_match.contains_weak(tag):
        response = Response(status=304)
    else:
        response = Response(drawing(visitor, version, perspective, look), mimetype=SVG)
        response.headers.update(HEADERS)
    response.set_etag(tag)
    return private(response)


def mark_of(look: Look) -> str:
    """What an ETag says of the names on a picture: they may be forgotten without a new version."""
    return sha256(canonical(look.players)).hexdigest()[:8]


def drawing(visitor: Visit, version: int, perspective: Perspective, look: Look) -> str:
    """The picture, drawn once for all who look with the same eyes."""
    here, game = context(), visitor.game
    eyes = (perspective.viewer, perspective.everything, look.language, look.theme, *look.players)
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
    language = one_of("lang", LANGUAGES) or LANGUAGES[0]
    names = [
        UNNAMED_BOT[language].format(bot=chair.bot)
        if chair.bot and seat not in people
        else name_of(chair.taken, chair.bot, people.get(seat))
        for seat, chair in enumerate(chairs)
    ]
    return Look(names, language, one_of("theme", THEMES) or THEMES[0])
