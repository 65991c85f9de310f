"""Ratings of the people that hosts name by ref: one pool of players for each host and ruleset.

A rating depends on the order of the matches, so a match that comes late (or is taken back) undoes those after it, which
are then rated again. `score.lua` notes matches as standings are told of them; a job rates them, a batch at a time. All
of this lies in the slot of the standings and is rebuilt with them.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import msgspec

from events.game import Game
from events.scripts import Script
from events.store import Client
from projections.list_query import giver_of
from projections.ranking import Rank, ranked_page
from projections.standings import STANDINGS_PREFIX, RatedMatch, group, player_name

PLACES = 1000
"""Ratings are told, and players ranked, to the thousandth."""


class Rating(msgspec.Struct, frozen=True):
    """A player's rating, how many matches made it, and the latest of them, where its name is found."""

    mu: float
    sigma: float
    played: int
    game: str
    seat: int

    @property
    def ordinal(self) -> float:
        """What players are ranked by: a strength that they surpass almost certainly."""
        return self.mu - 3 * self.sigma


class Rated(NamedTuple):
    """A player of a pool with its rating."""

    player: str
    rating: Rating


class RatedPage(NamedTuple):
    """Some players of a pool, best first, and the rank after which the next ones begin (None: there are none)."""

    items: list[Rated]
    next: Rank | None


class MatchPlace(msgspec.Struct, frozen=True, array_like=True):
    """Where a match stands in the order of its pool: when it was settled (ms), and its game."""

    when: int
    game: str


class PoolState(NamedTuple):
    """What there is to rate in a pool: nothing if `stale_from` is None."""

    revision: str
    stale_from: MatchPlace | None


class RatedStep(NamedTuple):
    """A match with what it found: by player the ratings before it, None for who had none."""

    place: MatchPlace
    before: dict[str, Rating | None]


class Ratings:
    """Keeps and reads the ratings."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self._rate = Script(client, "projections", "rate.lua")

    # -- rating -------------------------------------------------------------------------------------------------------

    def stale_pools(self) -> list[str]:
        """The pools with matches that are not rated yet."""
        return sorted(pool.decode() for pool in cast(Any, self.client.smembers(f"{STANDINGS_PREFIX}unrated")))

    def state(self, pool: str) -> PoolState:
        """From where on the matches of a pool are to be rated, and the revision of what is noted of it."""
        revision, when, game = cast(Any, self.client.hmget(_pool(pool), "rev", "when", "game"))
        place = MatchPlace(int(when), game.decode()) if when else None
        return PoolState((revision or b"").decode(), place)

    def rated_from(self, pool: str, place: MatchPlace, limit: int) -> list[RatedStep]:
        """Matches that are rated, latest first, as far back as to this place."""
        found = cast(Any, self.client.zrevrangebyscore(_rated(pool), "+inf", place.when, 0, limit, True))
        places = [each for each in _places(found) if _key(each) >= _key(place)]
        lines = cast(Any, self.client.hmget(_steps(pool), [each.game for each in places])) if places else []
        read = msgspec.json.Decoder(dict[str, Rating | None]).decode
        return [RatedStep(each, read(line)) for each, line in zip(places, lines, strict=True)]

    def matches_from(self, pool: str, place: MatchPlace, limit: int) -> list[tuple[MatchPlace, RatedMatch]]:
        """The matches of a pool from a place on, in order."""
        found = cast(Any, self.client.zrangebyscore(_matches(pool), place.when, "+inf", 0, limit, True))
        places = [each for each in _places(found) if _key(each) >= _key(place)]
        lines = cast(Any, self.client.hmget(_details(pool), [each.game for each in places])) if places else []
        read = msgspec.json.Decoder(RatedMatch).decode
        return [(each, read(line)) for each, line in zip(places, lines, strict=True) if line]

    def of(self, pool: str, players: Sequence[str]) -> dict[str, Rating]:
        """The ratings of these players, of those who have one."""
        if not players:
            return {}
        lines = cast(Any, self.client.hmget(_players(pool), list(players)))
        read = msgspec.json.Decoder(Rating).decode
        return {player: read(line) for player, line in zip(players, lines, strict=True) if line}

    def write(
        self,
        pool: str,
        revision: str,
        undone: Sequence[RatedStep],
        done: Sequence[RatedStep],
        ratings: dict[str, Rating | None],
        stale_from: MatchPlace | None,
    ) -> bool:
        """Keep a batch of ratings; False if something came to the pool since it was looked at."""
        keys = [_pool(pool), _rated(pool), _steps(pool), _players(pool), _order(pool)]
        changes = {
            "undone": [step.place.game for step in undone],
            "done": [
                [step.place.when, step.place.game, msgspec.json.encode(step.before).decode()] for step in done
            ],
            "players": [
                [player, msgspec.json.encode(rating).decode(), -round(rating.ordinal * PLACES)]
                if rating
                else [player]
                for player, rating in ratings.items()
            ],
            "stale_from": stale_from or [],
        }
        kept: int = self._rate(
            [*keys, f"{STANDINGS_PREFIX}unrated"], [pool, revision, msgspec.json.encode(changes)]
        )
        return kept == 1

    # -- reading ------------------------------------------------------------------------------------------------------

    def page(self, pool: str, after: Rank | None, limit: int) -> RatedPage:
        """Some players of a pool, best first."""
        players, following = ranked_page(self.client, _order(pool), after, limit)
        ratings = self.of(pool, players)
        return RatedPage(
            [Rated(player, ratings[player]) for player in players if player in ratings], following
        )


def pool_of(ruleset: str, host: str | None) -> str:
    """The pool of a ruleset and a host; without a host, of those whom operators name in games of nobody."""
    return group(ruleset, host)


def match_of(game: Game) -> RatedMatch | None:
    """What a settled game says of the strength of people; None if it says nothing.

    Rated are people whom the game's own host has given a ref. Who won comes first, all others second.
    """
    host, outcome = game.created.host, game.outcome
    seats = [
        seat
        for seat, chair in enumerate(game.chairs)
        if chair.ref and not chair.bot and giver_of(game, seat) == (host or "")
    ]
    people = {player_name(host, str(game.chairs[seat].ref)): seat for seat in seats}
    if outcome is None or len(people) < 2 or len(people) < len(seats):  # nobody is a match for themselves
        return None
    winners = outcome.winners or seats
    places = [(player, 1 if seat in winners else 2, seat) for player, seat in sorted(people.items())]
    return RatedMatch(pool_of(game.created.ruleset, host), places)


def _places(found: Sequence[tuple[bytes, float]]) -> list[MatchPlace]:
    return [MatchPlace(int(when), game.decode()) for game, when in found]


def _key(place: MatchPlace) -> tuple[int, str]:
    return place.when, place.game


def _pool(pool: str) -> str:
    return f"{STANDINGS_PREFIX}pool:{pool}"


def _matches(pool: str) -> str:
    return f"{STANDINGS_PREFIX}matches:{pool}"


def _details(pool: str) -> str:
    return f"{STANDINGS_PREFIX}match:{pool}"


def _rated(pool: str) -> str:
    return f"{STANDINGS_PREFIX}rated:{pool}"


def _steps(pool: str) -> str:
    return f"{STANDINGS_PREFIX}steps:{pool}"


def _players(pool: str) -> str:
    return f"{STANDINGS_PREFIX}ratings:{pool}"


def _order(pool: str) -> str:
    return f"{STANDINGS_PREFIX}rating_order:{pool}"
