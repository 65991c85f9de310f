"""Replays: a game as it stood after each entry, as the caller may see it, or exactly as someone saw it then."""

from collections.abc import Iterator, Mapping
from typing import Any

from events.entries import Carved
from events.game import Game
from games.kernel import Refusal, Viewer
from replays.frames import Perspective, frame
from services.api.authentication import Caller, OperatorCaller, forbidden
from services.api.compression import compressed_if_open
from services.api.context import context
from services.api.lists import item_limit
from services.api.ndjson import NDJSON, ndjson_response
from services.api.parameters import AS, FROM, IF_NONE_MATCH, INCLUDED, ITEMS, READER, TO
from services.api.problems import Problem
from services.api.requests import Visit, integer_parameter, visit
from services.api.responses import etag_response, include_request, shape_of
from services.api.returns import ABOUT_A_GAME, NOT_MODIFIED, TAG_HEADER
from services.api.table import TABLE
from services.bodies.log import FrameBody, FramesBody
from services.core.lost_entries import check_not_above_head
from services.core.public_status import Include, included
from services.http.messages import Response, this_request
from services.http.routing import Returns

route = TABLE.section("replay")


@route(
    "GET",
    "/v1/games/<game_id>/replay",
    runs_in="slow",
    params=(FROM, TO, ITEMS, AS, *INCLUDED, *READER, IF_NONE_MATCH),
    returns={200: Returns(FramesBody, headers=TAG_HEADER, also=(NDJSON,)), 304: NOT_MODIFIED},
    errors=(*ABOUT_A_GAME, "forbidden", "invalid_request", "rewound"),
)
def replay(game_id: str) -> Response:
    """Frames from version `from` to `to`, `limit` at a time (`next` is the next `from`); all at once as NDJSON.

    While the game is played they show what you could see then. Once it is settled they show everything, or with
    `as=SEAT` or `as=spectator` exactly what that viewer saw.
    """
    first = integer_parameter("from") or 1
    wanted = integer_parameter("to")
    limit, including = item_limit(), include_request()
    visitor = visit(game_id)
    include = including.of(visitor.dossier)
    perspective = perspective_of(visitor)
    check_not_above_head(visitor.game, first - 1)
    last = visitor.game.version if wanted is None else min(wanted, visitor.game.version)
    if this_request().prefers(("application/json", NDJSON)) == NDJSON:
        lines = ndjson_response(frames(game_id, first, last, perspective, include))
        return compressed_if_open(lines.varying("Accept"), visitor.game)
    until = min(last, first + limit - 1)
    items = list(frames(game_id, first, until, perspective, include))
    body = FramesBody(items=items, next=until + 1 if until < last else None)
    shape = shape_of_frames(visitor, include, {"from": first, "to": wanted, "limit": limit})
    return compressed_if_open(etag_response(body, visitor.game, shape).varying("Accept"), visitor.game)


@route(
    "GET",
    "/v1/games/<game_id>/replay/<int:version>",
    runs_in="slow",
    params=(AS, *INCLUDED, *READER, IF_NONE_MATCH),
    returns={200: Returns(FrameBody, headers=TAG_HEADER), 304: NOT_MODIFIED},
    errors=(*ABOUT_A_GAME, "forbidden", "invalid_request"),
)
def replay_version(game_id: str, version: int) -> Response:
    """The frame of one version; `as` as for the whole replay."""
    visitor = visit(game_id)
    perspective = perspective_of(visitor)
    check_version_exists(version, visitor.game)
    moment, include = context().past.moment(game_id, version), include_request().of(visitor.dossier)
    shape = shape_of_frames(visitor, include, {"open": perspective.everything or None})
    shown = frame_body(*moment, perspective, include)
    return compressed_if_open(etag_response(shown, moment[1], shape), visitor.game)


def check_version_exists(version: int, game: Game) -> None:
    """Refuse to look before a game's beginning, or ahead."""
    if not 1 <= version <= game.version:
        raise Refusal("not_found", f"This game has the versions 1 to {game.version}.")


def frames(
    game_id: str, first: int, last: int, perspective: Perspective, include: Include
) -> Iterator[FrameBody]:
    """The frames of some versions."""
    for carved, game in context().past.moments(game_id, first, last):
        yield frame_body(carved, game, perspective, include)


def frame_body(carved: Carved, game: Game, perspective: Perspective, include: Include) -> FrameBody:
    """A frame, with what its viewer could do then if that is wanted."""
    rulesets = context().rulesets
    shown = frame(carved, game, perspective, rulesets)
    more = included(game, perspective.viewer, rulesets, include)
    return FrameBody(version=shown.version, event=shown.event, view=shown.view, **more)


def shape_of_frames(visitor: Visit, include: Include, parameters: Mapping[str, Any]) -> str:
    """What an ETag says of frames: also with whose eyes they are seen."""
    parts = {"as": this_request().args.get("as"), "include": include.mark, **parameters}
    return shape_of(visitor.caller, visitor.game, **parts)


def perspective_of(visitor: Visit) -> Perspective:
    """The perspective that is asked for: the caller's own while the game is played, anyone's once it is settled."""
    caller, game = visitor.caller, visitor.game
    wanted = this_request().args.get("as")
    if wanted is None:
        return Perspective(caller.viewer, everything=game.settled is not None)
    viewer = read_viewer(wanted, game)
    if game.settled is None and not may_look_as(caller, viewer):
        raise forbidden("What others saw opens when the game is settled.")
    return Perspective(viewer)


def may_look_as(caller: Caller, viewer: Viewer) -> bool:
    """While a game is played: as oneself, and an operator as anyone."""
    return viewer == caller.viewer or isinstance(caller, OperatorCaller)


def read_viewer(wanted: str, game: Game) -> Viewer:
    if wanted == "spectator":
        return None
    if wanted in map(str, range(len(game.chairs))):
        return int(wanted)
    raise Problem(
        "invalid_request",
        f"`as` is a seat from 0 to {len(game.chairs) - 1}, or `spectator`.",
        errors={"query": {"as": ["Not a viewer of this game."]}},
    )
