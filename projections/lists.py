"""Paged lists of the lobby and of results, merged from all partitions."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar, cast

import msgspec

from events.keys import partition_key, partition_of, partitions
from events.store import Client
from events.times import milliseconds
from projections import lobby, results
from projections.list_query import LISTS_FORMAT, ListQuery, ListRoot
from projections.lobby import LobbyRow, in_status
from projections.results import GameResult
from projections.scatter_gather import PartitionAnswers, ask_partitions

T = TypeVar("T", LobbyRow, GameResult)

CHUNK = 100
ROUNDS = 8
"""Chunks that are looked through for one page: wishes that no one list answers may find little in many rows."""


class ListPosition(NamedTuple):
    """Where a game stands in a list: by time (milliseconds), then by id."""

    when: int
    game: str


class ListPage(NamedTuple):
    """Some items of a list, and the place after which the next ones begin (None: there are none).

    `missing` names the partitions that did not answer: their games are not among the items.
    """

    items: list[Any]
    next: ListPosition | None
    missing: list[str]


@dataclass(frozen=True)
class Listing(Generic[T]):
    """How a list is kept: which orders of games, and where the rows of its games are."""

    root: ListRoot
    rows: str
    kind: type[T]
    fits: Callable[[T], bool]
    names: list[str]


class Lists:
    """Reads the lobby and the results."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self._outdated = frozenset(partitions())
        """Partitions that may have been listed by an earlier version."""

    def lobby(self, wanted: ListQuery, after: ListPosition | None, limit: int) -> ListPage:
        """Games, newest first."""

        def fits(row: LobbyRow) -> bool:
            return in_status(row, wanted.status) and wanted.fits(row)

        listing = Listing(
            lobby.lobby_list_root, "lobby:rows", LobbyRow, fits, wanted.names(lobby.lobby_list_root)
        )
        return self._some(listing, after, limit)

    def lobby_position(self, game: str) -> tuple[ListPosition, LobbyRow] | None:
        """Where a game stands among those of the lobby, and its row."""
        row = self.client.hget(partition_key(partition_of(game), "lobby:rows"), game)
        if row is None:
            return None
        read = msgspec.json.decode(cast(bytes, row), type=LobbyRow)
        return ListPosition(milliseconds(read.created), game), read

    def results(self, wanted: ListQuery, after: ListPosition | None, limit: int) -> ListPage:
        """Results of games that count, latest first."""
        listing = Listing(
            results.results_list_root,
            "results",
            GameResult,
            wanted.fits,
            wanted.names(results.results_list_root),
        )
        return self._some(listing, after, limit)

    def _some(self, listing: Listing[T], after: ListPosition | None, limit: int) -> ListPage:
        items: list[T] = []
        latest: ListPosition | None = None
        missing: set[str] = set()
        size = min(limit + 1, CHUNK)
        for _ in range(ROUNDS):
            places = self._chunk(listing, after, size, missing)
            for place, row in zip(places, self._rows(listing, places, missing), strict=True):
                if row is None or not listing.fits(row):
                    continue
                if len(items) == limit:
                    return ListPage(items, latest, sorted(missing))
                items.append(row)
                latest = place
            if len(places) < size:
                return ListPage(items, None, sorted(missing))
            after, size = places[-1], CHUNK
        return ListPage(items, after, sorted(missing))

    def _rows(self, listing: Listing[T], places: list[ListPosition], missing: set[str]) -> list[T | None]:
        """The rows of these games, in one round trip; None for a game that is gone from the list, or out of reach."""
        if not places:
            return []
        games: dict[str, list[str]] = {}
        for _, game in places:
            games.setdefault(partition_of(game), []).append(game)

        def ask(pipe: Any, partition: str) -> None:
            for game in games[partition]:
                pipe.hget(partition_key(partition, listing.rows), game)

        parts: PartitionAnswers = ask_partitions(self.client, ask, games)
        missing |= {*parts.missing}
        rows = {
            game: row
            for partition, answers in parts.answers.items()
            for game, row in zip(games[partition], answers, strict=True)
        }
        return [
            None if (row := rows.get(game)) is None else msgspec.json.decode(row, type=listing.kind)
            for _, game in places
        ]

    def _chunk(
        self, listing: Listing[T], after: ListPosition | None, size: int, missing: set[str]
    ) -> list[ListPosition]:
        """The next places after a given one, newest first, in one round trip."""
        ceiling = "+inf" if after is None else after.when
        orders = self._orders(listing)

        def ask(pipe: Any, partition: str) -> None:
            for order in orders[partition]:
                pipe.zrevrangebyscore(order, ceiling, "-inf", 0, size, withscores=True)

        parts: PartitionAnswers = ask_partitions(self.client, ask, orders)
        missing |= {*parts.missing}
        merged: list[ListPosition] = []
        for partition, answers in parts.answers.items():
            for order, rows in zip(orders[partition], answers, strict=True):
                places = _after(rows, after)
                if len(rows) == size and len(places) < size:
                    places += self._of_the_same_moment(order, after, size)
                merged += places
        return sorted(merged, reverse=True)[:size]

    def _of_the_same_moment(self, key: str, after: ListPosition | None, start: int) -> list[ListPosition]:
        """Further places of one order, whose chunk was spent on games of the same millisecond as the last one seen."""
        missing: list[ListPosition] = []
        while len(missing) < CHUNK:
            ceiling = "+inf" if after is None else after.when
            rows: Any = self.client.zrevrangebyscore(key, ceiling, "-inf", start, CHUNK, withscores=True)
            missing += _after(rows, after)
            if len(rows) < CHUNK:
                break
            start += CHUNK
        return missing

    # -- what earlier versions have listed --------------------------------------------------------------------------

    def _orders(self, listing: Listing[T]) -> dict[str, list[str]]:
        """The keys to read in each partition. Where games are not in all their lists yet, the list of all public games
        must do."""
        if self._outdated:
            self._outdated = frozenset(self._find_outdated())
        public, *private = listing.names
        everything = listing.root(None, None)
        return {
            partition: [
                partition_key(partition, name)
                for name in (everything if partition in self._outdated else public, *private)
            ]
            for partition in partitions()
        }

    def _find_outdated(self) -> list[str]:
        """The partitions that have rows, and no mark that they are in all their lists; and those that do not answer."""

        def ask(pipe: Any, partition: str) -> None:
            pipe.get(partition_key(partition, "lists"))
            pipe.exists(partition_key(partition, "lobby:rows"), partition_key(partition, "results"))

        parts = ask_partitions(self.client, ask, sorted(self._outdated))
        return parts.missing + [
            partition
            for partition, (written, has_rows) in parts.answers.items()
            if has_rows and written != LISTS_FORMAT.encode()
        ]


def _after(rows: Any, after: ListPosition | None) -> list[ListPosition]:
    """The places of these rows that come after one; games of the same moment are told apart by id."""
    places = (ListPosition(int(when), game.decode()) for game, when in rows)
    return [place for place in places if after is None or place < after]
