"""The turn of a seat: removing at cartouche 2 (5.4), placing at cartouche 4 (5.5), both within cartouche 3."""

import msgspec

from games.aton.facts import (
    Auto,
    PieceNotPlaced,
    PiecePlaced,
    PieceRemoved,
    PlacementSkipped,
    PlacementStarted,
    RemovalSkipped,
    RemovalStarted,
)
from games.aton.pieces import check_on_board, check_piece_of, holds_all, pieces_among
from games.aton.play import Play
from games.aton.round_end import end_round
from games.aton.state import State, board_of, dead_is_full, laid, other
from games.kernel import IllegalAction, Seat


def begin_turn(play: Play, seat: Seat) -> None:
    """A player does cartouches 2 to 4 in one go (Q9), first the removal."""
    if reason := why_no_removal(play.state, seat):
        play.happens(RemovalSkipped(seat, reason))
        begin_placement(play, seat)
    else:
        start_removal(play, seat, removal_number(play.state, seat))


def end_turn(play: Play, seat: Seat) -> None:
    """After the first seat the other has its turn, then the round ends."""
    if seat == play.state.first_seat:
        begin_turn(play, other(seat))
    else:
        end_round(play)


# -- cartouche 3 ------------------------------------------------------------------------------------------------


def open_spaces(state: State, seat: Seat) -> tuple[str, ...]:
    """The spaces that the card at cartouche 3 lets a seat touch: temples 1 to its value."""
    return board_of(state).reached_by[laid(state, seat)[2]]


def check_open(state: State, seat: Seat, space: str) -> None:
    """A space must be on the board, and in a temple that cartouche 3 opens."""
    check_on_board(state, space)
    reach = laid(state, seat)[2]
    if board_of(state).temple_of[space] > reach:
        raise IllegalAction("temple_not_allowed", f"Your cartouche 3 opens no temple above {reach}.")


# -- cartouche 2 ------------------------------------------------------------------------------------------------


def why_no_removal(state: State, seat: Seat) -> str | None:
    """No piece is removed in the first round (Q10), nor with a 2."""
    if state.round == 1:
        return "first_round"
    return "value_two" if laid(state, seat)[1] == 2 else None


def removal_number(state: State, seat: Seat) -> int:
    """How many pieces the card at cartouche 2 removes: a 1 one own piece, else two less than its value."""
    if why_no_removal(state, seat):
        return 0
    card = laid(state, seat)[1]
    return 1 if card == 1 else card - 2


def removal_target(state: State, seat: Seat) -> Seat:
    """Whose pieces are removed: with a 1 the own, otherwise the opponent's."""
    return seat if laid(state, seat)[1] == 1 else other(seat)


def removable(state: State, seat: Seat) -> tuple[str, ...]:
    """The pieces a seat may remove: the target's, in the open temples (Q12, Q13)."""
    return pieces_among(state, removal_target(state, seat), open_spaces(state, seat))


def start_removal(play: Play, seat: Seat, number: int) -> None:
    """Fewer candidates than asked for: all go by themselves, or none is there (Q13, Q17)."""
    candidates = removable(play.state, seat)
    if not candidates:
        play.happens(RemovalSkipped(seat, "no_piece"))
        begin_placement(play, seat)
        return
    target = removal_target(play.state, seat)
    play.happens(RemovalStarted(seat, target, min(number, len(candidates))))
    if len(candidates) <= number:
        for space in candidates:
            take_off(play, seat, space, auto=True)
        begin_placement(play, seat)


def take_off(play: Play, seat: Seat, space: str, auto: Auto = msgspec.UNSET) -> None:
    """A removed piece goes to the dead; if they are full, to its owner's supply (Q16)."""
    owner = play.state.board[space]
    assert owner is not None
    to = "supply" if dead_is_full(play.state) else "dead"
    play.happens(PieceRemoved(seat, space, owner, to, auto))


def remove(play: Play, seat: Seat, space: str) -> None:
    """One piece is removed; after the last one the placement begins (Q11)."""
    check_open(play.state, seat, space)
    check_piece_of(play.state, play.state.target_seat, space)
    take_off(play, seat, space)
    if not play.state.remaining:
        begin_placement(play, seat)


# -- cartouche 4 ------------------------------------------------------------------------------------------------


def placement_number(state: State, seat: Seat) -> int:
    """As many pieces as the card at cartouche 4 says, or as the supply holds after the removal (Q15)."""
    return min(laid(state, seat)[3], state.players[seat].supply)


def placeable(state: State, seat: Seat) -> tuple[str, ...]:
    """The empty spaces of the open temples."""
    board = state.board
    return tuple([space for space in open_spaces(state, seat) if board[space] is None])


def begin_placement(play: Play, seat: Seat) -> None:
    """With an empty supply nothing is placed."""
    if number := placement_number(play.state, seat):
        start_placement(play, seat, number)
    else:
        play.happens(PlacementSkipped(seat, "supply_empty"))
        end_turn(play, seat)


def start_placement(play: Play, seat: Seat, number: int) -> None:
    """Not more room than pieces: every open space is filled by itself, the rest finds no room (Q14, Q17)."""
    play.happens(PlacementStarted(seat, number))
    room = placeable(play.state, seat)
    if len(room) > number:
        return
    for space in room:
        put_down(play, seat, space, auto=True)
        if play.state.outcome:
            return
    for _ in range(number - len(room)):
        play.happens(PieceNotPlaced(seat, "supply" if dead_is_full(play.state) else "dead"))
    end_turn(play, seat)


def put_down(play: Play, seat: Seat, space: str, auto: Auto = msgspec.UNSET) -> None:
    """A piece arrives on the board, and wins at once if it completes a temple or a colour (Q18)."""
    play.happens(PiecePlaced(seat, space, auto))
    for winning_set in play.board.sets_with[space]:
        if holds_all(play.state, seat, winning_set.spaces):
            play.end((seat,), winning_set.reason)
            return


def place(play: Play, seat: Seat, space: str) -> None:
    """One piece is placed; after the last one the turn ends (Q14)."""
    check_open(play.state, seat, space)
    if play.state.board[space] is not None:
        raise IllegalAction("space_occupied", f"There is a piece on {space} already.")
    put_down(play, seat, space)
    if not play.state.remaining and play.state.outcome is None:
        end_turn(play, seat)
