"""What somebody who looks ahead must know of a game beyond its rules."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, Generic

from games.kernel.grammar import A, Outcome, S, Seat

TO_THE_END = 1_000_000
"""A horizon that no game passes: playouts go on until the game is over."""


def settled(outcome: Outcome, seats: int) -> tuple[float, ...]:
    """A finished game is shared among its winners, and among all if nobody won."""
    winners = outcome.winners or range(seats)
    return tuple([1 / len(winners) if seat in winners else 0.0 for seat in range(seats)])


def by_the_end(state: Any) -> tuple[float, ...]:
    """Only the end of a game tells who has won; before it each seat is as likely as any other."""
    seats = len(state.players)
    return settled(state.outcome, seats) if state.outcome else (1 / seats,) * seats


def never(state: Any) -> int:
    """A course that passes no boundary."""
    return 0


def itself(state: Any, seat: Seat, action: A) -> Hashable:
    """No action is like another."""
    return action


def nothing_left(state: Any, seat: Seat) -> bool:
    """Every decision is worth looking ahead."""
    return False


def nothing_reopened(state: S, seat: Seat) -> S:
    """Nobody has chosen anything in secret that could be chosen again."""
    return state


@dataclass(frozen=True, kw_only=True)
class Prospects(Generic[S, A]):
    """How a full state is judged, and how far it is played on before. As it stands here: to the end of the game."""

    chances: Callable[[S], tuple[float, ...]] = by_the_end
    """How likely each seat is to win as a full state stands: 0 to 1, and 1 together."""
    margin: Callable[[S], tuple[float, ...]] | None = None
    """The same of a game that is over as if it were not quite: a playout that was won clearly speaks for more than itself."""
    moment: Callable[[S], int] = never
    """What the course of the game is measured in: its turn or its round."""
    horizon: int = TO_THE_END
    """How many boundaries between moments a playout passes before `chances` judges."""
    alike: Callable[[S, Seat, A], Hashable] = itself
    """Actions with equal keys lead to equal prospects: one of them is tried."""
    is_left_to_greedy: Callable[[S, Seat], bool] = nothing_left
    """Whether looking ahead finds nothing better here than greedy does: time is kept for what it does find."""
    fewest: int = 8
    """Worlds that an action is tried in before it may be dropped."""
    reopened: Callable[[S, Seat], S] = nothing_reopened
    """A full state before what the others of a seat have chosen in secret: they are to act once more."""
    length: int = 10
    """How many actions a usual playout has: a longer one counts for more than one."""
    playouts: int = 100
    """How many playouts of usual length `strong` has for a decision, so that it takes about half a second."""

    def outlook(self, state: S) -> tuple[float, ...]:
        """What a playout that has led to this state speaks for."""
        chances = self.chances(state)
        if state.outcome is None or self.margin is None:
            return chances
        return tuple([(one + other) / 2 for one, other in zip(chances, self.margin(state), strict=True)])


UNJUDGED: Prospects[Any, Any] = Prospects()
"""Of a game that says no more than its rules."""
