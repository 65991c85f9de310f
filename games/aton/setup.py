"""How a game begins (3): from the box, or from a position (4.2)."""

from games.aton.box import CARTOUCHES
from games.aton.cards import draw
from games.aton.position import blank, read_position
from games.aton.reveal import reveal
from games.aton.round_end import begin_cull, continue_cull
from games.aton.state import SEATS, Options, State, board_of
from games.aton.turn import begin_placement, begin_turn, start_placement, start_removal
from games.chance import Chance
from games.kernel import Course, Position, Seat, replace


def opening(options: Options, seats: int, chance: Chance, position: Position | None) -> Course[State]:
    """The box as dealt or the position as filled in, then every step up to the first decision."""
    state = dealt(options, chance) if position is None else read_position(options, chance, position)
    seat, remaining = state.active_seat, state.remaining
    in_turn = state.phase in ("remove", "place")
    course = Course.opened_by(replace(state, active_seat=None, remaining=0) if in_turn else state, chance)
    match state.phase:
        case "allocate":
            open_allocation(course)
        case "cull":
            open_cull(course)
        case phase:
            assert seat is not None
            open_turn(course, phase, seat, remaining)
    return course


def dealt(options: Options, chance: Chance) -> State:
    """An ordinary game: an empty board, all cards of each seat shuffled as its deck, and both are to lay."""
    state = blank(options)
    cards = board_of(state).box.cards
    for seat in SEATS:
        deck = chance.shuffle(f"deck/{seat}/0", cards)
        state = state.with_player(seat, deck=deck, deck_count=len(deck))
    return replace(state, to_act=SEATS)


def open_allocation(course: Course[State]) -> None:
    """Seats that have still to lay draw the hand they have not been given."""
    for seat in course.state.to_act:
        if not course.state.players[seat].hand_count:
            draw(course, seat, CARTOUCHES)
    if not course.state.to_act:
        reveal(course)


def open_turn(course: Course[State], phase: str, seat: Seat, remaining: int) -> None:
    """A turn begins with its phase, or goes on with the pieces that remain to be moved."""
    match phase, remaining:
        case "remove", 0:
            begin_turn(course, seat)
        case "remove", number:
            start_removal(course, seat, number)
        case "place", 0:
            begin_placement(course, seat)
        case "place", number:
            start_placement(course, seat, number)


def open_cull(course: Course[State]) -> None:
    """A cull begins, or goes on with the quota that was given."""
    if course.state.cull_quota is None:
        begin_cull(course)
    else:
        continue_cull(course)
