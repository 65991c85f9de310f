"""The log of a game, as the caller may see it: some entries at a time, line by line, or live."""

from collections.abc import Iterator
from typing import Any

from flask import Response, request

from events.store import Head
from services.api.answers import event_body, negotiated, private, shape_of, tagged
from services.api.callers import SeatCaller
from services.api.context import context
from services.api.lines import LINES, in_lines
from services.api.problems import Problem
from services.api.promises import (
    ABOUT_A_GAME,
    AFTER,
    EVENTS,
    IF_NONE_MATCH,
    LAST_EVENT_ID,
    MOST_EVENTS,
    TAG_HEADER,
    TICKET,
)
from services.api.requests import StrictBlueprint, Visit, visit, whole_number
from services.api.schemas import EventsSchema, HeadSchema
from services.front.live import HANDOFF, Watch

blueprint = StrictBlueprint(
    "log", __name__, url_prefix="/v1", description="The log: events, live or not, and its head."
)

USUAL_EVENTS = 100
STREAM = "text/event-stream"


@blueprint.route("/games/<game_id>/events")
@blueprint.takes(AFTER, EVENTS, TICKET, LAST_EVENT_ID, IF_NONE_MATCH)
@blueprint.refuses(*ABOUT_A_GAME, "invalid_request")
@blueprint.response(200, EventsSchema)
@blueprint.alt_response(304, description="You have it already.", headers=TAG_HEADER)
@blueprint.alt_response(204, description="The game is settled, and you have seen all of it.")
@blueprint.alt_response(200, schema={"type": "string"}, content_type=LINES)
@blueprint.alt_response(200, schema={"type": "string"}, content_type=STREAM)
def list_events(game_id: str) -> Response:
    """The log after entry `after`: JSON, NDJSON, or live by `Accept: text/event-stream`."""
    after = whole_number("after") or 0
    limit = whole_number("limit", most=MOST_EVENTS) or USUAL_EVENTS
    visitor = visit(game_id)
    match request.accept_mimetypes.best_match(["application/json", LINES, STREAM]):
        case "text/event-stream":
            return negotiated(stream(game_id, visitor, max(after, last_event_id())))
        case "application/x-ndjson":
            return negotiated(in_lines(events_so_far(game_id, visitor, after)))
    game, viewer = visitor.game, visitor.caller.viewer
    entries = [carved for carved in context().store.read(game_id, after, limit) if carved.seq <= game.version]
    items = [event_body(carved, game, viewer) for carved in entries]
    more = bool(entries) and entries[-1].seq < game.version
    body = {"items": items, "next": entries[-1].seq if more else None}
    return negotiated(tagged(body, game, shape_of(viewer)))


def events_so_far(game_id: str, visitor: Visit, after: int) -> Iterator[dict[str, Any]]:
    """Every event up to now."""
    game, viewer = visitor.game, visitor.caller.viewer
    for carved in context().store.walk(game_id, after):
        if carved.seq > game.version:
            return
        yield event_body(carved, game, viewer)


def stream(game_id: str, visitor: Visit, after: int) -> Response:
    """Hand the caller over to the live streams; authorisation ends here. A browser stops asking at 204."""
    if visitor.game.settled and after >= visitor.game.version:
        return private(Response(status=204))
    generation = visitor.caller.generation if isinstance(visitor.caller, SeatCaller) else None
    seen = min(after, visitor.game.version)
    watch = Watch(game=game_id, viewer=visitor.caller.viewer, after=seen, generation=generation)
    request.environ.get(HANDOFF, []).append(watch)
    return live()


def live() -> Response:
    """The head of an answer that goes on for as long as there is something to tell."""
    response = Response(status=200, mimetype=STREAM)
    response.headers["Cache-Control"] = "no-store"
    response.headers["Vary"] = "Authorization"
    response.headers["X-Accel-Buffering"] = "no"
    return response


def last_event_id() -> int:
    """Where a stream that was cut goes on."""
    text = request.headers.get("Last-Event-ID", "0")
    if not (text.isascii() and text.isdecimal()) or len(text) > 16:
        raise Problem("invalid_request", "Last-Event-ID is the number of an entry.")
    return int(text)


@blueprint.route("/games/<game_id>/head")
@blueprint.takes(TICKET, IF_NONE_MATCH)
@blueprint.refuses(*ABOUT_A_GAME)
@blueprint.response(200, HeadSchema, headers=TAG_HEADER)
@blueprint.alt_response(304, description="You have it already.", headers=TAG_HEADER)
def show_head(game_id: str) -> Response:
    """Where the log ends: keep it, and nobody can rewrite what came before unnoticed."""
    game = visit(game_id).game
    signed = context().keys.signer.signed(game.id, Head(game.version, game.hash))
    return tagged({"game": game.id, "version": signed.pop("seq"), **signed}, game, "head")
