"""The turn of a seat: removing at cartouche 2 (5.4), placing at cartouche 4 (5.5), both within cartouche 3."""

import msgspec

from games.aton import facts
from games.aton.end import ending
from games.aton.facts import Auto
from games.aton.pieces import against_unknown_space, holds_all, pieces_among
from games.aton.round_end import end_round
from games.aton.state import State, board_of, dead_is_full, laid, other
from games.kernel import Course, Objection, Seat


def begin_turn(course: Course[State], seat: Seat) -> None:
    """A player does cartouches 2 to 4 in one go (Q9), first the removal."""
    if reason := why_no_removal(course.state, seat):
        course.happens(facts.RemovalSkipped(seat, reason))
        begin_placement(course, seat)
    else:
        start_removal(course, seat, removal_number(course.state, seat))


def end_turn(course: Course[State], seat: Seat) -> None:
    """After the first seat the other has its turn, then the round ends."""
    if seat == course.state.first_seat:
        begin_turn(course, other(seat))
    else:
        end_round(course)


# -- cartouche 3 ------------------------------------------------------------------------------------------------


def open_spaces(state: State, seat: Seat) -> tuple[str, ...]:
    """The spaces that the card at cartouche 3 lets a seat touch: temples 1 to its value."""
    return board_of(state).reached_by[laid(state, seat)[2]]


def against_closed_temple(state: State, seat: Seat, space: str) -> Objection | None:
    """A space must be on the board, and in a temple that cartouche 3 opens."""
    reach = laid(state, seat)[2]
    if space in state.board and board_of(state).temple_of[space] > reach:
        return Objection(
            "temple_not_allowed", f"Your card at cartouche 3 opens no temple above temple {reach}."
        )
    return against_unknown_space(state, space)


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


def start_removal(course: Course[State], seat: Seat, number: int) -> None:
    """Fewer candidates than asked for: all go by themselves, or none is there (Q13, Q17)."""
    candidates = removable(course.state, seat)
    if not candidates:
        course.happens(facts.RemovalSkipped(seat, "no_piece"))
        begin_placement(course, seat)
        return
    target = removal_target(course.state, seat)
    course.happens(facts.RemovalStarted(seat, target, min(number, len(candidates))))
    if len(candidates) <= number:
        for space in candidates:
            take_off(course, seat, space, auto=True)
        begin_placement(course, seat)


def take_off(course: Course[State], seat: Seat, space: str, auto: Auto = msgspec.UNSET) -> None:
    """A removed piece goes to the dead; if they are full, to its owner's supply (Q16)."""
    owner = course.state.board[space]
    assert owner is not None
    to = "supply" if dead_is_full(course.state) else "dead"
    course.happens(facts.PieceRemoved(seat, space, owner, to, auto))


# -- cartouche 4 ------------------------------------------------------------------------------------------------


def placement_number(state: State, seat: Seat) -> int:
    """As many pieces as the card at cartouche 4 says, or as the supply holds after the removal (Q15)."""
    return min(laid(state, seat)[3], state.players[seat].supply)


def placeable(state: State, seat: Seat) -> tuple[str, ...]:
    """The empty spaces of the open temples."""
    board = state.board
    return tuple([space for space in open_spaces(state, seat) if board[space] is None])


def begin_placement(course: Course[State], seat: Seat) -> None:
    """With an empty supply nothing is placed."""
    if number := placement_number(course.state, seat):
        start_placement(course, seat, number)
    else:
        course.happens(facts.PlacementSkipped(seat, "supply_empty"))
        end_turn(course, seat)


def start_placement(course: Course[State], seat: Seat, number: int) -> None:
    """Not more room than pieces: every open space is filled by itself, the rest finds no room (Q14, Q17)."""
    course.happens(facts.PlacementStarted(seat, number))
    room = placeable(course.state, seat)
    if len(room) > number:
        return
    for space in room:
        put_down(course, seat, space, auto=True)
        if course.state.outcome:
            return
    for _ in range(number - len(room)):
        course.happens(facts.PieceNotPlaced(seat, "supply" if dead_is_full(course.state) else "dead"))
    end_turn(course, seat)


def put_down(course: Course[State], seat: Seat, space: str, auto: Auto = msgspec.UNSET) -> None:
    """A piece arrives on the board, and wins at once if it completes a temple or a colour (Q18)."""
    course.happens(facts.PiecePlaced(seat, space, auto))
    for winning_set in board_of(course.state).sets_with[space]:
        if holds_all(course.state, seat, winning_set.spaces):
            course.happens(ending(course.state, (seat,), winning_set.reason))
            return
