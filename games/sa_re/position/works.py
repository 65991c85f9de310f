"""What no position in construction may break: works are paid from what their player had (6.4, 12)."""

from itertools import pairwise

from msgspec import UNSET

from games.kernel import replace
from games.positions import demand
from games.sa_re.box import TOKENS
from games.sa_re.city import capacity, site_at
from games.sa_re.payment import card_gives, uncovered, within_means
from games.sa_re.state import Card, Payment, Player, State, Work, box_of


def check_works(state: State) -> None:
    """Works and cancelled works belong to the seat that builds."""
    if state.phase != "construction":
        demand(not state.work and not state.cancelled, "works belong to construction")
        return
    if state.work:
        _check_work(state, state.work)
    me = state.players[state.active_seat or 0]
    works = {"caravan", *(f"build:{space}" for space in box_of(state).spaces if site_at(me, space))}
    fits = len(set(state.cancelled)) == len(state.cancelled) and works.issuperset(state.cancelled)
    demand(fits, "`cancelled` names open sites or the caravan, each once")


def _check_work(state: State, work: Work) -> None:
    """A work goes on in its player's own turn, and can be completed."""
    me = state.players[work.seat]
    is_own = work.seat == state.active_seat and not me.in_revolt
    demand(is_own, "the work is that of the active seat, which is not in revolt")
    if work.space is not None:
        demand(me.spaces[work.space][0].step_done is not True, "a pyramid grows by one step a round")
    _check_payments(state, work)
    demand(within_means(state, work), "what is left does not cover the work")


def _check_payments(state: State, work: Work) -> None:
    """What was paid came from sources that the player had, each spent once and to some use."""
    box, me = box_of(state), state.players[work.seat]
    for payment in work.paid:
        demand(_was_payable(state, me, work, payment), "a payment does not fit what its source gives")
    sources = [payment.source for payment in work.paid]
    produced = [source.production for source in sources if source.production is not UNSET]
    demand(len(set(produced)) == len(produced), "a building produces once a round")
    caravans = me.caravans + (work.kind == "caravan") + sum(source.caravan is True for source in sources)
    demand(caravans <= box.caravan_track.max, "there are more caravans than the track holds")
    stored = me.stock.total + sum(source.stock is not UNSET for source in sources)
    demand(stored <= capacity(box, me), "more was paid from the stock than the warehouses hold")
    demand(_each_covered_something(state, work), "a payment covers nothing that was still lacking")


def _was_payable(state: State, player: Player, work: Work, payment: Payment) -> bool:
    """The source could have given this, and has left the player."""
    box = box_of(state)
    source, card = payment.source, payment.card
    if card is not UNSET:
        is_the_source = source.card == card.id and may_lie_in_front(state, card)
        return is_the_source and payment.gives == card_gives(box, card)
    if source.stock is not UNSET:
        return source.stock in TOKENS and payment.gives == (source.stock,)
    if source.production is not UNSET:
        tiles = player.spaces[source.production] if source.production in box.spaces else ()
        return any(
            tile.built and tile.token is False and payment.gives == (box.buildings[tile.building].produces,)
            for tile in tiles
        )
    return work.kind == "build" and payment.gives == ("joker",)


def may_lie_in_front(state: State, card: Card) -> bool:
    """A resource card, or Troubles that the Library turned into a joker, which is never kept (Q33)."""
    kind = box_of(state).cards[card.id].kind
    if card.joker:
        return kind == "trouble" and card.kept is UNSET
    return kind in ("single", "double") and (card.kept is UNSET or state.options.rules > 1)


def _each_covered_something(state: State, work: Work) -> bool:
    """Useless payments are refused, so there are none."""
    paid = work.paid
    lacking = [uncovered(state, replace(work, paid=paid[:made])) for made in range(len(paid) + 1)]
    return all(after < before for before, after in pairwise(lacking))
