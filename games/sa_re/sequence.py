"""What a work sequence allows at a moment (5.4)."""

from collections.abc import Callable
from typing import Any

from games.kernel import Action, Seat
from games.sa_re.actions import ChooseCard, Stay, Stop
from games.sa_re.play import Objections
from games.sa_re.state import State, WorkSequence, sequence_of


def against_moment(state: State, action: Action) -> Objections:
    """While seats react, or the Temple's cards wait, nothing else is done."""
    if state.decision == "react":
        if not isinstance(action, Stay | Stop):
            yield "reaction_pending", "You are asked whether you stay or stop."
    elif isinstance(action, Stay):
        yield "no_reaction_pending", "Nobody asks you to react."
    elif state.decision == "temple":
        if not isinstance(action, ChooseCard):
            yield "choice_pending", "Choose one of the Temple's cards first."
    elif isinstance(action, ChooseCard):
        yield "no_choice_pending", "The Temple shows no cards."


def in_season(against: Callable[[State, Seat, Any], Objections]) -> Callable[[State, Seat, Any], Objections]:
    """What speaks against an action of the season: the moment, then its own objections."""

    def objections(state: State, seat: Seat, action: Any) -> Objections:
        yield from against_moment(state, action)
        yield from against(state, seat, action)

    return objections


def against_going_on(state: State) -> Objections:
    """A sequence goes on while no drawn card waits and nothing was produced."""
    if state.decision == "resolve":
        yield "cards_pending", "Resolve the cards you have drawn first."
    if state.decision == "wrap_up":
        yield "sequence_over", "Your sequence is over: end it."


def against_debt(state: State) -> Objections:
    """What Horus demands must be drawn."""
    if owed := sequence_of(state).owed:
        yield "must_draw", f"Horus demands {owed} more card(s)."


def against_card(sequence: WorkSequence, card: str) -> Objections:
    """Only a drawn card that is not yet resolved."""
    if sequence.card(card) is None:
        yield "no_such_card", f"{card!r} is not among the cards you have to resolve."
