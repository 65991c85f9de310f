"""What somebody who looks ahead must know of Babel beyond its rules."""

from collections.abc import Hashable

from games.babel.actions import BabelAction
from games.babel.appraisal import chances
from games.babel.state import State
from games.kernel import Prospects, Seat

HORIZON = 2
"""How many turns end before a game that is played on is judged by `chances`."""


def moment(state: State) -> int:
    """The course of a game is measured in turns."""
    return state.turn


def alike(state: State, seat: Seat, action: BabelAction) -> Hashable:
    """Actions with equal keys have equal prospects: cards are named by their nation, so each action stands alone."""
    return action


PROSPECTS = Prospects[State, BabelAction](
    chances=chances,
    moment=moment,
    horizon=HORIZON,
    alike=alike,
    length=11,
    playouts=600,
)
