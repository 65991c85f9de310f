"""Reading lists: the lobby, results and standings, merged from the partitions that each keep a part."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeVar, cast

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
    """A page of a list, and the place after which the next page begins (None: there is none)."""

    items: list[Any]
    next: Place | None


class Lists:
    """What can be listed."""

    def __init__(self, client: Client) -> None:
        self.client = client

    def lobby(
        self, status: str | None, ruleset: str | None, player: str | None, after: Place | None, limit: int
    ) -> Listed:
        """Public games, newest first."""

        def row(game: str) -> LobbyRow | None:
            found = self._get("lobby:rows", game, LobbyRow)
            return found if found and fits(found, status, ruleset) else None

        return _page(self._walk(f"lobby:{facet(status, ruleset, player)}", after), row, limit)

    def results(self, ruleset: str | None, player: str | None, after: Place | None, limit: int) -> Listed:
        """Results of games that count, latest first."""

        def row(game: str) -> Result | None:
            found = self._get("results", game, Result)
            wanted = found and ruleset in (None, found.ruleset) and (player is None or player in found.refs)
            return found if wanted else None

        return _page(self._walk("results:order", after), row, limit)

    def standings(self, ruleset: str | None, player: str | None) -> list[Standing]:
        """Standings of all partitions together, best first."""
        totals: dict[tuple[str, str], Standing] = {}
        for partition in partitions():
            found = cast(dict[bytes, bytes], self.client.hgetall(partition_key(partition, "standings")))
            for field, value in found.items():
                one = _standing(field.decode(), value.decode())
                name = (one.ruleset, one.player)
                totals[name] = added(totals[name], one) if name in totals else one
        return ranked(
            one for one in totals.values() if ruleset in (None, one.ruleset) and player in (None, one.player)
        )

    def _get(self, name: str, game: str, kind: type[T]) -> T | None:
        row = cast(bytes | None, self.client.hget(partition_key(partition_of(game), name), game))
        return None if row is None else msgspec.json.decode(row, type=kind)

    def _walk(self, name: str, after: Place | None) -> Iterator[Place]:
        """The places of a list after a given one, newest first, read chunk by chunk."""
        while chunk := self._chunk(name, after):
            yield from chunk
            after = chunk[-1]

    def _chunk(self, name: str, after: Place | None) -> list[Place]:
        found: list[Place] = []
        for partition in partitions():
            found += self._chunk_of(partition_key(partition, name), after)
        return sorted(found, reverse=True)[:CHUNK]

    def _chunk_of(self, key: str, after: Place | None) -> list[Place]:
        """One partition's part; games of the very same moment as the last one seen are told apart by id."""
        ceiling = "+inf" if after is None else after.when
        found: list[Place] = []
        start = 0
        while len(found) < CHUNK:
            rows: Any = self.client.zrevrangebyscore(key, ceiling, "-inf", start, CHUNK, withscores=True)
            places = (Place(int(when), game.decode()) for game, when in rows)
            found += [place for place in places if after is None or place < after]
            if len(rows) < CHUNK:
                break
            start += CHUNK
        return found


def _page(places: Iterator[Place], row: Callable[[str], Any], limit: int) -> Listed:
    items: list[Any] = []
    latest: Place | None = None
    for place in places:
        found = row(place.game)
        if found is None:
            continue
        if len(items) == limit:
            return Listed(items, latest)
        items.append(found)
        latest = place
    return Listed(items, None)


def _standing(field: str, value: str) -> Standing:
    ruleset, _, player = field.partition(" ")
    played, won, shared = map(int, value.split(":"))
    return Standing(player, ruleset, played, won, shared)
