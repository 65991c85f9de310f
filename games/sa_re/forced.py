"""What is no choice: the action of a seat that has no other, found without listing all it could do (5.1)."""

from collections.abc import Callable, Mapping
from math import comb

from msgspec import UNSET

from games.kernel import Seat
from games.sa_re.actions import SaReAction
from games.sa_re.actions.powers import ChooseCard
from games.sa_re.actions.season import DiscardTrouble, Draw, EndSequence, TakeCard
from games.sa_re.construction import cards_to_choose, keep_counts
from games.sa_re.legal import choices
from games.sa_re.powers import has_power_at_hand
from games.sa_re.season import next_in_order
from games.sa_re.state import State, WorkSequence, sequence_of
from games.sa_re.troubles import has_receiver


def only_draw(state: State, seat: Seat) -> SaReAction | None:
    """Whoever owes nothing may also stop; what Horus demands must be drawn."""
    return Draw() if sequence_of(state).owed and not has_power_at_hand(state, seat) else None


def only_card_shown(state: State, seat: Seat) -> SaReAction | None:
    """The Temple leaves a choice if it shows two cards."""
    shown = sequence_of(state).temple
    return ChooseCard(shown[0].id) if len(shown) == 1 and shown[0].id else None


def only_wrap_up(state: State, seat: Seat) -> SaReAction | None:
    """After the production nothing is left but a power."""
    return None if has_power_at_hand(state, seat) else EndSequence()


def only_resolution(state: State, seat: Seat) -> SaReAction | None:
    """What must become of the drawn cards, unless a power changes it."""
    sequence = sequence_of(state)
    forced = only_way_with_card if len(sequence.pending) == 1 else only_card_in_order
    action = forced(state, seat, sequence)
    return None if action is None or has_power_at_hand(state, seat) else action


def only_way_with_card(state: State, seat: Seat, sequence: WorkSequence) -> SaReAction | None:
    """A lone card is taken; but further Troubles may be passed on, or are thrown away if nobody can receive them."""
    card = sequence.pending[0]
    if card.level is UNSET or sequence.troubles == 0:
        return TakeCard(card.id)
    return None if has_receiver(state, seat, card.level) else DiscardTrouble(card.id)


def only_card_in_order(state: State, seat: Seat, sequence: WorkSequence) -> SaReAction | None:
    """Several cards are taken in their order; with Troubles among them the order is a choice (Q9)."""
    if any(card.is_trouble for card in sequence.pending):
        return None
    return TakeCard(next_in_order(state).id)


def only_ending(state: State, seat: Seat) -> SaReAction | None:
    """Whoever may choose what to keep has a choice, whatever else there is to do."""
    cards = len(cards_to_choose(state.players[seat]))
    ways_to_end = sum(comb(cards, count) for count in keep_counts(state, seat))
    return None if ways_to_end > 1 else only_entry(state, seat)


def only_entry(state: State, seat: Seat) -> SaReAction | None:
    """The one entry of the list: a second is enough to know that there is a choice."""
    actions = choices(state, seat)
    first = next(actions, None)
    return first if next(actions, None) is None else None


ONLY_ACTION: Mapping[str | None, Callable[[State, Seat], SaReAction | None]] = {
    "place_start": only_entry,
    "work": only_draw,
    "resolve": only_resolution,
    "temple": only_card_shown,
    "wrap_up": only_wrap_up,
    "construction": only_ending,
}
"""The action of a seat that has no other, by decision. To react, to choose sites and to pay is always left to the player."""
