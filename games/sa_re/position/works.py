"""What no position in construction may break: works are paid from what their player had (6.4, 12)."""

from collections.abc import Iterator
from itertools import pairwise

from msgspec import UNSET

from games.sa_re.box import JOKER, RESOURCES, Box, box_of
from games.sa_re.city import capacity, site_at
from games.sa_re.payment import card_gives, uncovered, within_means
from games.sa_re.state import Card, Payment, Player, State, Work, replace

Faults = Iterator[str]


def faults_of_works(state: State) -> Faults:
    """Works and cancelled works belong to the seat that builds."""
    if state.phase != "construction":
        if state.work or state.cancelled:
            yield "Works belong to construction."
        return
    if state.work:
        yield from _work(state, state.work)
    me = state.players[state.active_seat or 0]
    works = {"caravan", *(f"build:{space}" for space in box_of(state).spaces if site_at(me, space))}
    if len(set(state.cancelled)) < len(state.cancelled) or not set(state.cancelled) <= works:
        yield "`cancelled` names open sites or the caravan, each once."


def _work(state: State, work: Work) -> Faults:
    """A work goes on in its player's own turn, and can be completed."""
    me = state.players[work.seat]
    if work.seat != state.active_seat or me.in_revolt:
        yield "The work is that of the active seat, which is not in revolt."
    if work.space is not None and any(tile.step_done is True for tile in me.spaces[work.space]):
        yield "A pyramid grows by one step a round."
    yield from _payments(state, work)
    if not within_means(state, work):
        yield "What is left does not cover the work."


def _payments(state: State, work: Work) -> Faults:
    """What was paid came from sources that the player had, each spent once and to some use."""
    box, me = box_of(state), state.players[work.seat]
    for payment in work.paid:
        if not _was_payable(box, me, work, payment):
            yield "A payment does not fit what its source gives."
    produced = [payment.source.production for payment in work.paid if payment.source.production is not UNSET]
    if len(set(produced)) < len(produced):
        yield "A building produces once a round."
    caravans = sum(payment.source.caravan is True for payment in work.paid)
    if me.caravans + caravans + (work.kind == "caravan") > box.caravan_track.max:
        yield "There are more caravans than the track holds."
    stored = sum(payment.source.stock is not UNSET for payment in work.paid)
    if me.stock.total + stored > capacity(box, me):
        yield "More was paid from the stock than the warehouses hold."
    if not _each_covered_something(state, work):
        yield "A payment covers nothing that was still lacking."


def _was_payable(box: Box, player: Player, work: Work, payment: Payment) -> bool:
    """The source could have given this, and has left the player."""
    source, card = payment.source, payment.card
    if card is not UNSET:
        is_the_source = source.card == card.id and may_lie_in_front(box, card)
        return is_the_source and payment.gives == card_gives(box, card)
    if isinstance(source.stock, str):
        return source.stock in (*RESOURCES, JOKER) and payment.gives == (source.stock,)
    if isinstance(source.production, int):
        tiles = player.spaces[source.production] if source.production in box.spaces else ()
        return any(
            tile.built and tile.token is False and payment.gives == (box.buildings[tile.building].produces,)
            for tile in tiles
        )
    return work.kind == "build" and payment.gives == (JOKER,)


def may_lie_in_front(box: Box, card: Card) -> bool:
    """A resource card, or Troubles that the Library turned into a joker."""
    kind = box.cards[card.id].kind
    return kind == "trouble" if card.joker else kind in ("single", "double")


def _each_covered_something(state: State, work: Work) -> bool:
    """Useless payments are refused, so there are none."""
    paid = work.paid
    lacking = [uncovered(state, replace(work, paid=paid[:made])) for made in range(len(paid) + 1)]
    return all(after < before for before, after in pairwise(lacking))
