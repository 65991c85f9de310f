"""From one turn to the next: drawing and revealing (5)."""

from games.babel.end import by_total
from games.babel.facts import NationPileReshuffled, NationsDrawn, TemplesRevealed, TurnEnded, TurnStarted
from games.babel.state import State, active_seat, box_of
from games.kernel import Course, Seat


def start_turn(course: Course[State], turn: int, seat: Seat) -> None:
    """A turn begins with three nation cards (5)."""
    course.happens(TurnStarted(turn, seat))
    draw_nations(course, seat, box_of(course.state).cards_drawn)


def draw_nations(course: Course[State], seat: Seat, wanted: int) -> None:
    """Off the pile; when a card is needed and there is none, the discard is shuffled into a new pile (5.1, Q11)."""
    while wanted:
        state = course.state
        if state.nation_pile:
            cards = state.nation_pile[:wanted]
            course.happens(NationsDrawn(seat, cards, len(cards)))
            wanted -= len(cards)
        elif state.nation_discard:
            pile = course.shuffle(f"nations/{state.reshuffles + 1}", state.nation_discard)
            course.happens(NationPileReshuffled(pile, len(pile)))
        else:
            return


def end_turn(course: Course[State]) -> None:
    """Two temple cards are revealed; then the game is over, or the other player's turn begins (6.7)."""
    state = course.state
    seat = active_seat(state)
    reveal_temples(course, seat)
    course.happens(TurnEnded(state.turn, seat))
    if not course.state.temple_pile:
        course.happens(by_total(course.state, "temple_pile_empty"))
    else:
        start_turn(course, state.turn + 1, 1 - seat)


def reveal_temples(course: Course[State], seat: Seat) -> None:
    """The higher card first, so that the lower one can be taken (5.2, Q26)."""
    state = course.state
    revealed = (state.temple_pile or ())[: box_of(state).temples_revealed]
    course.happens(TemplesRevealed(seat, tuple(sorted(revealed, reverse=True))))
