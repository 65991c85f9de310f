"""A turn: what a seat sees when it is asked, and what it answers."""

from typing import TYPE_CHECKING

from stele_client.models import Acted, Action, Frame, Situation, View

if TYPE_CHECKING:
    from stele_client._sync.game import Game


class Turn:
    """A decision that a seat has to make: `view` is what it sees, `actions` all that it may do."""

    def __init__(self, game: "Game", seat: int, stands: Frame | Acted, decision: int) -> None:
        self.game = game
        self.seat = seat
        self.stands = stands
        """How the game stands: who else is to act, deadlines, what is left of the clock."""
        self.version = stands.version
        self.decision = decision
        self.view: View = stands.view or {}
        self.actions: list[Action] = stands.actions or []
        self.answer: Acted | None = None
        """What came of it, once it is played."""

    def play(self, action: Action) -> Acted:
        """Do this. If it is refused, that changes nothing, and something else can be played."""
        self.answer = self.game.act(action, decision=self.decision, actions=True)
        return self.answer

    def resign(self) -> Acted:
        """Give the game up."""
        self.answer = self.game.resign()
        return self.answer


def turn_of(game: "Game", stands: Situation, seat: int, offered: int) -> Turn | None:
    """The turn of a seat as the game stands; None if it is not asked, or was asked already."""
    decision = stands.decisions.get(seat, 0)
    if decision <= offered or not stands.actions or not isinstance(stands, Frame | Acted):
        return None
    return Turn(game, seat, stands, decision)
