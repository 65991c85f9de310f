"""The log of a game, as the caller may see it: some entries at a time, line by line, or live."""

from collections.abc import Iterator
from typing import Any

from events.entries import Carved
from events.game import Game
from events.store import Head
from services.api.authentication import GUEST, SeatCaller
from services.api.context import context
from services.api.ndjson import NDJSON, ndjson_response
from services.api.parameters import (
    AFTER,
    EVENTS,
    FRAMES,
    IF_NONE_MATCH,
    INCLUDED,
    LAST_EVENT_ID,
    MOST_EVENTS,
    READER,
)
from services.api.problems import Problem
from services.api.requests import Visit, flag_parameter, integer_parameter, visit
from services.api.responses import etag_response, event_body, include_request, nothing, shape_of
from services.api.returns import ABOUT_A_GAME, NOT_MODIFIED, TAG_HEADER
from services.api.table import TABLE
from services.bodies.log import EventsBody, HeadBody
from services.core.greenlet_bridge import offload
from services.core.lost_entries import Rewound, check_not_above_head
from services.http.messages import Response, Stream, response, this_request
from services.http.routing import Returns
from services.http.streams import REWOUND, Frames, Watch

route = TABLE.section("log")

USUAL_EVENTS = 100
MOST_MISSED = 64
"""Versions that a stream of frames makes up for."""
STREAM = "text/event-stream"


@route(
    "GET",
    "/v1/games/<game_id>/events",
    params=(AFTER, EVENTS, FRAMES, *INCLUDED, *READER, LAST_EVENT_ID, IF_NONE_MATCH),
    returns={
        200: Returns(
            EventsBody,
            also=(
                NDJSON,
                STREAM,
            ),
        ),
        304: NOT_MODIFIED,
        204: Returns(description="The game is settled, and you have seen all of it."),
    },
    errors=(*ABOUT_A_GAME, "invalid_request", "rewound"),
    streams=True,
)
def list_events(game_id: str) -> Response | Stream:
    """The log after entry `after`: JSON, NDJSON, or live by `Accept: text/event-stream`.

    A stream with `frames=true` has frames for events: the game as it stands after each, as in the answer to an action.
    It begins with the present version, or with the missed ones if there are at most 64.
    """
    after = integer_parameter("after") or 0
    limit = integer_parameter("limit", least=1, most=MOST_EVENTS) or USUAL_EVENTS
    form = this_request().prefers(("application/json", NDJSON, STREAM))
    wants_frames = asks_for_frames(form)
    visitor = visit(game_id)
    match form:
        case "text/event-stream":
            return stream(visitor, wants_frames)
        case "application/x-ndjson":
            check_not_above_head(visitor.game, after)
            return ndjson_response(events_so_far(game_id, visitor, after)).varying("Accept")
    game, viewer = visitor.game, visitor.caller.viewer
    check_not_above_head(game, after)
    entries = [carved for carved in context().store.read(game_id, after, limit) if carved.seq <= game.version]
    items = [event_body(carved, game, viewer) for carved in entries]
    more = bool(entries) and entries[-1].seq < game.version
    body = EventsBody(items=items, next=entries[-1].seq if more else None)
    shape = shape_of(visitor.caller, game, after=after, limit=limit)
    return etag_response(body, game, shape).varying("Accept")


def events_so_far(game_id: str, visitor: Visit, after: int) -> Iterator[dict[str, Any]]:
    """Every event up to now."""
    game, viewer = visitor.game, visitor.caller.viewer
    for carved in context().store.walk(game_id, after):
        if carved.seq > game.version:
            return
        yield event_body(carved, game, viewer)


def asks_for_frames(form: str | None) -> bool:
    """Are frames wanted? Only a stream has them, and only they have actions."""
    frames = flag_parameter("frames")
    if frames and form != STREAM:
        raise Problem("invalid_request", f"Frames come as a stream: send `Accept: {STREAM}`, or see /replay.")
    if include_request().actions and not frames:
        raise Problem("invalid_request", "Actions are included in frames: add `frames=true`.")
    return frames


def stream(visitor: Visit, wants_frames: bool) -> Response | Stream:
    """Hand the caller over to the live streams; authorisation ends here. A browser stops asking at 204."""
    seen_before = last_seen()
    after = seen_before or 0
    try:
        check_not_above_head(visitor.game, after)
    except Rewound:
        return live(REWOUND).varying("Accept")
    if visitor.game.settled and after == visitor.game.version:
        return nothing().varying("Accept")
    return Stream(live().varying("Accept"), watch_of(visitor, seen_before, wants_frames=wants_frames))


def watch_of(visitor: Visit, seen_before: int | None, *, wants_frames: bool) -> Watch:
    """What a caller who has seen so much of a game is to be sent of it."""
    generation = visitor.caller.generation if isinstance(visitor.caller, SeatCaller) else None
    seen = seen_before or 0
    guest = visitor.caller is GUEST
    frames = None
    if wants_frames:
        missed = moments_missed(visitor.game, seen_before)
        seen = visitor.game.version - len(missed)
        frames = Frames(visitor.game, missed, include_request().of(visitor.dossier))
    return Watch(visitor.game.id, visitor.caller.viewer, seen, generation, guest, frames)


def live(body: bytes = b"") -> Response:
    """The head of an answer that goes on for as long as there is something to tell; with a body, a stream that ends at once."""
    return response(
        body,
        f"{STREAM}; charset=utf-8",
        cache_control="no-store",
        vary="Authorization",
        x_accel_buffering="no",
    )


def moments_missed(game: Game, seen: int | None) -> list[tuple[Carved, Game]]:
    """What a stream of frames begins with: what was missed, if that is little; else how things stand now."""
    here = context()
    if seen is None or game.version - seen > MOST_MISSED:
        return [(here.store.read(game.id, game.version - 1, 1)[0], game)]
    if seen >= game.version:
        return []
    return offload(lambda: list(here.past.moments(game.id, seen + 1, game.version)))


def last_seen() -> int | None:
    """Where a stream that was cut goes on, as the browser says by itself or the client in the query."""
    after, last = integer_parameter("after"), last_event_id()
    return last if after is None else max(after, last or 0)


def last_event_id() -> int | None:
    """The last event that a browser has seen of a stream."""
    text = this_request().headers.get("last-event-id")
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal()) or len(text) > 16:
        raise Problem("invalid_request", "Last-Event-ID is the number of an entry.")
    return int(text)


@route(
    "GET",
    "/v1/games/<game_id>/head",
    runs_in="loop",
    params=(*READER, IF_NONE_MATCH),
    returns={200: Returns(HeadBody, headers=TAG_HEADER), 304: NOT_MODIFIED},
    errors=ABOUT_A_GAME,
)
def show_head(game_id: str) -> Response:
    """Where the log ends: keep it, and nobody can rewrite what came before unnoticed."""
    caller, dossier = visit(game_id)
    game = dossier.game
    signed = context().keys.signer.signed(game.id, Head(game.version, game.hash))
    body = HeadBody(game=game.id, version=signed.pop("seq"), **signed)
    return etag_response(body, game, shape_of(caller, game))
