"""A player's city: its buildings and sites, what they cost, hold and forbid."""

from collections.abc import Iterator
from typing import Any

from msgspec import UNSET

from games.kernel import Seat, replace
from games.sa_re.box import GOLD, STONE, WOOD, Box, Price
from games.sa_re.state import Cost, Player, Space, Spaces, Stage, State, Tile

MASTER_BUILDER = "master_builder"
WAREHOUSE = "warehouse"
PYRAMID = "pyramid"
PORT = "port"
SHARE_A_SPACE = frozenset({WAREHOUSE, MASTER_BUILDER})
"""The only buildings that may share a space, and only while a city is being founded (3)."""


def new_tile(box: Box, building: str, *, built: bool, number: int | None = None) -> Tile:
    """A tile as it comes from the supply: a fresh site, or a building placed at the start."""
    return Tile(
        building,
        built,
        token=False if building in box.producers else UNSET,
        used=False if building in box.administrative else UNSET,
        number=UNSET if number is None else number,
        steps=UNSET if number is None else 0,
        step_done=UNSET if number is None else False,
        new=UNSET if built else True,
        moved=UNSET if built else False,
    )


def start_spaces(box: Box) -> Spaces:
    """A city with its start buildings together on the first space, as Divinity founds it (3)."""
    spaces: Spaces = ((),) * len(box.spaces)
    for building in box.start.buildings:
        spaces = laid(spaces, 0, new_tile(box, building, built=True))
    return spaces


# -- looking at a city ----------------------------------------------------------------------------------------


def tiles_of(player: Player) -> Iterator[tuple[int, Tile]]:
    """Every tile with its space."""
    return ((space, tile) for space, tiles in enumerate(player.spaces) for tile in tiles)


def built_tiles(player: Player) -> list[Tile]:
    return [tile for tiles in player.spaces for tile in tiles if tile.built]


def owned(player: Player, building: str) -> Tile | None:
    """The building or site of this type, if there is one."""
    for tiles in player.spaces:
        for tile in tiles:
            if tile.building == building:
                return tile
    return None


def standing(player: Player, building: str) -> Tile | None:
    """The completed building of this type, of those that a city has once, if it stands."""
    tile = owned(player, building)
    return tile if tile and tile.built else None


def space_of(player: Player, building: str) -> int:
    """Where the building or site of this type lies."""
    for space, tiles in enumerate(player.spaces):
        for tile in tiles:
            if tile.building == building:
                return space
    raise ValueError(f"there is no {building} in this city")


def count_built(player: Player, building: str) -> int:
    built = [tile for tiles in player.spaces for tile in tiles if tile.built and tile.building == building]
    return len(built)


def administrative_standing(box: Box, player: Player) -> int:
    """How many administrative buildings are built and stand."""
    return len([tile for tile in built_tiles(player) if tile.building in box.administrative])


def ready_powers(player: Player) -> list[str]:
    """The administrative buildings that stand and are unused this round; they share their space with none."""
    if not player.ever_built:
        return []
    lone = [tiles[0] for tiles in player.spaces if tiles]
    return [tile.building for tile in lone if tile.used is False and tile.built]


def tile_at(player: Player, space: int, building: str) -> Tile | None:
    """The built tile of this type on this space."""
    tiles = player.spaces[space]
    return next((tile for tile in tiles if tile.built and tile.building == building), None)


def site_at(player: Player, space: int) -> Tile | None:
    """The open site on this space."""
    for tile in player.spaces[space]:
        if not tile.built:
            return tile
    return None


def sites(player: Player) -> list[tuple[int, Tile]]:
    """The open sites with their spaces."""
    return [(space, tile) for space, tile in tiles_of(player) if not tile.built]


def new_sites(player: Player) -> list[Tile]:
    """What was launched this round; older open sites take no slot (Q23)."""
    return [tile for tiles in player.spaces for tile in tiles if tile.new is True]


def revolt_limit(box: Box, growth: tuple[Stage, ...]) -> int:
    """Each stage of growth lowers the revolt space by one (Q36)."""
    return box.revolt_gauge.revolt_at - len(growth)


def free_spaces(player: Player) -> list[int]:
    return [space for space, tiles in enumerate(player.spaces) if not tiles]


def capacity(box: Box, player: Player) -> int:
    """How many resources the built warehouses hold together."""
    return box.warehouse_capacity.value * count_built(player, WAREHOUSE)


def places_left(box: Box, player: Player) -> int:
    """How many more resources the warehouses take."""
    return capacity(box, player) - player.stock.total


def touches_a_building(box: Box, spaces: Spaces, space: int) -> bool:
    """A built tile is orthogonally adjacent: what Divinity asks for (Q39)."""
    return any(tile.built for near in box.neighbours[space] for tile in spaces[near])


def penalty_for(launched: int, master_builders: int) -> int:
    """One revolt for each site launched beyond one per master builder (Q23)."""
    return max(0, launched - master_builders)


def penalty_so_far(spaces: Spaces) -> int:
    """What the sites launched this round will cost in revolt."""
    launched = builders = 0
    for tiles in spaces:
        for tile in tiles:
            if tile.new is True:
                launched += 1
            if tile.built and tile.building == MASTER_BUILDER:
                builders += 1
    return penalty_for(launched, builders)


# -- what a site costs (5.7) --------------------------------------------------------------------------------------


def printed_price(box: Box, tile: Tile) -> Price:
    """The printed cost; of a pyramid, that of its next step."""
    if tile.number is not UNSET and tile.steps is not UNSET:
        return box.pyramid(tile.number).steps[tile.steps]
    price = box.buildings[tile.building].cost
    if price is None:
        raise ValueError(f"the component set has no cost for {tile.building}")
    return price


def site_cost(box: Box, spaces: Spaces, space: int, tile: Tile) -> Cost:
    """Each adjacent built craft takes one of its resource off; with a Port, any one more on the bank (Q29, Q30)."""
    price = printed_price(box, tile)
    saved: list[str | None] = []
    for neighbour in box.neighbours[space]:
        for craft in spaces[neighbour]:
            if craft.built:
                saved.append(box.buildings[craft.building].discount)
    return Cost(
        wood=max(0, price.wood - saved.count(WOOD)),
        gold=max(0, price.gold - saved.count(GOLD)),
        stone=max(0, price.stone - saved.count(STONE)),
        wild=1 if space in box.bank and has_port(spaces) else 0,
    )


def has_port(spaces: Spaces) -> bool:
    """A Port stands in this city."""
    return any(tile.building == PORT and tile.built for tiles in spaces for tile in tiles)


def cheapens_sites(box: Box, building: str) -> bool:
    """Only crafts and the Port change what sites cost; when another building comes or goes, prices stay."""
    return building == PORT or box.buildings[building].discount is not None


def priced(box: Box, spaces: Spaces) -> Spaces:
    """The spaces with the cost of each site brought up to date."""
    for space, tiles in enumerate(spaces):
        if tiles and not tiles[0].built:
            cost = site_cost(box, spaces, space, tiles[0])
            if cost != tiles[0].cost:
                spaces = exchanged(spaces, space, cost=cost)
    return spaces


# -- changing a city ------------------------------------------------------------------------------------------


def with_city(state: State, seat: Seat, spaces: Spaces, **changes: Any) -> State:
    """The state with one player's spaces changed, their prices being right: the penalty follows."""
    penalty = penalty_so_far(spaces) if state.phase == "sites" else None
    return state.with_player(seat, spaces=spaces, penalty=penalty, **changes)


def surveyed(box: Box, player: Player, phase: str) -> Player:
    """A player with everything that follows from its city: costs, the gauge's limit, the penalty so far."""
    return replace(
        player,
        spaces=priced(box, player.spaces),
        revolt_limit=revolt_limit(box, player.growth),
        penalty=penalty_so_far(player.spaces) if phase == "sites" else None,
    )


def put(spaces: Spaces, space: int, tiles: Space) -> Spaces:
    """The spaces with these tiles on one of them."""
    return (*spaces[:space], tiles, *spaces[space + 1 :])


def laid(spaces: Spaces, space: int, tile: Tile) -> Spaces:
    """The spaces with one more tile; a shared start space lists the warehouse first."""
    there = spaces[space]
    return put(spaces, space, (tile, *there) if tile.building == WAREHOUSE else (*there, tile))


def lifted(spaces: Spaces, space: int, tile: Tile) -> Spaces:
    """The spaces without this tile."""
    return put(spaces, space, tuple(each for each in spaces[space] if each.building != tile.building))


def exchanged(spaces: Spaces, space: int, **changes: Any) -> Spaces:
    """The spaces with the lone tile of one space changed."""
    return put(spaces, space, (replace(spaces[space][0], **changes),))


def back_in_supply(state: State, tile: Tile) -> State:
    """The state with a tile put back; a pyramid's number is sorted in."""
    if tile.number is not UNSET:
        return replace(state, pyramids=tuple(sorted((*state.pyramids, tile.number))))
    return replace(state, supply={**state.supply, tile.building: state.supply[tile.building] + 1})


def out_of_supply(state: State, building: str) -> State:
    """The state with a tile taken; of the pyramids, the lowest number."""
    if building == PYRAMID:
        return replace(state, pyramids=state.pyramids[1:])
    return replace(state, supply={**state.supply, building: state.supply[building] - 1})
