"""What somebody who looks ahead must know of Aton beyond its rules."""

from collections.abc import Hashable

from games.aton.actions import Allocate, AtonAction, Exchange
from games.aton.appraisal import APPRAISALS, chances
from games.aton.state import State
from games.kernel import Seat

__all__ = ["HORIZON", "alike", "chances", "moment"]

HORIZON = 2
"""How many rounds end before a game that is played on is judged by `chances`."""


def moment(state: State) -> int:
    """The course of a game is measured in rounds."""
    return state.round


def alike(state: State, seat: Seat, action: AtonAction) -> Hashable:
    """Actions with equal keys have equal prospects: the spaces of one temple and colour are alike."""
    if isinstance(action, Allocate | Exchange):
        return action
    return APPRAISALS[state.options.component_set].kind_of[action.space]
