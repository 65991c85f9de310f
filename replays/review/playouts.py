"""Playouts of a review: how a position, or an action, fares in many worlds that share hidden cards and chance.

Playout number k of every position of a game draws from the same numbers, so that what two positions have in common
does not count as a difference between them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from math import sqrt
from typing import Any

from events.entries import Carved
from games.chance import Chance, Stream
from games.kernel import Ruleset, Seat
from games.search import play_on

Chances = tuple[float, ...]
Worlds = Callable[[Stream], Any]
"""A full state at random that fits what is known."""
FARTHEST = 3
"""Moments that a playout passes at most: ends that lie farther off tell more of chance than of a move."""


def seed_of(entries: Sequence[Carved]) -> bytes:
    """Where the chances of a review come from: the game and the end of its log, so that it always comes out the same."""
    return sha256(f"stele-review-1\0{entries[0].entry.game}\0{entries[-1].hash}".encode()).digest()


def short_sighted(ruleset: Ruleset[Any, Any]) -> Ruleset[Any, Any]:
    """A ruleset whose prospects look no farther than a review does."""
    prospects = ruleset.prospects
    return replace(ruleset, prospects=replace(prospects, horizon=min(prospects.horizon, FARTHEST)))


@dataclass(frozen=True)
class Playouts:
    """The playouts of one game."""

    ruleset: Ruleset[Any, Any]
    seed: bytes

    def dice(self, name: str) -> Stream:
        return Stream(self.seed, name)

    def chances(self, position: Callable[[Stream, Chance], Any], number: int) -> Chances:
        """How likely each seat is to win, as the mean of so many playouts from what `position` gives."""
        results = []
        for dice, chance_seed in self._draws("position", range(number)):
            results.append(play_on(self.ruleset, position(dice, Chance(chance_seed)), chance_seed).chances)
        return tuple([sum(each) / number for each in zip(*results, strict=True)])

    def compare(self, seat: Seat, worlds: Worlds, actions: Sequence[Any], which: range) -> list[list[float]]:
        """A seat's chance after each of these actions, in the same worlds: those of these numbers."""
        results: list[list[float]] = [[] for _ in actions]
        for dice, chance_seed in self._draws("compare", which):
            world = worlds(dice)
            start = self.ruleset.prospects.moment(world)
            for action, mine in zip(actions, results, strict=True):
                after = self.ruleset.play(world, seat, action, Chance(chance_seed)).state
                mine.append(play_on(self.ruleset, after, chance_seed, start).chances[seat])
        return results

    def _draws(self, name: str, which: range) -> list[tuple[Stream, bytes]]:
        dices = [self.dice(f"{name}/{playout}") for playout in which]
        return [(dice, dice.word().to_bytes(8, "big")) for dice in dices]


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def standard_error(values: Sequence[float]) -> float:
    """By how much the mean of these values may be wrong."""
    middle, number = mean(values), len(values)
    return (
        sqrt(sum((value - middle) ** 2 for value in values) / (number * (number - 1))) if number > 1 else 0.0
    )


def per_mille(chances: Chances) -> tuple[int, ...]:
    """Chances as whole thousandths that are 1000 together: what is left over goes to the largest remainders."""
    exact = [1000 * chance for chance in chances]
    whole = [int(each) for each in exact]
    by_remainder = sorted(range(len(exact)), key=lambda seat: whole[seat] - exact[seat])
    for seat in by_remainder[: 1000 - sum(whole)]:
        whole[seat] += 1
    return tuple(whole)
