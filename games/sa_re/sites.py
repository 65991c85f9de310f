"""What may be built where: the rules that founding a city and choosing its sites share (6.1, 6.2)."""

from games.kernel import Objection, Seat
from games.sa_re.box import Box
from games.sa_re.city import (
    MASTER_BUILDER,
    PYRAMID,
    WAREHOUSE,
    count_built,
    new_sites,
    owned,
    penalty_for,
    site_at,
    touches_a_building,
)
from games.sa_re.state import Player, Spaces, State, box_of

SITES_PER_BUILDER = 2


def against_space(box: Box, space: int) -> Objection | None:
    """The board must have such a space."""
    if space not in box.spaces:
        last = len(box.spaces) - 1
        return Objection("bad_space", f"There is no space {space}: spaces are numbered 0 to {last}.")
    return None


def occupied(space: int) -> Objection:
    return Objection("space_occupied", f"Space {space} is occupied.")


def against_loneliness(box: Box, spaces: Spaces, space: int) -> Objection | None:
    """Divinity lets a city grow from building to building (Q39)."""
    if not touches_a_building(box, spaces, space):
        return Objection("not_adjacent_to_building", f"Divinity: space {space} is not next to a building.")
    return None


def against_lack_of_a_site(state: State, seat: Seat, space: int) -> Objection | None:
    """There must be an open site."""
    objection = against_space(box_of(state), space)
    if objection is None and site_at(state.players[seat], space) is None:
        return Objection("no_site_there", f"There is no open site on space {space}.")
    return objection


def against_type(state: State, seat: Seat, building: str) -> Objection | None:
    """What forbids a site of this type wherever it would lie (Q23 to Q25)."""
    box, me = box_of(state), state.players[seat]
    if building not in box.buildings:
        return Objection("unknown_building", f"There is no building {building!r}.")
    if not (state.pyramids if building == PYRAMID else state.supply[building]):
        return Objection("building_not_available", "No such building is left in the supply.")
    if building in box.unique and (owned(me, building) or building in me.ever_built):
        return Objection(
            "already_owned", "A city has one such building in a game, and you have, or have had, yours."
        )
    launched = new_sites(me)
    if building not in box.unique and any(tile.building == building for tile in launched):
        return Objection(
            "duplicate_production_site", "You have already launched a site of this kind this round."
        )
    return against_launches(me, len(launched) + 1, count_built(me, MASTER_BUILDER))


def against_launches(player: Player, launched: int, builders: int) -> Objection | None:
    """A master builder leads two new sites at most, and their penalty may not make the people revolt."""
    if launched > SITES_PER_BUILDER * builders:
        return Objection("site_limit", f"You have too few Master Builders for {launched} new sites.")
    if penalty_for(launched, builders) >= player.revolt_limit:
        return Objection("would_cause_revolt", f"{launched} new sites would make the people revolt.")
    return None


def against_ground(state: State, seat: Seat, building: str, space: int) -> Objection | None:
    """What forbids a site of this type on this very space."""
    box, spaces = box_of(state), state.players[seat].spaces
    if objection := against_space(box, space):
        return objection
    if spaces[space]:
        return occupied(space)
    if box.buildings[building].nile_only and space not in box.bank:
        return Objection(
            "not_on_nile", f"Space {space} is not on the bank of the Nile, where this building must lie."
        )
    return against_loneliness(box, spaces, space) if state.options.divinity else None


def against_fewer_builders(player: Player) -> Objection | None:
    """One master builder stays at least, and as many as the new sites need (Q28)."""
    builders = count_built(player, MASTER_BUILDER) - 1
    if builders == 0:
        return Objection("last_master_builder", "A city keeps its last Master Builder.")
    return against_launches(player, len(new_sites(player)), builders)


def surplus_without(state: State, seat: Seat, building: str) -> int:
    """How much stock has no place once one building of this type is gone."""
    box, me = box_of(state), state.players[seat]
    warehouses = count_built(me, WAREHOUSE) - (1 if building == WAREHOUSE else 0)
    return max(0, me.stock.total - box.warehouse_capacity.value * warehouses)
