"""The end of the game (8)."""

from games.aton.state import State, scores
from games.kernel import GameEnded, Outcome, Seat


def ending(state: State, winners: tuple[Seat, ...], reason: str) -> GameEnded[State]:
    """The game ends with the scores as they stand; there is no tie-break (Q29)."""
    return GameEnded(Outcome(winners, reason, scores(state)))
