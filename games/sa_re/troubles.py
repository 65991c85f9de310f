"""Who can be sent Troubles, or a step of revolt (6.3, Q10 to Q12)."""

from msgspec import UNSET

from games.kernel import Objection, Seat
from games.sa_re.season import against_card
from games.sa_re.state import State, sequence_of


def has_receiver(state: State, seat: Seat, level: int) -> bool:
    """Some opponent may be passed Troubles of this level."""
    return any(against_target(state, seat, other, level) is None for other in range(len(state.players)))


def against_target(state: State, seat: Seat, other: Seat, level: int) -> Objection | None:
    """Troubles reach a standing opponent, once a sequence, and never make it revolt."""
    return (
        against_opponent(state, seat, other)
        or against_laid(state, other)
        or against_served(state, other)
        or against_toppling(state, other, level)
    )


def against_opponent(state: State, seat: Seat, other: Seat) -> Objection | None:
    """Somebody else at the table."""
    if other == seat or not 0 <= other < len(state.players):
        return Objection("bad_target", "Choose another player.")
    return None


def against_laid(state: State, other: Seat) -> Objection | None:
    """Out of the season is out of reach (Q12)."""
    if not state.players[other].stands:
        return Objection("target_not_standing", f"Seat {other} is out of the season.")
    return None


def against_served(state: State, other: Seat) -> Objection | None:
    """Nobody receives Troubles twice in a sequence."""
    if other in sequence_of(state).passed_to:
        return Objection(
            "target_already_served", f"Seat {other} has already been given Troubles in this sequence."
        )
    return None


def against_toppling(state: State, other: Seat, steps: int) -> Objection | None:
    """Nobody is made to revolt by what another sends."""
    if state.players[other].room <= steps:
        return Objection("would_cause_revolt", f"That would make seat {other} revolt.")
    return None


def against_trouble(state: State, card: str) -> Objection | None:
    """It is one of the drawn cards, and a Troubles card."""
    objection = against_card(state, card)
    if objection is None and level_of(state, card) == 0:
        return Objection("not_a_trouble", "That is not a Troubles card.")
    return objection


def against_first_trouble(state: State) -> Objection | None:
    """Only from the second Troubles card of a sequence on."""
    if sequence_of(state).troubles == 0:
        return Objection("first_trouble", "The first Troubles card of a sequence is yours to take.")
    return None


def level_of(state: State, card: str) -> int:
    """The level of a pending Troubles card; 0 of any other."""
    pending = sequence_of(state).card(card)
    return pending.level if pending and pending.level is not UNSET else 0
