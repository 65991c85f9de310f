"""The engine of the strong bots: every action is tried in the same worlds, and played on by greedy players.

A *world* is a full state at random that fits what is known. In each, all actions that are still in the running meet the
same hidden cards and the same chance; a *playout* goes on to the horizon of the game's prospects, which judge it.
"""

from collections.abc import Callable, Hashable
from math import sqrt
from typing import TYPE_CHECKING, Any, Generic, NamedTuple

from games.chance import Chance, Stream
from games.kernel.bots import Bot
from games.kernel.grammar import A, Course, S, Seat
from games.memory import caching

if TYPE_CHECKING:  # a ruleset makes its bots, so it imports this module
    from games.kernel.ruleset import Ruleset

Chances = tuple[float, ...]
Worlds = Callable[[Stream], S]
"""A full state that fits what is known, at random."""

LONGEST = 400
"""Actions after which a playout is judged as it stands: greedy players could go round in circles."""
WORTH_TRYING = 10
"""Worlds that there must be for every action; where there are too many actions, a glance chooses which are tried."""
SURE = 2.5
"""Standard errors that make a difference sure enough to drop an action."""
TRIFLE = 0.002
"""A chance that is not worth looking for."""
UNKNOWN = 0.5
"""The standard error of a chance of which there is only one sample."""
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
        if self._ruleset.prospects.is_left_to_greedy(view, seat):
            return self._ruleset.greedy.choose(view, seat, dice)
        trial = Trial(self._ruleset, seat, worlds_seen(self._ruleset, view, seat), dice)
        if not trial.is_forced:
            trial.run(self._iterations)
        return trial.best(self._caution).action


def worlds_seen(ruleset: "Ruleset[S, A]", view: S, seat: Seat) -> Worlds[S]:
    """The worlds that a seat holds possible; what others have just chosen in secret they will choose there again."""

    def world(dice: Stream) -> S:
        return ruleset.prospects.reopened(ruleset.zones.determinise(view, seat, dice), seat)

    return world


def weigh(
    ruleset: "Ruleset[S, A]", seat: Seat, worlds: Worlds[S], dice: Stream, iterations: int
) -> list[Weighed[A]]:
    """What a seat may do and what comes of it, best first; `iterations` are playouts of usual length."""
    trial = Trial(ruleset, seat, worlds, dice)
    trial.run(iterations)
    return [tried.weighed(seat) for tried in trial.ranking()]


def estimate(ruleset: "Ruleset[S, A]", worlds: Worlds[S], dice: Stream, playouts: int) -> Chances:
    """How likely each seat is to win as a position stands."""
    return _means([play_on(ruleset, worlds(dice), _fresh(dice)).chances for _ in range(playouts)])


# -- what is tried ----------------------------------------------------------------------------------------------------


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
    """The actions of one seat on trial. What the actions have in common in a world is no part of any error."""

    def __init__(self, ruleset: "Ruleset[S, A]", seat: Seat, worlds: Worlds[S], dice: Stream) -> None:
        self._ruleset, self._seat, self._worlds, self._dice = ruleset, seat, worlds, dice
        view = ruleset.view(worlds(dice), seat)
        usual = ruleset.greedy.choose(view, seat, dice)
        kinds: dict[Hashable, A] = {}
        for action in (usual, *ruleset.legal_actions(view, seat)):
            kinds.setdefault(ruleset.prospects.alike(view, seat, action), action)
        self._running = [Tried(action) for action in kinds.values()]
        self._usual = self._running[0]
        self._dropped: list[Tried[A]] = []

    @property
    def is_forced(self) -> bool:
        """Whether all that the seat may do comes to the same."""
        return len(self._running) == 1

    def run(self, iterations: int) -> None:
        """World after world, until so many playouts of usual length are used up or nothing is left to decide."""
        self._glance(max(2, iterations // WORTH_TRYING))
        left = iterations * self._ruleset.prospects.length
        rounds, check = 0, self._ruleset.prospects.fewest
        while left > 0 and not self._is_decided(rounds):
            left -= self._try_all()
            rounds += 1
            if rounds == check:
                self._drop()
                check += max(1, check // 4)

    def _is_decided(self, rounds: int) -> bool:
        """One action is left, and is not quite unknown."""
        return len(self._running) == 1 and rounds >= self._ruleset.prospects.fewest

    def _glance(self, most: int) -> None:
        """Leave the usual action and those after which, right away, chances look best in some world."""
        if len(self._running) > most:
            world, seed = self._worlds(self._dice), _fresh(self._dice)

            def chance(tried: Tried[A]) -> float:
                state = _after(self._ruleset, world, self._seat, tried.action, seed)
                return self._ruleset.prospects.chances(state)[self._seat]

            self._running = [self._usual, *sorted(self._running[1:], key=chance, reverse=True)[: most - 1]]

    def _try_all(self) -> int:
        """How many actions it took to try everything that is in the running in one more world."""
        world, seed = self._worlds(self._dice), _fresh(self._dice)
        prospects = self._ruleset.prospects
        start, steps = prospects.moment(world), 0
        for tried in self._running:
            state = _after(self._ruleset, world, self._seat, tried.action, seed)
            state, more = _at_horizon(self._ruleset, state, seed, start)
            tried.note(prospects.outlook(state), self._seat)
            steps += more + 1
        return steps

    def _drop(self) -> None:
        """Whoever is surely behind the best leaves, and who is surely no better than the usual action."""
        best, usual = max(self._running, key=_mean_of), self._usual
        staying: list[Tried[A]] = []
        for tried in self._running:
            behind, error = _lead(best, tried)
            leaves = behind > max(SURE * error, TRIFLE)
            if not leaves and tried is not usual and usual in self._running:
                ahead, error = _lead(tried, usual)
                leaves = ahead + SURE * error < TRIFLE
            (self._dropped if leaves else staying).append(tried)
        self._running = staying

    def ranking(self) -> list[Tried[A]]:
        """Best first; what was dropped comes last."""
        return sorted(self._running, key=_mean_of, reverse=True) + sorted(
            self._dropped, key=_mean_of, reverse=True
        )

    def best(self, caution: float) -> Tried[A]:
        """The best; or the usual action, if that is still in the running and not clearly worse."""
        if self._usual not in self._running:
            return max(self._running, key=_mean_of)
        if len(self._running) == 1:
            return self._usual
        best = max(self._running, key=_mean_of)
        ahead, error = _lead(best, self._usual)
        return best if ahead > caution * error else self._usual


# -- playouts ---------------------------------------------------------------------------------------------------------


class Played(NamedTuple):
    """What a playout came to."""

    chances: Chances
    actions: int
    """How many actions it took."""


def play_on(
    ruleset: "Ruleset[S, A]", state: S, seed: bytes, start: int | None = None, bot: Bot[S, A] | None = None
) -> Played:
    """How likely each seat is to win, once greedy players (or another bot) have gone on from a moment of the game to the horizon."""
    start = ruleset.prospects.moment(state) if start is None else start
    state, actions = _at_horizon(ruleset, state, seed, start, bot)
    return Played(ruleset.prospects.chances(state), actions)


def _at_horizon(
    ruleset: "Ruleset[S, A]", state: S, seed: bytes, start: int, bot: Bot[S, A] | None = None
) -> tuple[S, int]:
    """The state to which the players come, and in how many actions."""
    prospects, player = ruleset.prospects, bot or caching(ruleset.greedy)
    dice, horizon = Stream(seed, "playout"), start + prospects.horizon
    for steps in range(LONGEST):
        if state.outcome is not None or prospects.moment(state) >= horizon:
            return state, steps
        seat = state.to_act[0]
        action = player.choose(ruleset.view(state, seat), seat, dice)
        state = _after(ruleset, state, seat, action, seed)
    return state, LONGEST


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


def _lead(one: Tried[Any], other: Tried[Any]) -> tuple[float, float]:
    """By how much one action is better than another in the same worlds, and the standard error of that."""
    return _mean_and_error([a - b for a, b in zip(one.mine, other.mine, strict=True)])


def _means(results: list[Chances]) -> Chances:
    """The mean of each seat's chances."""
    return tuple([sum(of_seat) / len(results) for of_seat in zip(*results, strict=True)])


def _mean_and_error(values: list[float]) -> tuple[float, float]:
    """The mean of some values and its standard error."""
    number = len(values)
    mean = sum(values) / number
    if number == 1:
        return mean, UNKNOWN
    return mean, sqrt(sum([(value - mean) ** 2 for value in values]) / (number * (number - 1)))
