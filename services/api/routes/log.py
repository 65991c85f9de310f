"""The log of a game, as the caller may see it: some entries at a time, line by line, or live."""

from collections.abc import Iterator
from typing import Any

from flask import Response, request

from events.entries import Carved
from events.game import Game
from events.store import Head
from services.api.answers import event_body, negotiated, private, shape_of, tagged, wants_actions
from services.api.callers import GUEST, SeatCaller
from services.api.context import context
from services.api.lines import LINES, in_lines
from services.api.problems import Problem
from services.api.promises import (
    ABOUT_A_GAME,
    AFTER,
    EVENTS,
    FRAMES,
    IF_NONE_MATCH,
    INCLUDE,
    LAST_EVENT_ID,
    MOST_EVENTS,
    READER,
    TAG_HEADER,
)
from services.api.requests import StrictBlueprint, Visit, flag, visit, whole_number
from services.api.schemas.log import EventsSchema, HeadSchema
from services.core.resting import elsewhere
from services.front.live import HANDOFF, Frames, Watch

blueprint = StrictBlueprint(
    "log", __name__, url_prefix="/v1", description="The log: events, live or not, and its head."
)

USUAL_EVENTS = 100
MOST_MISSED = 64
"""Versions that a stream of frames makes up for."""
STREAM = "text/event-stream"


@blueprint.route("/games/<game_id>/events")
@blueprint.takes(AFTER, EVENTS, FRAMES, INCLUDE, *READER, LAST_EVENT_ID, IF_NONE_MATCH)
@blueprint.refuses(*ABOUT_A_GAME, "invalid_request")
@blueprint.response(200, EventsSchema)
@blueprint.alt_response(304, description="You have it already.", headers=TAG_HEADER)
@blueprint.alt_response(204, description="The game is settled, and you have seen all of it.")
@blueprint.alt_response(200, schema={"type": "string"}, content_type=LINES)
@blueprint.alt_response(200, schema={"type": "string"}, content_type=STREAM)
def list_events(game_id: str) -> Response:
    """The log after entry `after`: JSON, NDJSON, or live by `Accept: text/event-stream`.

    A stream with `frames=true` has frames for events: the game as it stands after each, as in the answer to an action.
    It begins with the present version, or with the missed ones if there are at most 64.
    """
    after = whole_number("after") or 0
    limit = whole_number("limit", most=MOST_EVENTS) or USUAL_EVENTS
    form = request.accept_mimetypes.best_match(["application/json", LINES, STREAM])
    wants_frames = asks_for_frames(form)
    visitor = visit(game_id)
    match form:
        case "text/event-stream":
            return negotiated(stream(game_id, visitor, wants_frames))
        case "application/x-ndjson":
            return negotiated(in_lines(events_so_far(game_id, visitor, after)))
    game, viewer = visitor.game, visitor.caller.viewer
    entries = [carved for carved in context().store.read(game_id, after, limit) if carved.seq <= game.version]
    items = [event_body(carved, game, viewer) for carved in entries]
    more = bool(entries) and entries[-1].seq < game.version
    body = {"items": items, "next": entries[-1].seq if more else None}
    return negotiated(tagged(body, game, shape_of(visitor.caller, game, after=after, limit=limit)))


def events_so_far(game_id: str, visitor: Visit, after: int) -> Iterator[dict[str, Any]]:
    """Every event up to now."""
    game, viewer = visitor.game, visitor.caller.viewer
    for carved in context().store.walk(game_id, after):
        if carved.seq > game.version:
            return
        yield event_body(carved, game, viewer)


def asks_for_frames(form: str | None) -> bool:
    """Are frames wanted? Only a stream has them, and only they have actions."""
    frames = flag("frames")
    if frames and form != STREAM:
        raise Problem("invalid_request", f"Frames come as a stream: send `Accept: {STREAM}`, or see /replay.")
    if wants_actions() and not frames:
        raise Problem("invalid_request", "Actions are included in frames: add `frames=true`.")
    return frames


def stream(game_id: str, visitor: Visit, wants_frames: bool) -> Response:
    """Hand the caller over to the live streams; authorisation ends here. A browser stops asking at 204."""
    seen_before = last_seen()
    after = seen_before or 0
    if visitor.game.settled and after >= visitor.game.version:
        return private(Response(status=204))
    generation = visitor.caller.generation if isinstance(visitor.caller, SeatCaller) else None
    seen = min(after, visitor.game.version)
    guest = visitor.caller is GUEST
    frames = None
    if wants_frames:
        missed = moments_missed(visitor.game, seen_before)
        seen = visitor.game.version - len(missed)
        frames = Frames(visitor.game, missed, wants_actions())
    watch = Watch(game_id, visitor.caller.viewer, seen, generation, guest, frames)
    request.environ.get(HANDOFF, []).append(watch)
    return live()


def live() -> Response:
    """The head of an answer that goes on for as long as there is something to tell."""
    response = Response(status=200, mimetype=STREAM)
    response.headers["Cache-Control"] = "no-store"
    response.headers["Vary"] = "Authorization"
    response.headers["X-Accel-Buffering"] = "no"
    return response


def moments_missed(game: Game, seen: int | None) -> list[tuple[Carved, Game]]:
    """What a stream of frames begins with: what was missed, if that is little; else how things stand now."""
    here = context()
    if seen is None or game.version - seen > MOST_MISSED:
        return [(here.store.read(game.id, game.version - 1, 1)[0], game)]
    if seen >= game.version:
        return []
    return elsewhere(lambda: list(here.past.moments(game.id, seen + 1, game.version)))


def last_seen() -> int | None:
    """Where a stream that was cut goes on, as the browser says by itself or the client in the query."""
    after, last = whole_number("after"), last_event_id()
    return last if after is None else max(after, last or 0)


def last_event_id() -> int | None:
    """The last event that a browser has seen of a stream."""
    text = request.headers.get("Last-Event-ID")
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal()) or len(text) > 16:
        raise Problem("invalid_request", "Last-Event-ID is the number of an entry.")
    return int(text)


@blueprint.route("/games/<game_id>/head")
@blueprint.takes(*READER, IF_NONE_MATCH)
@blueprint.refuses(*ABOUT_A_GAME)
@blueprint.response(200, HeadSchema, headers=TAG_HEADER)
@blueprint.alt_response(304, description="You have it already.", headers=TAG_HEADER)
def show_head(game_id: str) -> Response:
    """Where the log ends: keep it, and nobody can rewrite what came before unnoticed."""
    caller, dossier = visit(game_id)
    game = dossier.game
    signed = context().keys.signer.signed(game.id, Head(game.version, game.hash))
    return tagged({"game": game.id, "version": signed.pop("seq"), **signed}, game, shape_of(caller, game))
