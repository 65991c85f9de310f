"""The season of production: the deck, the work sequences, winds of revolt and reactions (5.3 to 5.6)."""

from typing import Literal

from games.kernel import Course, Objection, Seat
from games.sa_re.facts.construction import ConstructionStarted
from games.sa_re.facts.season import (
    CardDrawn,
    HoshekhAppeared,
    RevoltBrokeOut,
    SeasonEnded,
    SeasonStarted,
    SequenceEnded,
    SequenceStarted,
    TopRevealed,
    WindBlew,
    not_held,
)
from games.sa_re.state import Pending, State, WorkSequence, box_of, sequence_of, standing_seats

# -- the deck ---------------------------------------------------------------------------------------------------


def start_season(course: Course[State]) -> None:
    """All cards that players do not hold are shuffled, one of them is set aside unseen (5.2, Q35)."""
    state = course.state
    aside, *deck = course.shuffle(f"season/{state.round}", not_held(state))
    course.happens(SeasonStarted(len(deck), tuple(deck), (aside,)))
    uncover(course)
    course.happens(SequenceStarted(state.first_seat, final=False))


def uncover(course: Course[State]) -> None:
    """Hoshekh acts as soon as it lies on top of a face-up deck; any other card is shown (5.3, Q7)."""
    state = course.state
    if not state.deck or not state.deck_face_up:
        return
    if hoshekh_is_on_top(state):
        course.happens(HoshekhAppeared())
    else:
        course.happens(TopRevealed(state.deck[0]))


def hoshekh_is_on_top(state: State) -> bool:
    """Darkness is about to fall."""
    return bool(state.deck_face_up and state.deck and state.deck[0] == box_of(state).hoshekh)


def draw_card(course: Course[State], seat: Seat, zone: Literal["pending", "temple"]) -> None:
    """The top card, if there is one, and what lies beneath it."""
    state = course.state
    if state.deck:
        course.happens(CardDrawn(seat, state.deck[0], zone, dark=not state.deck_face_up))
        uncover(course)


# -- what a sequence allows -------------------------------------------------------------------------------------


def against_pending_cards(state: State) -> Objection | None:
    """Drawn cards are resolved before anything else."""
    if state.decision == "resolve":
        return Objection("cards_pending", "Resolve the cards you have drawn first.")
    return None


def against_going_on(state: State) -> Objection | None:
    """A sequence goes on while no drawn card waits and nothing was produced."""
    if state.decision == "wrap_up":
        return Objection("sequence_over", "Your work sequence is over: end it.")
    return against_pending_cards(state)


def against_debt(state: State) -> Objection | None:
    """What Horus demands must be drawn."""
    owed = sequence_of(state).owed
    return Objection("must_draw", f"Horus demands that you draw {owed} more.") if owed else None


def against_card(state: State, card: str) -> Objection | None:
    """Only a drawn card that is not yet resolved."""
    if sequence_of(state).card(card) is None:
        return Objection("no_such_card", f"{card!r} is not among the cards you have to resolve.")
    return None


def next_in_order(state: State) -> Pending:
    """Without Troubles: singles, then Horus, then doubles, equal kinds as drawn (Q9)."""
    kinds = ("single", "horus", "double")
    cards = box_of(state).cards
    return min(sequence_of(state).pending, key=lambda card: kinds.index(cards[card.id].kind))


# -- winds and revolts ------------------------------------------------------------------------------------------


def blow_wind(course: Course[State], seat: Seat) -> None:
    """A double card raises every gauge still in the season; then all others may react (Q12 to Q14)."""
    course.happens(WindBlew(seat, standing_seats(course.state)))
    settle_revolts(course)


def settle_revolts(course: Course[State]) -> None:
    """A gauge at its limit is a general revolt at once; its player keeps the resources it has drawn (5.5, Q40)."""
    sequence, cards = sequence_of(course.state), box_of(course.state).cards
    for victim, player in enumerate(course.state.players):
        if player.obelisk == "standing" and player.revolt == player.revolt_limit:
            pending = [card.id for card in sequence.pending] if victim == sequence.seat else []
            taken = tuple(card for card in pending if cards[card].is_resource)
            discarded = tuple(card for card in pending if not cards[card].is_resource)
            course.happens(RevoltBrokeOut(sequence.seat, victim, taken, discarded))


# -- from sequence to sequence, and the end of the season (5.6) -----------------------------------------------------


def close_sequence(course: Course[State]) -> None:
    """The sequence ends; another follows, a lone player's last one (Q15), or the season is over."""
    sequence = sequence_of(course.state)
    course.happens(SequenceEnded(sequence.seat))
    standing = standing_seats(course.state)
    reason = end_of_season(course.state, sequence, standing)
    if reason:
        course.happens(SeasonEnded(reason))
        course.happens(ConstructionStarted(course.state.first_seat))
    else:
        course.happens(SequenceStarted(next_of(standing, sequence.seat), final=len(standing) == 1))


def end_of_season(
    state: State, sequence: WorkSequence, standing: tuple[Seat, ...]
) -> Literal["deck_exhausted", "all_down", "last_player"] | None:
    """No card, nobody, or the last player has just played (Q15, Q16)."""
    if state.deck_count == 0:
        return "deck_exhausted"
    if not standing:
        return "all_down"
    if sequence.final or standing == (sequence.seat,):
        return "last_player"
    return None


def next_of(standing: tuple[Seat, ...], seat: Seat) -> Seat:
    """The next player clockwise who is still in the season."""
    return next((other for other in standing if other > seat), standing[0])
