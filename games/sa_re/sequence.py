"""What a work sequence allows at a moment (5.4)."""

from collections.abc import Callable
from typing import Any

from games.kernel import Action, Seat
from games.sa_re.actions import ChooseCard, Stay, Stop
from games.sa_re.play import Objection
from games.sa_re.state import State, WorkSequence, sequence_of

AT_WORK = frozenset({"work", "resolve", "wrap_up"})
REACTING = frozenset({"react"})
AT_THE_TEMPLE = frozenset({"temple"})


def against_moment(state: State, action: Action) -> Objection:
    """While seats react, or the Temple's cards wait, nothing else is done."""
    if state.decision == "react":
        if not isinstance(action, (Stay, Stop)):
            return "reaction_pending", "You are asked whether you stay or stop."
    elif isinstance(action, Stay):
        return "no_reaction_pending", "Nobody asks you to react."
    elif state.decision == "temple":
        if not isinstance(action, ChooseCard):
            return "choice_pending", "Choose one of the Temple's cards first."
    elif isinstance(action, ChooseCard):
        return "no_choice_pending", "The Temple shows no cards."
    return None


def in_season(
    against: Callable[[State, Seat, Any], Objection], *, when: frozenset[str] = AT_WORK
) -> Callable[[State, Seat, Any], Objection]:
    """What speaks against an action of the season: the moment, then its own objections."""

    def objection(state: State, seat: Seat, action: Any) -> Objection:
        if state.decision in when:
            return against(state, seat, action)
        return against_moment(state, action)

    return objection


def against_going_on(state: State) -> Objection:
    """A sequence goes on while no drawn card waits and nothing was produced."""
    if state.decision == "resolve":
        return "cards_pending", "Resolve the cards you have drawn first."
    if state.decision == "wrap_up":
        return "sequence_over", "Your sequence is over: end it."
    return None


def against_debt(state: State) -> Objection:
    """What Horus demands must be drawn."""
    owed = sequence_of(state).owed
    return ("must_draw", f"Horus demands {owed} more card(s).") if owed else None


def against_card(sequence: WorkSequence, card: str) -> Objection:
    """Only a drawn card that is not yet resolved."""
    if sequence.card(card) is None:
        return "no_such_card", f"{card!r} is not among the cards you have to resolve."
    return None
