"""How the bot builds: the dearest site first, then stores, caravans and the best cards to keep."""

from msgspec import UNSET

from games.kernel import Seat
from games.sa_re.actions import SaReAction
from games.sa_re.actions.construction import EndConstruction, Pay, StartWork, Store
from games.sa_re.box import GOLD, JOKER, RESOURCES, STONE, WOOD
from games.sa_re.city import PYRAMID, owned
from games.sa_re.legal import choices
from games.sa_re.payment import all_resources, card_gives, gives, lacking, uncovered
from games.sa_re.state import Cost, Player, Source, State, box_of, work_of

NOTHING = Cost(0, 0, 0, 0)


def construct(view: State, seat: Seat) -> SaReAction:
    """Build what matters most; then save what would be lost."""
    legal = list(choices(view, seat))
    works = [action.space for action in legal if isinstance(action, StartWork)]
    builds = [space for space in works if isinstance(space, int) and not _can_wait(view, seat, space)]
    if builds:
        return StartWork("build", _first_to_build(view, seat, builds))
    keep = _best_to_keep(view, legal)
    stores = [action for action in legal if isinstance(action, Store) and _is_spare(action.source, keep)]
    if stores:
        return max(stores, key=lambda each: (len(each.take), each.source.card is not UNSET))
    if StartWork("caravan") in legal and _spare_resources(view, seat, keep) >= _caravan_price(view):
        return StartWork("caravan")
    return EndConstruction(keep)


def _can_wait(view: State, seat: Seat, space: int) -> bool:
    """What only breaks ties among Scribes waits for this round's step of the pyramid: resources are saved for that."""
    me = view.players[seat]
    if view.options.mode != "scribe" or me.spaces[space][0].building not in box_of(view).administrative:
        return False
    pyramid = owned(me, PYRAMID)
    return pyramid is not None and not pyramid.built and pyramid.step_done is False


def _first_to_build(view: State, seat: Seat, spaces: list[int]) -> int:
    """The most important site; but first a craft that makes it cheaper, if there is enough for both (Q30)."""
    box, me = box_of(view), view.players[seat]
    main = max(spaces, key=lambda space: _importance(view, me, space))
    means = all_resources(box, me) + [JOKER] * (me.caravans - me.caravans_new)
    for space in spaces:
        saves = box.buildings[me.spaces[space][0].building].discount
        helps = space in box.neighbours[main] and saves in RESOURCES
        if helps and saves and lacking(_cost_of_both(me, main, space, saves), means) == 0:
            return space
    return main


def _cost_of_both(me: Player, main: int, craft: int, saves: str) -> Cost:
    """What a site and a craft beside it cost together, the craft being built first."""
    one, two = _cost(me, main), _cost(me, craft)
    saved = {resource: 1 if resource == saves and getattr(one, resource) else 0 for resource in RESOURCES}
    return Cost(
        wood=one.wood + two.wood - saved[WOOD],
        gold=one.gold + two.gold - saved[GOLD],
        stone=one.stone + two.stone - saved[STONE],
        wild=one.wild + two.wild,
    )


def _cost(me: Player, space: int) -> Cost:
    cost = me.spaces[space][0].cost
    return cost if cost is not UNSET else NOTHING


def _importance(view: State, me: Player, space: int) -> tuple[bool, int]:
    """A Scribe's pyramid before all; then the dearest."""
    cost = _cost(me, space)
    is_goal = view.options.mode == "scribe" and me.spaces[space][0].building == PYRAMID
    return is_goal, cost.wood + cost.gold + cost.stone


def _caravan_price(view: State) -> int:
    return box_of(view).caravan_track.exchange_in


def _best_to_keep(view: State, legal: list[SaReAction]) -> tuple[str, ...]:
    """The cards to keep: as many as allowed, doubles before singles."""
    cards = box_of(view).cards
    endings = [action.keep for action in legal if isinstance(action, EndConstruction)]
    return max(endings, key=lambda keep: (sum(len(cards[card].gives) for card in keep), keep))


def _is_spare(source: Source, keep: tuple[str, ...]) -> bool:
    """A source that would be lost at the end of the turn: no kept card, no caravan, nothing stored."""
    if isinstance(source.card, str):
        return source.card not in keep
    return isinstance(source.production, int)


def _spare_resources(view: State, seat: Seat, keep: tuple[str, ...]) -> int:
    """How many resources would be lost at the end of the turn."""
    box, me = box_of(view), view.players[seat]
    cards = sum(len(card_gives(box, card)) for card in me.cards if card.id not in keep)
    return cards + sum(tiles[0].token is True for tiles in me.spaces if tiles)


def pay(view: State, seat: Seat) -> SaReAction:
    """With the least waste; tokens before cards before stock before caravans, jokers last."""
    box, me, work = box_of(view), view.players[seat], work_of(view)
    payments = [action for action in choices(view, seat) if isinstance(action, Pay)]

    def regret(payment: Pay) -> tuple[int, bool, int, int]:
        resources = gives(box, me, payment.source) or ()
        waste = len(resources) - (work.uncovered - uncovered(view, work, resources))
        source = payment.source
        order = (source.production, source.card, source.stock, source.caravan)
        rank = next(place for place, each in enumerate(order) if each is not UNSET)
        return waste, JOKER in resources, rank, len(resources)

    return min(payments, key=regret)
