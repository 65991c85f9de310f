"""Standings: what the players that hosts name by ref have achieved, ranked, for each ruleset, host and tag.

They are made of every settled public game's score, which its partition keeps; they lie together in a slot of their
own, so a game of which they have to be told is marked until they are. A game counts once however often it is told.
"""

import logging
from collections.abc import Iterable, Sequence
from itertools import product
from typing import NamedTuple, cast

import msgspec

from events.keys import partition_key, partition_of
from events.scripts import Script
from events.store import Client
from events.store_errors import STORE_FAILED
from events.times import milliseconds
from projections.list_query import ANY, quoted
from projections.ranking import Rank, ranked_page
from projections.results import GameResult

log = logging.getLogger(__name__)

STANDINGS_PREFIX = "stele:{standings}:"


class RatedMatch(msgspec.Struct, frozen=True):
    """What a game says of its players' strength: in which pool, and by player the place it came to and its seat."""

    pool: str
    players: list[tuple[str, int, int]]


class Score(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one game adds: to which standings, and for each player games played, won and shared, and its seat."""

    when: int
    groups: list[str]
    players: list[tuple[str, int, int, int, int]]
    match: RatedMatch | None = None


class Standing(msgspec.Struct, frozen=True):
    """What a player has achieved: shared wins are counted as won and as shared."""

    host: str | None
    ref: str
    played: int
    won: int
    shared: int
    game: str
    """The latest game of this player, and the seat there: where its name is found."""
    seat: int

    @property
    def lost(self) -> int:
        return self.played - self.won

    @property
    def points(self) -> int:
        """Two for a win, one for a shared one."""
        return 2 * self.won - self.shared


class Ranked(NamedTuple):
    """Some players of the standings, best first, and the rank after which the next ones begin (None: there are none)."""

    items: list[Standing]
    next: Rank | None


def group(ruleset: str | None = None, host: str | None = None, tag: str | None = None) -> str:
    """The standings of a ruleset, a host and a tag; of all, where none is named."""
    return ":".join(quoted(part) if part else ANY for part in (ruleset, host, tag))


def player_name(host: str | None, ref: str) -> str:
    """A player as standings know it: a ref belongs to the host that gave it."""
    return f"{host or ''} {ref}"


def score_of(result: GameResult, match: RatedMatch | None = None) -> Score | None:
    """What a result adds to the standings and ratings; private games and those without refs add nothing."""
    if result.private or not any(result.refs):
        return None
    winners = result.outcome["winners"]
    players: dict[str, tuple[str, int, int, int, int]] = {}
    for seat, ref in enumerate(result.refs):
        if ref is None:
            continue
        name = player_name(result.givers[seat] if result.givers else None, ref)
        _, played, won, shared, _ = players.get(name, (name, 0, 0, 0, 0))
        wins = int(seat in winners)
        shares = int(wins and len(winners) > 1)
        players[name] = (name, played + 1, won + wins, shared + shares, seat)
    rulesets, hosts, tags = (None, result.ruleset), {None, result.host}, (None, *result.tags)
    groups = sorted({group(*key) for key in product(rulesets, hosts, tags)})
    return Score(milliseconds(result.settled), groups, [players[name] for name in sorted(players)], match)


class Standings:
    """Keeps and reads the standings."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self._score = Script(client, "projections", "score.lua")
        self._told = Script(client, "projections", "published.lua")

    # -- telling ------------------------------------------------------------------------------------------------------

    def tell(self, game: str) -> None:
        """Bring the standings up to date with a game's score; while they are away, the game stays marked."""
        partition = partition_of(game)
        scores, untold = (partition_key(partition, name) for name in ("results:scored", "standings:untold"))
        try:
            while True:
                score = cast(bytes | None, self.client.hget(scores, game)) or b""
                self._score([STANDINGS_PREFIX + "scored"], [game, score, STANDINGS_PREFIX])
                if self._told([scores, untold], [game, score]):
                    return
        except STORE_FAILED as error:
            log.warning("the standings were not told of a game: %s", type(error).__name__)

    def drop(self) -> None:
        """Forget everything, to be told of it again."""
        keys = list(cast(Iterable[bytes], self.client.scan_iter(STANDINGS_PREFIX + "*", count=1000)))
        for start in range(0, len(keys), 500):
            self.client.delete(*keys[start : start + 500])

    # -- reading ------------------------------------------------------------------------------------------------------

    def page(self, of: str, after: Rank | None, limit: int) -> Ranked:
        """Some players of a group, best first."""
        players, following = ranked_page(self.client, _order(of), after, limit)
        return Ranked(self.of_players([(of, player) for player in players]), following)

    def of_players(self, wanted: Sequence[tuple[str, str]]) -> list[Standing]:
        """The standings of single players, each in a group; who has none is left out."""
        if not wanted:
            return []
        with self.client.pipeline(transaction=False) as pipe:
            for of, player in wanted:
                pipe.hget(_totals(of), player)
            lines: list[bytes | None] = pipe.execute()
        pairs = zip(wanted, lines, strict=True)
        return [_standing(player, line.decode()) for (_, player), line in pairs if line]


def _order(of: str) -> str:
    return f"{STANDINGS_PREFIX}order:{of}"


def _totals(of: str) -> str:
    return f"{STANDINGS_PREFIX}totals:{of}"


def _standing(player: str, line: str) -> Standing:
    host, _, ref = player.partition(" ")
    played, won, shared, _, game, seat = line.split(":")
    return Standing(host or None, ref, int(played), int(won), int(shared), game, int(seat))
