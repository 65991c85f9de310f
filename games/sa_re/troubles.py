"""Troubles passed on to opponents or thrown away (6.3, Q10 to Q12)."""

from collections.abc import Mapping

from msgspec import UNSET

from games.kernel import Action, Seat
from games.sa_re.actions import DiscardTrouble, PassTrouble
from games.sa_re.facts.season import TroubleDiscarded, TroublePassed
from games.sa_re.play import Objection, Play, Rule
from games.sa_re.sequence import against_card, in_season
from games.sa_re.state import State, sequence_of


def has_receiver(state: State, seat: Seat, level: int) -> bool:
    """Some opponent may be passed Troubles of this level."""
    return any(against_target(state, seat, other, level) is None for other in range(len(state.players)))


def against_target(state: State, seat: Seat, other: Seat, level: int) -> Objection:
    """Troubles reach a standing opponent, once a sequence, and never make it revolt."""
    return (
        against_opponent(state, seat, other)
        or against_laid(state, other)
        or against_served(state, other)
        or against_toppling(state, other, level)
    )


def against_opponent(state: State, seat: Seat, other: Seat) -> Objection:
    """Somebody else at the table."""
    if other == seat or not 0 <= other < len(state.players):
        return "bad_target", "Choose another player."
    return None


def against_laid(state: State, other: Seat) -> Objection:
    """Out of the season is out of reach (Q12)."""
    if not state.players[other].stands:
        return "target_not_standing", f"Seat {other} is out of the season."
    return None


def against_served(state: State, other: Seat) -> Objection:
    """Nobody receives Troubles twice in a sequence."""
    if other in sequence_of(state).passed_to:
        return "target_already_served", f"Seat {other} has received Troubles in this sequence."
    return None


def against_toppling(state: State, other: Seat, steps: int) -> Objection:
    """Nobody is made to revolt by what another sends."""
    if state.players[other].room <= steps:
        return "would_cause_revolt", f"That would make seat {other} revolt."
    return None


def against_trouble(state: State, card: str) -> Objection:
    """It is one of the drawn cards, and a Troubles card."""
    found = sequence_of(state).card(card)
    if found and not found.is_trouble:
        return "not_a_trouble", f"{card} is not a Troubles card."
    return against_card(sequence_of(state), card)


def against_first_trouble(state: State) -> Objection:
    """Only from the second Troubles card of a sequence on."""
    if sequence_of(state).troubles == 0:
        return "first_trouble", "The first Troubles card of a sequence is yours to take."
    return None


def level_of(state: State, card: str) -> int:
    """The level of a pending Troubles card; 0 of any other."""
    found = sequence_of(state).card(card)
    return found.level if found and found.level is not UNSET else 0


def against_passing(state: State, seat: Seat, action: PassTrouble) -> Objection:
    """A further Troubles card, and an opponent who can receive it."""
    return (
        against_trouble(state, action.card)
        or against_first_trouble(state)
        or against_target(state, seat, action.to, level_of(state, action.card))
    )


def pass_trouble(play: Play, seat: Seat, action: PassTrouble) -> None:
    """The receiver rises by the level and may react."""
    play.happens(TroublePassed(seat, action.to, action.card, level_of(play.state, action.card)))


def against_discarding(state: State, seat: Seat, action: DiscardTrouble) -> Objection:
    """A further Troubles card that no opponent can receive."""
    objection = against_trouble(state, action.card) or against_first_trouble(state)
    if objection is None and has_receiver(state, seat, level_of(state, action.card)):
        return "target_available", "An opponent can receive this card: take it or pass it on."
    return objection


def discard_trouble(play: Play, seat: Seat, action: DiscardTrouble) -> None:
    """No gauge moves."""
    play.happens(TroubleDiscarded(seat, action.card))


RULES: Mapping[type[Action], Rule] = {
    PassTrouble: Rule(in_season(against_passing), pass_trouble),
    DiscardTrouble: Rule(in_season(against_discarding), discard_trouble),
}
