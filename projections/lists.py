"""Reading lists: the lobby, results and standings, merged from the partitions that each keep a part."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from events.keys import partition_key, partition_of, partitions
from events.store import Client
from projections.lobby import LobbyRow, facet, fits
from projections.results import Result, Standing, added, ranked

T = TypeVar("T")

CHUNK = 100


class Place(NamedTuple):
    """Where a game stands in a list: by time (milliseconds), then by id."""

    when: int
    game: str


class Listed(NamedTuple):
    """Some items of a list, and the place after which the next ones begin (None: there are none)."""

    items: list[Any]
    next: Place | None


@dataclass(frozen=True)
class Listing(Generic[T]):
    """How a list is kept: which order of games, and where the rows of its games are."""

    order: str
    rows: str
    kind: type[T]


class Lists:
    """Reads the lobby, the results and the standings."""

    def __init__(self, client: Client) -> None:
        self.client = client

    def lobby(
        self, status: str | None, ruleset: str | None, player: str | None, after: Place | None, limit: int
    ) -> Listed:
        """Public games, newest first."""
        listing = Listing(f"lobby:{facet(status, ruleset, player)}", "lobby:rows", LobbyRow)
        return self._some(listing, lambda row: fits(row, status, ruleset), after, limit)

    def results(self, ruleset: str | None, player: str | None, after: Place | None, limit: int) -> Listed:
        """Results of games that count, latest first."""

        def wanted(result: Result) -> bool:
            return ruleset in (None, result.ruleset) and (player is None or player in result.refs)

        return self._some(Listing("results:order", "results", Result), wanted, after, limit)

    def standings(self, ruleset: str | None, player: str | None) -> list[Standing]:
        """Standings of all partitions together, best first."""
        totals: dict[tuple[str, str], Standing] = {}
        with self.client.pipeline(transaction=False) as pipe:
            for partition in partitions():
                pipe.hgetall(partition_key(partition, "standings"))
            parts: list[dict[bytes, bytes]] = pipe.execute()
        for standings in parts:
            for field, value in standings.items():
                one = _standing(field.decode(), value.decode())
                name = (one.ruleset, one.player)
                totals[name] = added(totals[name], one) if name in totals else one
        return ranked(
            one for one in totals.values() if ruleset in (None, one.ruleset) and player in (None, one.player)
        )

    def _some(
        self, listing: Listing[T], wanted: Callable[[T], bool], after: Place | None, limit: int
    ) -> Listed:
        items: list[T] = []
        latest: Place | None = None
        while places := self._chunk(listing.order, after):
            rows = self._rows(listing, places)
            for place, row in zip(places, rows, strict=True):
                if row is None or not wanted(row):
                    continue
                if len(items) == limit:
                    return Listed(items, latest)
                items.append(row)
                latest = place
            after = places[-1]
        return Listed(items, None)

    def _rows(self, listing: Listing[T], places: list[Place]) -> list[T | None]:
        """The rows of these games, in one round trip; None for a game that is gone from the list."""
        with self.client.pipeline(transaction=False) as pipe:
            for _, game in places:
                pipe.hget(partition_key(partition_of(game), listing.rows), game)
            rows: list[bytes | None] = pipe.execute()
        return [None if row is None else msgspec.json.decode(row, type=listing.kind) for row in rows]

    def _chunk(self, order: str, after: Place | None) -> list[Place]:
        """The next places after a given one, newest first, in one round trip."""
        ceiling = "+inf" if after is None else after.when
        with self.client.pipeline(transaction=False) as pipe:
            for partition in partitions():
                pipe.zrevrangebyscore(
                    partition_key(partition, order), ceiling, "-inf", 0, CHUNK, withscores=True
                )
            parts: list[Any] = pipe.execute()
        merged: list[Place] = []
        for partition, rows in zip(partitions(), parts, strict=True):
            places = _after(rows, after)
            if len(rows) == CHUNK and len(places) < CHUNK:
                places += self._of_the_same_moment(partition_key(partition, order), after)
            merged += places
        return sorted(merged, reverse=True)[:CHUNK]

    def _of_the_same_moment(self, key: str, after: Place | None) -> list[Place]:
        """Further places of one partition, whose chunk was spent on games of the same millisecond as the last one seen."""
        missing: list[Place] = []
        start = CHUNK
        while len(missing) < CHUNK:
            ceiling = "+inf" if after is None else after.when
            rows: Any = self.client.zrevrangebyscore(key, ceiling, "-inf", start, CHUNK, withscores=True)
            missing += _after(rows, after)
            if len(rows) < CHUNK:
                break
            start += CHUNK
        return missing


def _after(rows: Any, after: Place | None) -> list[Place]:
    """The places of these rows that come after one; games of the same moment are told apart by id."""
    places = (Place(int(when), game.decode()) for game, when in rows)
    return [place for place in places if after is None or place < after]


def _standing(field: str, value: str) -> Standing:
    ruleset, _, player = field.partition(" ")
    played, won, shared = map(int, value.split(":"))
    return Standing(player, ruleset, played, won, shared)
