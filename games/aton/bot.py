"""The greedy bot (15): it takes the action after which the board, as it sees it, is worth most."""

from collections.abc import Iterable

from games.aton.actions import AtonAction, Cull, Exchange, Place, Remove
from games.aton.appraisal import APPRAISALS, WINNING_SETS, Appraisal, Kind, Layout, Scale
from games.aton.culling import quota_of
from games.aton.forecast import best_allocation
from games.aton.state import State, board_of, laid, other
from games.aton.turn import placeable, removal_number
from games.chance import Stream
from games.kernel import Bot, Seat

POOR_HAND = 8
"""A hand that sums to no more than this is worth the trade token."""


class Greedy(Bot[State, AtonAction]):
    """Knows its own cards, the board, the dead and the open discards."""

    def choose(self, view: State, seat: Seat, dice: Stream) -> AtonAction:
        match view.phase:
            case "allocate":
                player = view.players[seat]
                if player.trade_token and sum(player.hand or ()) <= POOR_HAND:
                    return Exchange()
                return best_allocation(view, seat)
            case "remove":
                return Remove(choose_removal(view, seat))
            case "place":
                return Place(choose_placement(view, seat))
            case _:
                return Cull(choose_cull(view, seat))


def choose_placement(view: State, seat: Seat) -> str:
    """Complete a winning set if it is within reach, else improve the board most."""
    appraisal = APPRAISALS[view.options.component_set]
    layout = appraisal.layout(view, seat)
    if winning := winning_placement(view, seat, layout):
        return winning
    kinds = _within(appraisal, layout.room, laid(view, seat)[2])
    kind, _ = _scale(view, seat, appraisal).best(kinds, layout.mine, layout.theirs, 1, 0)
    return _first(view, appraisal, kind, None)


def winning_placement(view: State, seat: Seat, layout: Layout) -> str | None:
    """A space of a set that the pieces still to be placed can complete."""
    for at, winning_set in zip(WINNING_SETS, board_of(view).winning_sets, strict=True):
        if len(winning_set.spaces) - layout.mine[at] <= view.remaining and not layout.theirs[at]:
            lacking = [space for space in winning_set.spaces if view.board[space] != seat]
            if set(lacking) <= {*placeable(view, seat)}:
                return lacking[0]
    return None


def choose_removal(view: State, seat: Seat) -> str:
    """The piece whose loss does the opponent most harm, or me least."""
    appraisal = APPRAISALS[view.options.component_set]
    layout = appraisal.layout(view, seat)
    pieces, lost = (layout.own, (-1, 0)) if view.target_seat == seat else (layout.opposing, (0, -1))
    kinds = _within(appraisal, pieces, laid(view, seat)[2])
    kind, _ = _scale(view, seat, appraisal).best(kinds, layout.mine, layout.theirs, *lost)
    return _first(view, appraisal, kind, view.target_seat)


def choose_cull(view: State, seat: Seat) -> str:
    """The own piece that is missed least; the next scoring is far away."""
    appraisal = APPRAISALS[view.options.component_set]
    layout, quota = appraisal.layout(view, seat), quota_of(view, seat)
    kinds = [kind for kind in appraisal.kinds if quota[kind.temple + 1] and layout.own[kind.number]]
    kind, _ = appraisal.later.best(kinds, layout.mine, layout.theirs, -1, 0)
    return _first(view, appraisal, kind, seat)


def _scale(view: State, seat: Seat, appraisal: Appraisal) -> Scale:
    """How to weigh the board: whether the dead bring a scoring this round, and what comes and goes before it."""
    removing = view.phase == "remove"
    room = board_of(view).box.dead_spaces - len(view.dead) - removing * view.remaining
    pieces = view.remaining - 1 + removing * laid(view, seat)[3]
    if seat == view.first_seat:
        room -= removal_number(view, other(seat))
        pieces = max(pieces, laid(view, other(seat))[3])
    return appraisal.scored_after[pieces] if room <= 0 else appraisal.later


def _within(appraisal: Appraisal, numbers: list[int], reach: int) -> Iterable[Kind]:
    """The kinds of spaces in the open temples where there is something: pieces, or room."""
    return [kind for kind in appraisal.kinds if kind.temple < reach and numbers[kind.number]]


def _first(view: State, appraisal: Appraisal, kind: Kind, owner: Seat | None) -> str:
    """The first space of a kind, in board order, that holds this owner's piece, or none."""
    return next(space for space in appraisal.spaces_of[kind.number] if view.board[space] == owner)
