"""The engine of the strong bots: every action is tried in the same worlds, and played on by greedy players.

A *world* is a full state at random that fits what is known. In each, all actions that are still in the running meet the
same hidden cards and the same chance; a *playout* goes on to the horizon of the game's prospects, which judge it.
"""

from collections.abc import Callable, Hashable
from functools import partial
from math import sqrt
from typing import TYPE_CHECKING, Any, Generic, NamedTuple

from games.chance import Chance, Stream
from games.kernel.bots import Bot
from games.kernel.grammar import A, Course, S, Seat

if TYPE_CHECKING:  # a ruleset makes its bots, so it imports this module
    from games.kernel.ruleset import Ruleset

Chances = tuple[float, ...]
Worlds = Callable[[Stream], S]
"""A full state that fits what is known, at random."""

LONGEST = 400
"""Actions after which a playout is judged as it stands: greedy players could go round in circles."""
FEWEST = 4
"""Worlds that every action is tried in before any is dropped."""
HOPELESS = 2.0
"""An action that is this many standard errors behind the best is dropped."""
CAUTION = 1.0
"""Greedy's own choice is left only for one that is better by so many standard errors."""


class Weighed(NamedTuple, Generic[A]):
    """An action that was tried."""

    action: A
    chances: Chances
    """The estimated chance of every seat after it."""
    error: float
    """The standard error of the mover's chance."""
    playouts: int


class Strong(Bot[S, A]):
    """Tries what its seat may do in worlds that its seat holds possible."""

    def __init__(self, ruleset: "Ruleset[S, A]", iterations: int, caution: float = CAUTION) -> None:
        self._ruleset, self._iterations, self._caution = ruleset, iterations, caution

    def choose(self, view: S, seat: Seat, dice: Stream) -> A:
        trial = Trial(self._ruleset, view, seat, dice, self._iterations)
        if not trial.is_forced:
            trial.run(partial(self._ruleset.zones.determinise, view, seat), dice, self._iterations)
        return trial.best(self._caution).action


def weigh(
    ruleset: "Ruleset[S, A]", seat: Seat, worlds: Worlds[S], dice: Stream, iterations: int
) -> list[Weighed[A]]:
    """What a seat may do and what comes of it, best first; `iterations` are playouts."""
    view = ruleset.view(worlds(dice), seat)
    trial = Trial(ruleset, view, seat, dice, iterations)
    trial.run(worlds, dice, iterations)
    return [tried.weighed(seat) for tried in trial.ranking()]


def estimate(ruleset: "Ruleset[S, A]", worlds: Worlds[S], dice: Stream, playouts: int) -> Chances:
    """How likely each seat is to win as a position stands."""
    results = [play_on(ruleset, worlds(dice), _fresh(dice)) for _ in range(playouts)]
    return _means(results)


# -- what is tried ----------------------------------------------------------------------------------------------------


def candidates(ruleset: "Ruleset[S, A]", state: S, seat: Seat, usual: A, most: int, dice: Stream) -> list[A]:
    """One action of each kind that the prospects tell apart, not too many; first the usual one, for its kind."""
    kinds: dict[Hashable, A] = {}
    for action in (usual, *ruleset.legal_actions(state, seat)):
        kinds.setdefault(ruleset.prospects.alike(state, seat, action), action)
    others = [action for action in kinds.values() if action is not usual]
    while len(others) >= most:
        others.pop(dice.below(len(others)))
    return [usual, *others]


class Tried(Generic[A]):
    """An action and what came of it, world by world."""

    __slots__ = ("action", "mine", "results")

    def __init__(self, action: A) -> None:
        self.action = action
        self.results: list[Chances] = []
        self.mine: list[float] = []

    def note(self, chances: Chances, seat: Seat) -> None:
        self.results.append(chances)
        self.mine.append(chances[seat])

    @property
    def mean(self) -> float:
        return sum(self.mine) / len(self.mine)

    def weighed(self, seat: Seat) -> Weighed[A]:
        return Weighed(self.action, _means(self.results), _mean_and_error(self.mine)[1], len(self.mine))


class Trial(Generic[S, A]):
    """Actions of one seat on trial; the first is the usual one, and stays in the running to the end."""

    def __init__(self, ruleset: "Ruleset[S, A]", view: S, seat: Seat, dice: Stream, iterations: int) -> None:
        self._ruleset, self._seat = ruleset, seat
        usual = ruleset.greedy.choose(view, seat, dice)
        most = max(2, iterations // FEWEST)
        self._running = [Tried(each) for each in candidates(ruleset, view, seat, usual, most, dice)]
        self._usual = self._running[0]
        self._dropped: list[Tried[A]] = []

    @property
    def is_forced(self) -> bool:
        """Whether there is nothing to choose."""
        return len(self._running) == 1

    def run(self, worlds: Worlds[S], dice: Stream, iterations: int) -> None:
        """World after world, until the playouts are used up or nothing is left to decide."""
        rounds, check = 0, FEWEST
        while not rounds or (
            iterations >= len(self._running) and (len(self._running) > 1 or rounds < FEWEST)
        ):
            self._try_all(worlds(dice), _fresh(dice))
            iterations -= len(self._running)
            rounds += 1
            if rounds >= check:
                self._drop()
                check += max(1, rounds // 4)

    def _try_all(self, world: S, seed: bytes) -> None:
        for tried in self._running:
            state = _after(self._ruleset, world, self._seat, tried.action, seed)
            start = self._ruleset.prospects.moment(world)
            tried.note(play_on(self._ruleset, state, seed, start), self._seat)

    def _drop(self) -> None:
        """Whoever is far behind the best leaves; what they have in common with it is no part of the error."""
        best = max(self._running, key=_mean_of)
        staying: list[Tried[A]] = []
        for tried in self._running:
            behind, error = _mean_and_error([a - b for a, b in zip(best.mine, tried.mine, strict=True)])
            hopeless = behind > HOPELESS * error and tried is not self._usual
            (self._dropped if hopeless else staying).append(tried)
        self._running = staying

    def ranking(self) -> list[Tried[A]]:
        """Best first; what was dropped comes last."""
        return sorted(self._running, key=_mean_of, reverse=True) + sorted(
            self._dropped, key=_mean_of, reverse=True
        )

    def best(self, caution: float) -> Tried[A]:
        """The best; or the usual action, if that is not clearly worse."""
        usual = self._usual
        best = usual if self.is_forced else max(self._running, key=_mean_of)
        if best is usual:
            return usual
        ahead, error = _mean_and_error([a - b for a, b in zip(best.mine, usual.mine, strict=True)])
        return best if ahead > caution * error else usual


# -- playouts ---------------------------------------------------------------------------------------------------------


def play_on(ruleset: "Ruleset[S, A]", state: S, seed: bytes, start: int | None = None) -> Chances:
    """How likely each seat is to win, once greedy players have gone on from a moment of the game to the horizon."""
    prospects, greedy = ruleset.prospects, ruleset.greedy
    dice = Stream(seed, "playout")
    horizon = prospects.horizon + (prospects.moment(state) if start is None else start)
    for _ in range(LONGEST):
        if state.outcome is not None or prospects.moment(state) >= horizon:
            break
        seat = state.to_act[0]
        action = greedy.choose(ruleset.view(state, seat), seat, dice)
        state = _after(ruleset, state, seat, action, seed)
    return prospects.chances(state)


def _after(ruleset: "Ruleset[S, A]", state: S, seat: Seat, action: A, seed: bytes) -> S:
    """The state that a legal action leads to."""
    course = Course(state, Chance(seed))
    action.happen(course, seat)
    ruleset.afterwards(course)
    return course.state


def _fresh(dice: Stream) -> bytes:
    """A seed for what the future shuffles."""
    return dice.word().to_bytes(8, "big")


# -- figures ----------------------------------------------------------------------------------------------------------


def _mean_of(tried: Tried[Any]) -> float:
    return tried.mean


def _means(results: list[Chances]) -> Chances:
    """The mean of each seat's chances."""
    return tuple([sum(of_seat) / len(results) for of_seat in zip(*results, strict=True)])


def _mean_and_error(values: list[float]) -> tuple[float, float]:
    """The mean of some values and its standard error."""
    number = len(values)
    mean = sum(values) / number
    if number == 1:
        return mean, 0.0
    return mean, sqrt(sum([(value - mean) ** 2 for value in values]) / (number * (number - 1)))
