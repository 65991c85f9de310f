"""From one turn to the next: drawing, revealing, and the ways the game ends (5, 8)."""

from games.babel.box import Thresholds, box_of
from games.babel.facts import (
    EndgameEntered,
    GameEnded,
    NationPileReshuffled,
    NationsDrawn,
    TemplesRevealed,
    TurnEnded,
    TurnStarted,
)
from games.babel.state import State
from games.chance import Chance
from games.kernel import Course, Outcome, Seat


def start_turn(course: Course[State], turn: int, chance: Chance) -> None:
    """The seats take turns; a turn begins with three nation cards (5)."""
    seat = (turn - 1) % 2
    course.happens(TurnStarted(turn, seat))
    draw_nations(course, seat, box_of(course.state.options).cards_drawn, chance)


def draw_nations(course: Course[State], seat: Seat, wanted: int, chance: Chance) -> None:
    """Off the pile; when a card is needed and there is none, the discard is shuffled into a new pile (5.1, Q11)."""
    while wanted:
        state = course.state
        if state.nation_pile:
            cards = state.nation_pile[:wanted]
            course.happens(NationsDrawn(seat, cards, len(cards)))
            wanted -= len(cards)
        elif state.nation_discard:
            pile = chance.shuffle(f"nations/{state.reshuffles + 1}", state.nation_discard)
            course.happens(NationPileReshuffled(pile, len(pile)))
        else:
            return


def end_turn(course: Course[State], chance: Chance) -> None:
    """Two temple cards are revealed; then the game is over, or the other player's turn begins (6.7)."""
    state = course.state
    seat = (state.turn - 1) % 2
    reveal_temples(course, seat)
    course.happens(TurnEnded(state.turn, seat))
    if not course.state.temple_pile:
        course.happens(ended(course.state, "temple_pile_empty"))
    else:
        start_turn(course, state.turn + 1, chance)


def reveal_temples(course: Course[State], seat: Seat) -> None:
    """The higher card first, so that the lower one can be taken (5.2, Q26)."""
    state = course.state
    revealed = (state.temple_pile or ())[: box_of(state.options).temples_revealed]
    course.happens(TemplesRevealed(seat, tuple(sorted(revealed, reverse=True))))


def check_end(course: Course[State]) -> None:
    """After every action of a turn, fully resolved: does somebody's total change the game? (8.1, Q5)."""
    state = course.state
    totals = (state.players[0].total, state.players[1].total)
    limits = box_of(state.options).thresholds
    entered, reason = standing(totals, state.endgame, limits)
    if entered and not state.endgame:
        course.happens(EndgameEntered(0 if totals[0] >= limits.endgame else 1))
    if reason:
        course.happens(ended(course.state, reason))


def standing(totals: tuple[int, int], endgame: bool, limits: Thresholds) -> tuple[bool, str | None]:
    """Whether end-of-game mode is on, and the reason if the game is over, with these totals (8.1, Q6, Q7, Q29)."""
    low, high = min(totals), max(totals)
    if not endgame:
        if high < limits.endgame:
            return False, None
        if low <= limits.too_low:
            return False, "fifteen_to_nine"
    if high >= limits.win:
        return True, "twenty"
    return True, "below_ten" if low <= limits.too_low else None


def ended(state: State, reason: str) -> GameEnded:
    """The higher total wins; then more cards in hand; then both (8.3, Q10)."""
    first, second = state.players
    scores = (first.total, second.total)
    if first.total != second.total:
        return GameEnded(Outcome((int(second.total > first.total),), reason, scores))
    if first.hand_count != second.hand_count:
        winner = int(second.hand_count > first.hand_count)
        return GameEnded(Outcome((winner,), reason, scores, "hand_count"))
    return GameEnded(Outcome((0, 1), reason, scores, "shared"))
