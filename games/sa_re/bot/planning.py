"""Where the bot founds its city, which sites it opens, moves and makes room for."""

from collections.abc import Iterator

from msgspec import UNSET

from games.kernel import Seat
from games.sa_re.actions import SaReAction
from games.sa_re.actions.sites import Demolish, EndSites, LaunchSite, MoveSite, PlaceBuilding
from games.sa_re.box import RESOURCES, Box
from games.sa_re.city import (
    MASTER_BUILDER,
    PORT,
    PYRAMID,
    WAREHOUSE,
    administrative_standing,
    built_tiles,
    count_built,
    free_spaces,
    new_sites,
    owned,
    site_cost,
    sites,
    tiles_of,
)
from games.sa_re.end import PRIEST_ADMINISTRATIVE
from games.sa_re.legal import choices
from games.sa_re.sites import against_ground, against_type
from games.sa_re.state import Cost, Player, Space, State, box_of

CRAFTS_FIRST = ("stonecutter", "goldsmith", "carpenter")
ENOUGH_FOR_A_PYRAMID = 4
"""How many buildings should stand before a Scribe begins the pyramid."""
MOST_OPEN_SITES = 3
"""How many open sites are enough, whatever may be launched for nothing."""


def found_city(view: State, seat: Seat) -> SaReAction:
    """In a corner away from the Nile, where little else would profit."""
    placements = [action for action in choices(view, seat) if isinstance(action, PlaceBuilding)]
    box = box_of(view)
    return min(placements, key=lambda each: (_worth(box, each.space), each.space))


def _worth(box: Box, space: int) -> int:
    """How many neighbours a space has; the bank counts double."""
    return len(box.neighbours[space]) * (2 if space in box.bank else 1)


def choose_site(view: State, seat: Seat) -> SaReAction:
    """Move what would be cheaper elsewhere, make room for what is lacking, launch what is wanted most."""
    return _cheaper_move(view, seat) or _clearing(view, seat) or _launch(view, seat) or EndSites()


# -- launching ----------------------------------------------------------------------------------------------------


def _launch(view: State, seat: Seat) -> LaunchSite | None:
    """The most wanted building that can be launched, while there are hands to build it."""
    me = view.players[seat]
    if not _has_hands(view, me):
        return None
    for building in dict.fromkeys(_wishes(view, seat)):
        if against_type(view, seat, building) is None:
            spots = [
                space
                for space in free_spaces(me)
                if against_ground(view, seat, building, space) is None
                and _leaves_room(view, me, building, space)
            ]
            if spots:
                return LaunchSite(building, max(spots, key=lambda space: _fitness(view, me, building, space)))
    return None


def _has_hands(view: State, me: Player) -> bool:
    """What master builders launch for nothing, and in odd rounds one more, unless much is open already."""
    builders, open_sites = count_built(me, MASTER_BUILDER), len(sites(me))
    free = len(new_sites(me)) < builders and open_sites < MOST_OPEN_SITES
    return free or open_sites < builders + view.round % 2


def _required(view: State, me: Player) -> list[str]:
    """What the directive still asks for and has no tile yet, cheapest first."""
    box = box_of(view)
    administrative = _administrative_lacking(box, me)
    main = [name for name in (PORT, PYRAMID) if not owned(me, name) and name not in me.ever_built]
    match view.options.mode:
        case "scribe" | "architect":
            return [name for name in main if name == PYRAMID]
        case "priest":
            open_or_built = sum(tile.building in box.administrative for _, tile in tiles_of(me))
            return administrative[: max(0, PRIEST_ADMINISTRATIVE - open_or_built)] + main
        case "pharaoh":
            return administrative + main


def _administrative_lacking(box: Box, me: Player) -> list[str]:
    """The administrative buildings that could still be launched, cheapest first."""
    lacking = [name for name in box.administrative if not owned(me, name) and name not in me.ever_built]
    return sorted(lacking, key=lambda name: _price(box, name))


def _price(box: Box, building: str) -> int:
    cost = box.buildings[building].cost
    return cost.wood + cost.gold + cost.stone if cost else len(box.spaces) * 10


def _wishes(view: State, seat: Seat) -> Iterator[str]:
    """Buildings in the order the bot wants them."""
    box, me = box_of(view), view.players[seat]
    required = _required(view, me)
    is_ready = len(built_tiles(me)) >= ENOUGH_FOR_A_PYRAMID
    if view.options.mode == "scribe" and is_ready:
        yield from required
    yield from (craft for craft in CRAFTS_FIRST if not owned(me, craft))
    if count_built(me, WAREHOUSE) < 2 and view.options.mode != "scribe":
        yield WAREHOUSE
    yield from required
    if view.options.mode == "scribe":
        yield from _tiebreakers(box, me)
    if view.options.mode == "architect" or administrative_standing(box, me) == 0:
        yield from sorted(box.buildings, key=lambda name: _price(box, name))


def _tiebreakers(box: Box, me: Player) -> list[str]:
    """Of Scribes who are ready together the one with most administrative buildings wins (8): one at a time."""
    is_open = any(tile.building in box.administrative for _, tile in sites(me))
    return [] if is_open else _administrative_lacking(box, me)


def _leaves_room(view: State, me: Player, building: str, space: int) -> bool:
    """Free spaces remain for what is required, and one on the bank for the Port."""
    box = box_of(view)
    required = [name for name in _required(view, me) if name != building]
    free = [other for other in free_spaces(me) if other != space]
    has_bank = any(other in box.bank for other in free)
    return len(free) >= len(required) and (PORT not in required or has_bank)


def _fitness(view: State, me: Player, building: str, space: int) -> tuple[float, int]:
    """Crafts around the heart of the city; all else where crafts make it cheaper, and where little is lost."""
    box = box_of(view)
    near = [me.spaces[other] for other in box.neighbours[space]]
    wasted_bank = 0.5 if space in box.bank and building != PORT else 0.0
    if building in CRAFTS_FIRST:
        heart = _heart(box, me)
        helped = sum([_is_site(tiles) for tiles in near]) + 0.3 * sum([not tiles for tiles in near])
        at_heart = -9 if space == heart else 3 * (heart in box.neighbours[space])
        return at_heart + helped - wasted_bank, -space
    discounts = [box.buildings[tile.building].discount for tiles in near for tile in tiles]
    saved = len({discount for discount in discounts if discount in RESOURCES})
    if building == PYRAMID:
        return 3 * saved + sum([not tiles for tiles in near]) - wasted_bank, -space
    in_the_way = 2.0 if space == _heart(box, me) else 0.0
    return saved - 0.1 * len(near) - wasted_bank - in_the_way, -space


def _heart(box: Box, me: Player) -> int:
    """Where the pyramid lies, or would profit from most crafts."""
    best, heart = -1.0, -1
    for space, tiles in enumerate(me.spaces):
        if tiles and tiles[0].building == PYRAMID:
            return space
        if not tiles:
            near = [me.spaces[other] for other in box.neighbours[space]]
            promise = sum([_promise(box, others) for others in near])
            if promise > best:
                best, heart = promise, space
    return heart


def _promise(box: Box, tiles: Space) -> float:
    """What a space beside the pyramid may save: a craft does, a free space may."""
    if not tiles:
        return 1.0
    return 1.5 if box.buildings[tiles[0].building].discount in RESOURCES else 0.0


def _is_site(tiles: Space) -> bool:
    return any(not tile.built for tile in tiles)


# -- moving and demolishing -----------------------------------------------------------------------------------------


def _cheaper_move(view: State, seat: Seat) -> MoveSite | None:
    """An older site moves to where it costs less."""
    box, me = box_of(view), view.players[seat]
    best, move = 0, None
    for space, tile in sites(me):
        if tile.new or tile.moved or tile.cost is UNSET:
            continue
        for to in free_spaces(me):
            saved = _total(tile.cost) - _total(site_cost(box, me.spaces, to, tile))
            if saved > best and against_ground(view, seat, tile.building, to) is None:
                best, move = saved, MoveSite(space, to)
    return move


def _total(cost: Cost) -> int:
    return cost.wood + cost.gold + cost.stone - cost.wild


def _clearing(view: State, seat: Seat) -> Demolish | None:
    """When what the directive asks for has no place left, what serves least makes room."""
    box, me = box_of(view), view.players[seat]
    required = _required(view, me)
    free = free_spaces(me)
    needs_bank = PORT in required and not any(space in box.bank for space in free)
    if len(free) >= len(required) and not needs_bank:
        return None
    grounds = box.bank if needs_bank else box.spaces
    removable = [
        action
        for action in choices(view, seat)
        if isinstance(action, Demolish) and action.space in grounds and _is_spare(box, me, action)
    ]
    return min(removable, key=lambda each: (_use_of(box, me, each), each.space), default=None)


def _is_spare(box: Box, me: Player, action: Demolish) -> bool:
    """What can be done without, alone on its space: production, of which there is more, or that serves no site."""
    lone = len(me.spaces[action.space]) == 1
    return lone and box.buildings[action.building].class_ == "production" and action.discard is UNSET


def _use_of(box: Box, me: Player, action: Demolish) -> int:
    """How many open sites a building makes cheaper; a craft also produces."""
    near = [me.spaces[other] for other in box.neighbours[action.space]]
    is_craft = box.buildings[action.building].discount in RESOURCES
    return (1 + sum([_is_site(tiles) for tiles in near])) if is_craft else 0
