"""Sources of resources and what a work still lacks (5.7, 6.4)."""

from collections.abc import Iterable

from msgspec import UNSET

from games.sa_re.box import GOLD, JOKER, STONE, TOKENS, WOOD, Box
from games.sa_re.city import site_at
from games.sa_re.state import Card, Cost, Player, Source, State, Work, box_of


def sources(box: Box, player: Player) -> list[Source]:
    """Everything a player could pay with or store: cards, stock, ready production, caravans."""
    all_sources = [Source(card=card.id) for card in player.cards]
    all_sources += [Source(stock=resource) for resource in TOKENS if player.stock.of(resource)]
    all_sources += [
        Source(production=space)
        for space, tiles in enumerate(player.spaces)
        if tiles and tiles[0].token is True
    ]
    if has_caravan_ready(player):
        all_sources.append(Source(caravan=True))
    return all_sources


def gives(box: Box, player: Player, source: Source) -> tuple[str, ...] | None:
    """What a source gives, or None if the player has no such source."""
    if source.card is not UNSET:
        card = player.card(source.card)
        return None if card is None else card_gives(box, card)
    if source.stock is not UNSET:
        return (source.stock,) if player.stock.of(source.stock) else None
    if source.production is not UNSET:
        return _production_gives(box, player, source.production)
    return (JOKER,) if has_caravan_ready(player) else None


def card_gives(box: Box, card: Card) -> tuple[str, ...]:
    """The resources on a card; a Library joker gives one of any type."""
    return (JOKER,) if card.joker else box.cards[card.id].gives


def _production_gives(box: Box, player: Player, space: int) -> tuple[str, ...] | None:
    if space not in box.spaces or not player.spaces[space]:
        return None
    tile = player.spaces[space][0]
    produced = box.buildings[tile.building].produces
    return (produced,) if tile.token is True and produced else None


def has_caravan_ready(player: Player) -> bool:
    """A caravan chartered in this phase is still on its way (Q32)."""
    return player.caravans > player.caravans_new


def lacking(cost: Cost, paid: list[str]) -> int:
    """How many resources are missing; jokers and the Port's discount cover any type (5.7)."""
    wood, gold, stone = (
        cost.wood - paid.count(WOOD),
        cost.gold - paid.count(GOLD),
        cost.stone - paid.count(STONE),
    )
    short = (wood if wood > 0 else 0) + (gold if gold > 0 else 0) + (stone if stone > 0 else 0)
    return max(0, short - paid.count(JOKER) - cost.wild)


def uncovered(state: State, work: Work, extra: Iterable[str] = ()) -> int:
    """What a work lacks after all that was paid for it, and this besides."""
    paid = list(extra)
    for payment in work.paid:
        paid += payment.gives
    if work.space is None:
        return max(0, box_of(state).caravan_track.exchange_in - len(paid))
    site = site_at(state.players[work.seat], work.space)
    if site is None or site.cost is UNSET:
        raise ValueError(f"there is no site on space {work.space}")
    return lacking(site.cost, paid)


def all_resources(box: Box, player: Player) -> list[str]:
    """What all of a player's cards, stock and ready production give together; caravans apart."""
    means: list[str] = []
    for card in player.cards:
        means += card_gives(box, card)
    stock = player.stock
    means += [WOOD] * stock.wood + [GOLD] * stock.gold + [STONE] * stock.stone + [JOKER] * stock.joker
    for tiles in player.spaces:
        if tiles and tiles[0].token is True:
            means.append(box.buildings[tiles[0].building].produces or JOKER)
    return means


def within_means(state: State, work: Work) -> bool:
    """All the player's sources together would cover what the work lacks."""
    box, player = box_of(state), state.players[work.seat]
    means = all_resources(box, player)
    if work.kind == "build":
        means += [JOKER] * (player.caravans - player.caravans_new)
    return uncovered(state, work, means) == 0
