"""Host events: what happens in a host's games, kept for 26 hours in a stream of each partition, for feeds and webhooks.

They follow from the logs: the projection of a game adds those of the entries after the one up to which the game is told
(a cursor per game), in the same step. So a kill loses none, and a projection that comes once a second skips none. Whose
turn it is, is told for the latest version alone: the line before is taken back, so a stream grows with the number of
games and not with the moves in them. Games of no host have streams of their own, of a limited length: strangers who
create much can neither fill the memory nor push out what happens at the hosts' tables.
"""

import re
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, get_args

import msgspec

from events.game import Game
from events.keys import partition_key, partitions
from events.store import Client
from events.times import milliseconds

HostEventType = Literal[
    "game_created", "seat_taken", "game_started", "turn", "game_ended", "game_aborted", "game_settled"
]
HOST_EVENT_TYPES: tuple[HostEventType, ...] = get_args(HostEventType)
ENDINGS = ("game_ended", "game_settled")
HOUR_MS = 3600 * 1000
CURSOR_MS = 24 * HOUR_MS
"""How long a feed goes on after a cursor without a gap."""
KEPT_MS = 26 * HOUR_MS
"""How long a line is kept: a receiver that does not answer is tried for a day, with pauses of up to an hour."""
MAX_UNHOSTED_LINES = 20_000
"""Lines that are kept of a partition's games without a host, however young they are."""
LINE_ID_PATTERN = re.compile(r"[0-9]{1,20}-[0-9]{1,20}")
MAX_ID_PART = 2**64 - 1
"""What each part of a line's id is at most; the store refuses others."""


class HostEventSeat(msgspec.Struct, frozen=True):
    seat: int
    ref: str | None


class HostEvent(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that happened in a game, with nothing that a spectator of it may not know."""

    id: str
    type: HostEventType
    at: str
    game: str
    version: int
    status: str
    tags: tuple[str, ...]
    seats: list[HostEventSeat]
    to_act: tuple[int, ...]
    outcome: Any = None
    """How the game ended, of `game_ended` and `game_settled`."""
    rematch_of: str | None = None
    """The game before, of the `game_created` of a rematch."""


# -- telling ------------------------------------------------------------------------------------------------------------


def host_events(before: Game | None, after: Game) -> list[HostEvent]:
    """What the entry between two moments of a game has brought about, but for whose turn it is."""
    if before is None and after.version > 1:
        return []  # what led there is told already
    return [_host_event(after, kind) for kind in _types(before, after)]


def with_players_named(event: HostEvent, created: Game) -> HostEvent:
    """The event of a creation, with the refs of the players that it named: their seats are taken by entries after it."""
    return msgspec.structs.replace(event, seats=_seats(created)) if event.type == "game_created" else event


def turn_event(game: Game) -> list[HostEvent]:
    """Whose turn it is, if it is anyone's."""
    return [_host_event(game, "turn")] if game.to_act else []


def _types(before: Game | None, after: Game) -> Iterator[HostEventType]:
    """What the entry between two moments has brought about."""
    if before is None:
        yield "game_created"
        return
    if after.chairs is not before.chairs and _more_sit(before, after):
        yield "seat_taken"
    if after.started and not before.started:
        yield "game_started"
    if after.outcome and after.status == "ended" != before.status:
        yield "game_ended"
    if after.aborted and not before.aborted:
        yield "game_aborted"
    if after.settled and not before.settled:
        yield "game_settled"


def _more_sit(before: Game, after: Game) -> bool:
    """Is a seat taken that was free?"""
    return any(now.taken and not then.taken for then, now in zip(before.chairs, after.chairs, strict=True))


def _host_event(game: Game, kind: HostEventType) -> HostEvent:
    return HostEvent(
        id=f"{game.id}.{game.version}.{kind}",
        type=kind,
        at=game.at,
        game=game.id,
        version=game.version,
        status=game.status,
        tags=game.created.tags,
        seats=_seats(game),
        to_act=game.to_act,
        outcome=msgspec.to_builtins(game.outcome) if kind in ENDINGS and not game.aborted else None,
        rematch_of=(game.created.rematch_of or None) if kind == "game_created" else None,
    )


def recent(happened: Sequence[HostEvent]) -> list[HostEvent]:
    """The events that are young enough to be kept."""
    oldest = _now() - KEPT_MS
    return [event for event in happened if milliseconds(event.at) > oldest]


def _seats(game: Game) -> list[HostEventSeat]:
    return [HostEventSeat(seat, chair.ref) for seat, chair in enumerate(game.chairs)]


def stream_key(partition: str, kind: str) -> str:
    return partition_key(partition, f"{kind}:feed")


def dropped_key(stream: str) -> str:
    """Where the last line of a stream is noted that is not kept any more."""
    return f"{stream}:dropped"


# -- reading ------------------------------------------------------------------------------------------------------------


class CursorExpired(Exception):
    """What came after this cursor is not kept any more."""


class FeedCursor(msgspec.Struct, frozen=True, array_like=True):
    """The last line that a reader has seen of each stream, and when (milliseconds)."""

    at: int
    seen: dict[str, str]

    def __str__(self) -> str:
        return urlsafe_b64encode(msgspec.json.encode(self)).decode()


def is_line_id(text: str) -> bool:
    """May this be the id of a line?"""
    return LINE_ID_PATTERN.fullmatch(text) is not None and max(line_order(text)) <= MAX_ID_PART


def line_order(line: str) -> tuple[int, int]:
    """Where a line stands in its stream."""
    at, _, nth = line.partition("-")
    return int(at), int(nth)


class Interest(NamedTuple):
    """Whose games, and what of them."""

    host: str | None
    """None: every game, as an operator."""
    tag: str | None
    types: frozenset[str]

    @property
    def streams(self) -> list[str]:
        kinds = ("hosted",) if self.host is not None else ("hosted", "unhosted")
        return [stream_key(partition, kind) for partition in partitions() for kind in kinds]

    def wants(self, fields: Any) -> bool:
        """Was this asked for? `fields` are those of a line in a stream."""
        if fields[b"type"].decode() not in self.types:
            return False
        if self.host is not None and fields[b"host"] != self.host.encode():
            return False
        return self.tag is None or self.tag in msgspec.json.decode(fields[b"event"], type=HostEvent).tags


def read_feed_cursor(text: str) -> FeedCursor:
    """The cursor that a feed gave; ValueError if it is none."""
    try:
        cursor = msgspec.json.decode(urlsafe_b64decode(text.encode()), type=FeedCursor)
    except (ValueError, msgspec.DecodeError):
        raise ValueError("not a cursor") from None
    if not all(map(is_line_id, cursor.seen.values())):
        raise ValueError("not a cursor")
    return cursor


def current_cursor(client: Client, interest: Interest) -> FeedCursor:
    """Where the streams end now."""
    return FeedCursor(_now(), {stream: end.last for stream, end in stream_ends(client, interest).items()})


def check_cursor(client: Client, interest: Interest, cursor: FeedCursor) -> None:
    """Refuse a cursor that is a day old, after which something is missing, or (ValueError) that is of another feed."""
    if cursor.seen.keys() != {*interest.streams}:
        raise ValueError("the cursor of another feed")
    if cursor.at < _now() - CURSOR_MS:
        raise CursorExpired
    check_no_gap(client, interest, cursor)


def check_no_gap(client: Client, interest: Interest, cursor: FeedCursor) -> None:
    """Refuse a cursor after which something is missing."""
    for stream, end in stream_ends(client, interest).items():
        if line_order(cursor.seen[stream]) < line_order(end.dropped):
            raise CursorExpired


class StreamEnd(NamedTuple):
    """Where a stream ends, and the last of its lines that is not kept any more."""

    last: str
    dropped: str


def stream_ends(client: Client, interest: Interest) -> dict[str, StreamEnd]:
    """Where each stream ends."""
    with client.pipeline(transaction=False) as pipe:
        ask_for_ends(pipe, interest.streams)
        answers: list[Any] = pipe.execute()
    return read_ends(interest.streams, answers)


def ask_for_ends(pipe: Any, streams: Sequence[str]) -> None:
    """Ask where these streams end (see `read_ends`)."""
    for stream in streams:
        pipe.xrevrange(stream, count=1)
        pipe.get(dropped_key(stream))


def read_ends(streams: Sequence[str], answers: Sequence[Any]) -> dict[str, StreamEnd]:
    """Where the streams end, of those that answered."""
    return {
        stream: _end(newest, dropped)
        for stream, newest, dropped in zip(streams, answers[::2], answers[1::2], strict=True)
        if not isinstance(newest, Exception) and not isinstance(dropped, Exception)
    }


def is_behind(cursor: FeedCursor, interest: Interest, ends: Mapping[str, StreamEnd]) -> bool:
    """Has anything come after this cursor, as far as the ends of streams are known?"""
    return any(
        line_order(cursor.seen[stream]) < line_order(ends[stream].last)
        for stream in interest.streams
        if stream in ends
    )


def _end(newest: Any, dropped: bytes | None) -> StreamEnd:
    last_dropped = (dropped or b"0-0").decode()
    return StreamEnd(newest[0][0].decode() if newest else last_dropped, last_dropped)


def _now() -> int:
    return round(time.time() * 1000)
