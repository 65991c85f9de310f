"""The event store: each game's log is a Redis stream, appended to by one script with optimistic concurrency."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple, cast

import msgspec
from redis import Redis
from redis.cluster import RedisCluster

from events.batch import IdempotencyKey
from events.entries import (
    GENESIS,
    Carved,
    GameSettled,
    GameStarted,
    RequestReference,
    SeatLeft,
    read_carved,
)
from events.keys import keys_of
from events.scripts import Script
from events.store_errors import UNAVAILABLE
from events.tombstones import Archive, NoArchive, Tombstone, read_tombstone, request_in

FEED_LENGTH = 10_000
OF_EVERY_APPEND = 6
"""Keys that every append touches."""
LEAVES, BESIDE = 9, 10
"""Where the script's arguments have what needs the others, too."""
READ_CHUNK = 500
"""Entries that are read of a long log at once."""

Client = Redis | RedisCluster
"""A redis-py client that leaves bytes as they are, of a single server or of a cluster."""


class Head(NamedTuple):
    """Where a log ends: the number and the hash of its latest entry."""

    seq: int
    hash: str


EMPTY_LOG = Head(0, GENESIS)


@dataclass(frozen=True)
class Appended:
    """The entries are in the log."""


@dataclass(frozen=True)
class VersionConflict:
    """The log has gone on; these entries came in between. Nothing was appended."""

    unseen: list[Carved]


@dataclass(frozen=True)
class AlreadyApplied:
    """This very request was carried out before, by the entries `of`. Nothing was appended."""

    request: RequestReference


@dataclass(frozen=True)
class LogDiverged:
    """The log does not hold what the writer knows. Nothing was appended; read it anew."""


AppendResult = Appended | VersionConflict | AlreadyApplied | LogDiverged


class SideData(NamedTuple):
    """What is kept beside a log and changes with it."""

    secrets: Mapping[str, str] = MappingProxyType({})
    people: Mapping[str, str] = MappingProxyType({})
    deadline: int | None = None
    handed_over: Mapping[int, str] = MappingProxyType({})
    """Seats that others take over, and the name under which the former player is kept (see `former_field`)."""
    due: bool = False
    """Is it for the workers at once: a bot to act, a game that is over? Else its turn comes soon enough."""
    logged: bool = False
    """Is its start, or its settlement, a leaf of the transparency log? Not if it is restored or imported."""


class EventStore:
    """Appends to and reads from the logs of games; those that have moved to the archive are read there."""

    def __init__(
        self,
        client: Client,
        archive: Archive | None = None,
        appends: Client | None = None,
        *,
        replicated: bool = False,
        logged: bool = False,
    ) -> None:
        self.client = client
        self.replicated = replicated
        """Do appends wait for replicas? Then what was done before is written again, to be waited for, too."""
        self.logged = logged
        """Does this server keep a transparency log? Then games that start or are settled are marked for it."""
        self.appends = appends or client
        """What appends go through: a way of their own, so that no read waits behind a write that is brought to disk."""
        self.archive = archive or NoArchive()
        self._append = Script(self.appends, "events", "append.lua")

    def append(
        self,
        expected: Head,
        entries: Sequence[Carved],
        idempotency_key: IdempotencyKey | None = None,
        side_data: SideData | None = None,
    ) -> AppendResult:
        """Append entries after `expected`, all of them or none, in one round trip.

        A client that lost the answer may send them once more: salted as they are, they are known again by their hash.
        """
        _check_chain(expected, entries)
        game = entries[0].entry.game
        arguments = _arguments(
            game, expected, entries, idempotency_key, side_data or SideData(), replicated=self.replicated
        )
        all_keys = keys_of(game)
        keys = all_keys if arguments[LEAVES] or arguments[BESIDE] else all_keys[:OF_EVERY_APPEND]
        answer: list[bytes] = self._append(keys, arguments)
        if answer[0] == b"REINDEX":
            self.reindex(game)
            answer = self._append(keys, arguments)
        match answer[0]:
            case b"OK":
                return Appended()
            case b"DONE":
                assert idempotency_key is not None
                return AlreadyApplied(_read_request(idempotency_key.key, answer[1]))
            case b"BEHIND":
                came = _version_conflict(entries_in(answer[1:]), entries)
                if came == Appended() and self.replicated:
                    self._wake_again(game, entries[-1].seq)
                return came
            case b"ARCHIVED":
                return self._refer_to_archive(game, expected, entries, idempotency_key)
        return LogDiverged()

    def _refer_to_archive(
        self, game: str, expected: Head, entries: Sequence[Carved], idempotency_key: IdempotencyKey | None
    ) -> AppendResult:
        """What the script would answer if the log were still in the store."""
        log = self._archived(game)
        if idempotency_key and (request := request_in(log, idempotency_key.key)):
            return AlreadyApplied(request)
        if expected != EMPTY_LOG and [carved.hash for carved in log[expected.seq - 1 : expected.seq]] != [
            expected.hash
        ]:
            return LogDiverged()
        if expected.seq == len(log):
            raise BrokenChain(f"nothing can follow entry {expected.seq}: the log is archived")
        return _version_conflict(log[expected.seq :], entries)

    def _wake_again(self, game: str, seq: int) -> None:
        """Entries stand in the log by an append whose answer was lost. Whoever waits for replicas waits for what it has
        written itself: one more line in the feed, which does no harm, comes after them."""
        line: dict[Any, Any] = {"game": game, "seq": seq, "due": ""}
        self.appends.xadd(keys_of(game).feed, line, maxlen=FEED_LENGTH, approximate=True)

    def read(self, game: str, after: int = 0, limit: int | None = None) -> list[Carved]:
        """The entries after number `after`, oldest first."""
        rows = self.client.xrange(keys_of(game).stream, f"{after + 1}-0", "+", count=limit)
        if not rows:
            return self._archived(game)[after:][:limit]
        return [entry_in(row) for row in cast(list[Any], rows)]

    def first(self, game: str) -> Carved | None:
        """The first entry of a log, if the store still has it: no archive is asked."""
        rows = cast(list[Any], self.client.xrange(keys_of(game).stream, count=1))
        return entry_in(rows[0]) if rows else None

    def tombstone(self, game: str) -> Tombstone | None:
        """What stands where a game's log was, if it has moved to the archive."""
        fields = cast(dict[bytes, bytes], self.client.hgetall(keys_of(game).archived))
        return read_tombstone(fields) if fields else None

    def _archived(self, game: str) -> list[Carved]:
        """The log of a game that has moved to the archive; nothing if it has not."""
        stone = self.tombstone(game)
        return list(self.archive.entries(game, stone.seq, stone.hash)) if stone else []

    def walk(self, game: str, after: int = 0, last: int | None = None) -> Iterator[Carved]:
        """Every entry after number `after`, up to number `last` if it is given, some at a time."""
        while last is None or after < last:
            limit = READ_CHUNK if last is None else min(READ_CHUNK, last - after)
            entries = self.read(game, after, limit)
            yield from entries
            if len(entries) < limit:
                return
            after += limit

    def head(self, game: str) -> Head:
        """Where a game's log ends; (0, zeros) if there is none."""
        rows = cast(list[Any], self.client.xrevrange(keys_of(game).stream, count=1))
        if not rows:
            stone = self.tombstone(game)
            return Head(stone.seq, stone.hash) if stone else EMPTY_LOG
        latest = entry_in(rows[0])
        return Head(latest.seq, latest.hash)

    def done(self, game: str, idempotency_key: IdempotencyKey) -> RequestReference | None:
        """The record of a request that was carried out before, if it was."""
        keys = keys_of(game)
        line, complete = cast(list[bytes | None], self.client.hmget(keys.retries, [idempotency_key.key, "#"]))
        if line is None and complete is None:
            if not self.client.exists(keys.stream):
                return request_in(self._archived(game), idempotency_key.key)
            self.reindex(game)
            line = cast(bytes | None, self.client.hget(keys.retries, idempotency_key.key))
        if line is None:
            return None
        # As the script does: a repeat waits for replicas, too.
        self.appends.hset(keys.retries, idempotency_key.key, line)
        return _read_request(idempotency_key.key, line)

    def reindex(self, game: str) -> None:
        """Rebuild the index of retries from the entries themselves; an archived log is looked through instead."""
        if self.tombstone(game):
            return
        index: dict[str, str] = {"#": "1"}
        for carved in self.walk(game):
            index["@"] = f"{carved.seq}:{carved.hash}"
            if request := carved.entry.req:
                index[request.key] = f"{request.of[0]}:{request.of[1]}:{request.body}"
        self.client.hset(keys_of(game).retries, mapping=cast(Any, index))

    def secrets(self, game: str) -> dict[str, str]:
        """What the server keeps to itself of a game."""
        fields = cast(dict[bytes, bytes], self.client.hgetall(keys_of(game).secrets))
        return {name.decode(): value.decode() for name, value in fields.items()}

    def people(self, game: str) -> dict[int, bytes]:
        """Names and nonces by seat: kept beside the log, so that they can be forgotten."""
        return people_among(cast(dict[bytes, bytes], self.client.hgetall(keys_of(game).people)))

    def former_people(self, game: str) -> dict[tuple[int, int], bytes]:
        """Names and nonces of those who have handed a seat over, by seat and the generation they came with."""
        fields = cast(dict[bytes, bytes], self.client.hgetall(keys_of(game).people))
        former = {
            tuple(map(int, name.split(b"~"))): person for name, person in fields.items() if b"~" in name
        }
        return {(seat, generation): former[seat, generation] for seat, generation in sorted(former)}

    def people_of(self, games: Sequence[str]) -> list[dict[int, bytes]]:
        """The people of several games, in one round trip; nobody where a part of the store is away."""
        with self.client.pipeline(transaction=False) as pipe:
            for game in games:
                pipe.hgetall(keys_of(game).people)
            answers: list[Any] = pipe.execute(raise_on_error=False)
        return [_people(answer) for answer in answers]

    def forget(self, game: str, seat: int) -> bool:
        """Erase who sits there, and who sat there before; the log holds a hash only. Was there a name?"""
        former = [former_field(*place) for place in self.former_people(game) if place[0] == seat]
        return bool(self.client.hdel(keys_of(game).people, str(seat), *former))


def former_field(seat: int, generation: int) -> str:
    """Where the name of somebody is kept who has handed a seat over, beside those of who sits there."""
    return f"{seat}~{generation}"


def people_among(fields: Mapping[bytes, bytes]) -> dict[int, bytes]:
    """Names and nonces of those who hold the seats, by seat."""
    return {int(seat): person for seat, person in fields.items() if b"~" not in seat}


class BrokenChain(ValueError):
    """Entries handed to `append` that do not follow one another: a fault of the writer."""


def _people(answer: Any) -> dict[int, bytes]:
    if isinstance(answer, UNAVAILABLE):
        return {}
    if isinstance(answer, Exception):
        raise answer
    return people_among(answer)


def _check_chain(expected: Head, entries: Sequence[Carved]) -> None:
    if not entries:
        raise BrokenChain("there is nothing to append")
    seq, prev = expected
    for carved in entries:
        if (carved.entry.seq, carved.entry.prev) != (seq + 1, prev):
            raise BrokenChain(f"entry {carved.entry.seq} does not follow entry {seq}")
        seq, prev = carved.entry.seq, carved.hash


def _arguments(
    game: str,
    expected: Head,
    entries: Sequence[Carved],
    idempotency_key: IdempotencyKey | None,
    side_data: SideData,
    *,
    replicated: bool,
) -> list[str | bytes | int]:
    key, body = idempotency_key or ("", "")
    deadline = "" if side_data.deadline is None else side_data.deadline
    due = "1" if side_data.due else ""
    arguments: list[str | bytes | int] = [
        expected.seq,
        expected.hash,
        key,
        body,
        game,
        FEED_LENGTH,
        deadline,
        due,
        "1" if replicated else "",
        leaf_kinds(entries) if side_data.logged else "",
        _beside(entries, side_data),
    ]
    for carved in entries:
        arguments += [carved.raw, carved.hash]
    return arguments


def _beside(entries: Sequence[Carved], side_data: SideData) -> bytes:
    """What changes beside the log, as the script reads it; nothing if nothing does."""
    left = [carved.entry.data.seat for carved in entries if isinstance(carved.entry.data, SeatLeft)]
    if not (left or side_data.handed_over or side_data.secrets or side_data.people):
        return b""
    return msgspec.json.encode(
        {
            "left": left,
            "handed_over": dict(side_data.handed_over),
            "secrets": dict(side_data.secrets),
            "people": dict(side_data.people),
        }
    )


def leaf_kinds(entries: Sequence[Carved]) -> str:
    """The leaves that the transparency log is to hold once these entries are appended.

    A settlement names both: the game may have started when there was no log yet. Which leaf is there, the log knows.
    """
    kinds: list[str] = []
    for carved in entries:
        if isinstance(carved.data, GameStarted):
            kinds.append("created")
        elif isinstance(carved.data, GameSettled):
            kinds += ["created", "settled"] if carved.entry.state else ["settled"]
    return " ".join(dict.fromkeys(kinds))


def _version_conflict(unseen: list[Carved], entries: Sequence[Carved]) -> Appended | VersionConflict:
    """The log has gone on; if with these very entries, an answer was lost on its way."""
    in_already = len(unseen) >= len(entries) and unseen[len(entries) - 1].hash == entries[-1].hash
    return Appended() if in_already else VersionConflict(unseen)


def entry_in(row: Any) -> Carved:
    """The entry in a row of a game's stream."""
    fields = row[1]
    return read_carved(fields[b"e"], fields[b"h"].decode())


def entries_in(flat: Sequence[bytes]) -> list[Carved]:
    """The entries in a script's answer: e and h in turn."""
    return [read_carved(raw, digest.decode()) for raw, digest in zip(flat[::2], flat[1::2], strict=True)]


def _read_request(key: str, line: bytes) -> RequestReference:
    first, last, body = line.decode().split(":")
    return RequestReference(key, body, (int(first), int(last)))
