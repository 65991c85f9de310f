"""What is no choice: the action of a seat that has no other, found without listing all it could do (5.1)."""

from collections.abc import Iterator
from math import comb

from games.kernel import Action, Seat
from games.sa_re.actions import DiscardTrouble, Draw, EndSequence, TakeCard
from games.sa_re.construction import keep_counts, resource_cards
from games.sa_re.legal import legal_actions
from games.sa_re.powers import has_power_at_hand
from games.sa_re.season import next_in_order
from games.sa_re.state import State, sequence_of
from games.sa_re.troubles import receivers


def only_action(state: State, seat: Seat) -> Action | None:
    """The action of a seat that has no other."""
    match state.decision:
        case "work" | "resolve" | "wrap_up":
            action = only_way_on(state, seat)
            return None if action is None or has_power_at_hand(state, seat) else action
        case "construction" if may_choose_what_to_keep(state, seat):
            return None
    return lone(legal_actions(state, seat))


def lone(actions: Iterator[Action]) -> Action | None:
    """The one action of a list: a second is enough to know that there is a choice."""
    first = next(actions, None)
    return first if next(actions, None) is None else None


def only_way_on(state: State, seat: Seat) -> Action | None:
    """What a sequence demands of a player who uses no power, if that is one thing."""
    sequence = sequence_of(state)
    if state.decision == "work":
        return Draw() if sequence.owed else None  # else one may also stop
    if state.decision == "wrap_up":
        return EndSequence()
    if len(sequence.pending) > 1:
        return only_card_to_take(state)
    card = sequence.pending[0]
    if not isinstance(card.level, int) or sequence.troubles == 0:
        return TakeCard(card.id)
    return None if receivers(state, seat, card.level) else DiscardTrouble(card.id)


def only_card_to_take(state: State) -> Action | None:
    """Several cards have an order, unless there are Troubles among them (Q9)."""
    if any(card.is_trouble for card in sequence_of(state).pending):
        return None
    return TakeCard(next_in_order(state).id)


def may_choose_what_to_keep(state: State, seat: Seat) -> bool:
    """There is more than one way to end a turn of construction, so that nothing else needs to be looked for."""
    if state.work is not None:
        return False
    cards = len(resource_cards(state.players[seat]))
    return sum(comb(cards, count) for count in keep_counts(state, seat)) > 1
