"""What happens in games, for those who run them: the feed's events, kept for a day in streams of each partition.

They follow from the logs: the projection of a game adds those of the entries after the one up to which the game is told
(a cursor per game), in the same step. So a kill loses none, and a projection that comes once a second skips none; only
whose turn it is, is told for the latest version alone. Games of no host have streams of their own: strangers who play
much cannot push out what happens at the hosts' tables.
"""

import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple, get_args

import msgspec

from events.canonical import canonical
from events.game import Game
from events.keys import partition_key, partition_of, partitions
from events.store import Client
from events.times import milliseconds

HappeningType = Literal[
    "game_created", "seat_taken", "game_started", "turn", "game_ended", "game_aborted", "game_settled"
]
TYPES: tuple[HappeningType, ...] = get_args(HappeningType)
KEPT_MS = 24 * 3600 * 1000
KEPT = {"hosted": 50_000, "unhosted": 5_000}
"""How much is kept in a partition at most, of games with and without a host."""


class Seat(msgspec.Struct, frozen=True):
    seat: int
    ref: str | None


class Happening(msgspec.Struct, frozen=True):
    """One thing that happened in a game, with nothing that a spectator of it may not know."""

    id: str
    type: HappeningType
    at: str
    game: str
    version: int
    status: str
    tags: tuple[str, ...]
    seats: list[Seat]
    to_act: tuple[int, ...]


# -- telling ------------------------------------------------------------------------------------------------------------


def happenings(before: Game | None, after: Game) -> list[Happening]:
    """What the entry between two moments of a game has brought about, but for whose turn it is."""
    if before is None and after.version > 1:
        return []  # what led there is told already
    return [_happening(after, kind) for kind in _types(before, after)]


def turn(game: Game) -> list[Happening]:
    """Whose turn it is, if it is anyone's."""
    return [_happening(game, "turn")] if game.to_act else []


def _types(before: Game | None, after: Game) -> Iterator[HappeningType]:
    """What the entry between two moments has brought about."""
    if before is None:
        yield "game_created"
        return
    if any(now.taken and not then.taken for then, now in zip(before.chairs, after.chairs, strict=True)):
        yield "seat_taken"
    if after.started and not before.started:
        yield "game_started"
    if after.status == "ended" != before.status:
        yield "game_ended"
    if after.aborted and not before.aborted:
        yield "game_aborted"
    if after.settled and not before.settled:
        yield "game_settled"


def _happening(game: Game, kind: HappeningType) -> Happening:
    return Happening(
        id=f"{game.id}.{game.version}.{kind}",
        type=kind,
        at=game.at,
        game=game.id,
        version=game.version,
        status=game.status,
        tags=game.created.tags,
        seats=[Seat(seat, chair.ref) for seat, chair in enumerate(game.chairs)],
        to_act=game.to_act,
    )


class Telling(NamedTuple):
    """What a projection adds: the stream, how long that may grow, and the events as JSON `[[version, type, event]]`."""

    stream: str
    length: int
    events: bytes


def telling(game: Game, happenings: list[Happening]) -> Telling:
    """These happenings of a game, ready for its projection."""
    kind = "hosted" if game.created.host else "unhosted"
    oldest = oldest_kept()
    recent = [happening for happening in happenings if milliseconds(happening.at) > oldest]
    lines = [[happening.version, happening.type, canonical(happening).decode()] for happening in recent]
    return Telling(stream_key(partition_of(game.id), kind), KEPT[kind], canonical(lines))


def stream_key(partition: str, kind: str) -> str:
    return partition_key(partition, f"{kind}:feed")


# -- reading ------------------------------------------------------------------------------------------------------------


class CursorExpired(Exception):
    """What came after this cursor is not kept any more."""


class Cursor(msgspec.Struct, frozen=True, array_like=True):
    """How far a reader has come in each stream, and when (milliseconds)."""

    at: int
    seen: dict[str, int]

    def __str__(self) -> str:
        return urlsafe_b64encode(msgspec.json.encode(self)).decode()


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
        return self.tag is None or self.tag in msgspec.json.decode(fields[b"event"], type=Happening).tags


def read_cursor(text: str) -> Cursor:
    """The cursor that a feed gave; ValueError if it is none."""
    try:
        return msgspec.json.decode(urlsafe_b64decode(text.encode()), type=Cursor)
    except (ValueError, msgspec.DecodeError):
        raise ValueError("not a cursor") from None


def present(client: Client, interest: Interest) -> Cursor:
    """Where the streams end now."""
    return Cursor(_now(), {stream: last for stream, (_, last) in _ends(client, interest).items()})


def check_kept(client: Client, interest: Interest, cursor: Cursor) -> None:
    """Refuse a cursor that is a day old, after which something is missing, or (ValueError) that is of another feed."""
    if cursor.seen.keys() != {*interest.streams}:
        raise ValueError("the cursor of another feed")
    if cursor.at < oldest_kept():
        raise CursorExpired
    check_whole(client, interest, cursor)


def check_whole(client: Client, interest: Interest, cursor: Cursor) -> None:
    """Refuse a cursor after which something is missing."""
    for stream, (first, last) in _ends(client, interest).items():
        if not first - 1 <= cursor.seen[stream] <= last:
            raise CursorExpired


def _ends(client: Client, interest: Interest) -> dict[str, tuple[int, int]]:
    """The numbers of each stream's first and last line; 1 and 0 if there is none."""
    with client.pipeline(transaction=False) as pipe:
        for stream in interest.streams:
            pipe.xrange(stream, count=1)
            pipe.xrevrange(stream, count=1)
        answers: list[Any] = pipe.execute()
    ends = zip(interest.streams, answers[::2], answers[1::2], strict=True)
    return {
        stream: (number_of(first[0][0]), number_of(last[0][0])) if first else (1, 0)
        for stream, first, last in ends
    }


def number_of(line: bytes) -> int:
    """The number of a line in its stream: the first is 1, and none is left out."""
    return int(line.partition(b"-")[0])


def oldest_kept() -> int:
    """The moment before which nothing is kept (milliseconds)."""
    return _now() - KEPT_MS


def _now() -> int:
    return round(time.time() * 1000)
