"""What all actions of Sa-Ré have in common."""

from typing import ClassVar

from games.kernel import Action, Objection, Seat
from games.sa_re.state import State

AT_WORK = frozenset({"work", "resolve", "wrap_up"})
REACTING = frozenset({"react"})
AT_THE_TEMPLE = frozenset({"temple"})


class SaReAction(Action[State], frozen=True):
    """Any action of the game: it is done in the open, so that everyone sees it whole (4.2)."""

    in_the_open = True


class SeasonAction(SaReAction, frozen=True):
    """An action of the season: its moment is judged first, then its own rules (5.4)."""

    phases = frozenset({"season"})
    moments: ClassVar[frozenset[str]] = AT_WORK
    """The decisions in which it can be taken."""

    def against(self, state: State, seat: Seat) -> Objection | None:
        """While seats react, or the Temple's cards wait, nothing else is done."""
        if state.decision in self.moments:
            return self.broken_rule(state, seat)
        if state.decision == "react":
            return Objection("reaction_pending", "You are asked whether you stay or stop.")
        if self.moments == REACTING:
            return Objection("no_reaction_pending", "You have nothing to react to.")
        if state.decision == "temple":
            return Objection("choice_pending", "Choose one of the Temple's cards first.")
        return Objection("no_choice_pending", "The Temple shows no cards.")

    def broken_rule(self, state: State, seat: Seat) -> Objection | None:
        """The first of its own rules that it breaks."""
        return None
