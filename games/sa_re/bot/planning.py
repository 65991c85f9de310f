"""Where the bot founds its city and which sites it opens."""

from collections.abc import Iterator

from games.kernel import Seat
from games.sa_re.actions import SaReAction
from games.sa_re.actions.sites import EndSites, LaunchSite, PlaceBuilding
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
    owned,
    sites,
    tiles_of,
)
from games.sa_re.end import PRIEST_ADMINISTRATIVE
from games.sa_re.state import Player, Space, State, box_of

CRAFTS_FIRST = ("stonecutter", "goldsmith", "carpenter")
ENOUGH_FOR_A_PYRAMID = 4
"""How many buildings should stand before a Scribe begins the pyramid."""


def found_city(view: State, seat: Seat, legal: list[SaReAction]) -> SaReAction:
    """In a corner away from the Nile, where little else would profit."""
    placements = [action for action in legal if isinstance(action, PlaceBuilding)]
    box = box_of(view)
    return min(placements, key=lambda each: (_worth(box, each.space), each.space))


def _worth(box: Box, space: int) -> int:
    """How many neighbours a space has; the bank counts double."""
    return len(box.neighbours[space]) * (2 if space in box.bank else 1)


def choose_site(view: State, seat: Seat, legal: list[SaReAction]) -> SaReAction:
    """The most wanted building that can be launched, while there are hands to build it."""
    me = view.players[seat]
    if len(sites(me)) < _sites_aimed_at(view, me):
        launches = [action for action in legal if isinstance(action, LaunchSite)]
        for building in _wishes(view, seat):
            spots = [each for each in launches if each.building == building and _leaves_room(view, me, each)]
            if spots:
                return max(spots, key=lambda each: (_fitness(box_of(view), me, each), -each.space))
    return EndSites()


def _sites_aimed_at(view: State, me: Player) -> int:
    """As many open sites as master builders, in odd rounds one more."""
    return count_built(me, MASTER_BUILDER) + view.round % 2


def _required(view: State, me: Player) -> list[str]:
    """What the directive still asks for and has no tile yet, cheapest first."""
    box = box_of(view)
    administrative = sorted(
        (name for name in box.administrative if not owned(me, name) and name not in me.ever_built),
        key=lambda name: _price(box, name),
    )
    main = [name for name in (PORT, PYRAMID) if not owned(me, name) and name not in me.ever_built]
    match view.options.mode:
        case "scribe" | "architect":
            return [name for name in main if name == PYRAMID]
        case "priest":
            open_or_built = sum(tile.building in box.administrative for _, tile in tiles_of(me))
            return administrative[: max(0, PRIEST_ADMINISTRATIVE - open_or_built)] + main
        case "pharaoh":
            return administrative + main


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
    if view.options.mode == "architect" or administrative_standing(box, me) == 0:
        yield from sorted(box.buildings, key=lambda name: _price(box, name))


def _leaves_room(view: State, me: Player, launch: LaunchSite) -> bool:
    """Free spaces remain for what is required, and one on the bank for the Port."""
    box = box_of(view)
    required = [name for name in _required(view, me) if name != launch.building]
    free = [space for space in free_spaces(me) if space != launch.space]
    has_bank = any(space in box.bank for space in free)
    return len(free) >= len(required) and (PORT not in required or has_bank)


def _fitness(box: Box, me: Player, launch: LaunchSite) -> float:
    """Crafts where they touch many free spaces; all else where crafts make it cheaper, and where little is lost."""
    near = [me.spaces[space] for space in box.neighbours[launch.space]]
    if launch.building in CRAFTS_FIRST:
        return sum(not tiles for tiles in near) + sum(_is_site(tiles) for tiles in near)
    discounts = [box.buildings[tile.building].discount for tiles in near for tile in tiles]
    saved = sum(discount in RESOURCES for discount in discounts)
    weight = 2 if box.is_main(launch.building) else 1
    wasted_bank = launch.space in box.bank and launch.building != PORT
    return weight * saved - 0.1 * len(near) - (0.5 if wasted_bank else 0)


def _is_site(tiles: Space) -> bool:
    return any(not tile.built for tile in tiles)
