"""The ways the game ends, and who has won then (8)."""

from games.babel.box import Thresholds
from games.babel.facts import EndgameEntered
from games.babel.state import State, box_of
from games.kernel import Course, GameEnded, Outcome, Seat


def check_end(course: Course[State]) -> None:
    """After every action of a turn, fully resolved: does somebody's total change the game? (8.1, Q5)."""
    state = course.state
    if state.outcome:
        return
    totals = totals_of(state)
    limits = box_of(state).thresholds
    entered, reason = standing(totals, state.endgame, limits)
    if entered and not state.endgame:
        course.happens(EndgameEntered(0 if totals[0] >= limits.endgame else 1))
    if reason:
        course.happens(by_total(course.state, reason))


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


def totals_of(state: State) -> tuple[int, int]:
    """What both players have built."""
    first, second = state.players
    return first.total, second.total


def by_total(state: State, reason: str) -> GameEnded[State]:
    """The higher total wins; then more cards in hand; then both (8.3, Q10)."""
    first, second = state.players
    if first.total != second.total:
        return ending(state, (int(second.total > first.total),), reason)
    if first.hand_count != second.hand_count:
        return ending(state, (int(second.hand_count > first.hand_count),), reason, "hand_count")
    return ending(state, (0, 1), reason, "shared")


def ending(
    state: State, winners: tuple[Seat, ...], reason: str, tiebreak: str | None = None
) -> GameEnded[State]:
    """The end of the game with the totals as they stand."""
    return GameEnded(Outcome(winners, reason, totals_of(state), tiebreak))
