"""A step of play: the facts so far, the state they led to, and the chance that the step may draw on."""

from games.aton.facts import GameEnded
from games.aton.state import State, board_of, scores
from games.chance import Chance
from games.kernel import Course, Outcome, Seat


class Play(Course[State]):
    """What happens from one decision to the next."""

    def __init__(self, state: State, chance: Chance) -> None:
        super().__init__(state)
        self.chance = chance
        self.board = board_of(state)

    def end(self, winners: tuple[Seat, ...], reason: str) -> None:
        """The game is over, and everything else with it."""
        self.happens(ending(self.state, winners, reason))


def ending(state: State, winners: tuple[Seat, ...], reason: str) -> GameEnded:
    """The end of the game with the scores as they stand; there is no tie-break (Q29)."""
    return GameEnded(Outcome(winners, reason, scores(state)))
