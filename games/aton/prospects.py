"""What somebody who looks ahead must know of Aton beyond its rules."""

from collections.abc import Hashable

from games.aton.actions import Allocate, AtonAction, Exchange
from games.aton.appraisal import APPRAISALS, chances
from games.aton.state import SEATS, State, other
from games.kernel import Prospects, Seat, replace

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


def reopened(state: State, seat: Seat) -> State:
    """Cards that the opponent has laid face down are in its hand again."""
    opponent = state.players[other(seat)]
    if state.phase != "allocate" or not opponent.cartouches_count:
        return state
    undecided = replace(
        opponent,
        hand=opponent.cartouches,
        hand_count=opponent.cartouches_count,
        cartouches=(),
        cartouches_count=0,
    )
    return state.seated(other(seat), undecided, to_act=SEATS)


PROSPECTS = Prospects[State, AtonAction](
    chances=chances,
    moment=moment,
    horizon=HORIZON,
    alike=alike,
    reopened=reopened,
    length=17,
    playouts=500,
)
