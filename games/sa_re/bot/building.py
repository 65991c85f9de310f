"""How the bot builds: the dearest site first, then stores, caravans and the best cards to keep."""

from msgspec import UNSET

from games.kernel import Seat
from games.sa_re.actions import SaReAction
from games.sa_re.actions.construction import EndConstruction, Pay, StartWork, Store
from games.sa_re.box import JOKER
from games.sa_re.legal import choices
from games.sa_re.payment import card_gives, gives, uncovered
from games.sa_re.state import Player, Source, State, box_of, work_of


def construct(view: State, seat: Seat) -> SaReAction:
    """Build the dearest site; then save what would be lost."""
    me, legal = view.players[seat], list(choices(view, seat))
    builds = [action for action in legal if isinstance(action, StartWork) and action.kind == "build"]
    if builds:
        return max(builds, key=lambda each: _dearness(me, each))
    keep = _best_to_keep(view, legal)
    stores = [action for action in legal if isinstance(action, Store) and _is_spare(action.source, keep)]
    if stores:
        return max(stores, key=lambda each: (len(each.take), each.source.card is not UNSET))
    if StartWork("caravan") in legal and _spare_resources(view, seat, keep) >= _caravan_price(view):
        return StartWork("caravan")
    return EndConstruction(keep)


def _dearness(me: Player, start: StartWork) -> int:
    cost = me.spaces[start.space][0].cost if isinstance(start.space, int) else UNSET
    return cost.wood + cost.gold + cost.stone if cost is not UNSET else 0


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
