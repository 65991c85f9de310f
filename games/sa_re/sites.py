"""Founding a city and choosing its sites: setup (6.1) and the first part of a round (6.2)."""

from collections.abc import Mapping

from games.kernel import Action, Seat
from games.sa_re.actions import (
    CancelSite,
    Demolish,
    EndSites,
    LaunchSite,
    MoveSite,
    PlaceBuilding,
)
from games.sa_re.box import TOKENS, Box, box_of
from games.sa_re.city import (
    MASTER_BUILDER,
    PYRAMID,
    SHARE_A_SPACE,
    WAREHOUSE,
    count_built,
    new_sites,
    owned,
    penalty_for,
    site_at,
    tile_at,
    touches_a_building,
)
from games.sa_re.facts.game import BuildingPlaced
from games.sa_re.facts.sites import BuildingDemolished, SiteCancelled, SiteLaunched, SiteMoved, SitesEnded
from games.sa_re.play import Objection, Play, Rule
from games.sa_re.season import start_season
from games.sa_re.state import Discard, Player, State

SITES_PER_BUILDER = 2


def against_space(box: Box, space: int) -> Objection:
    """The board has no such space."""
    if space not in box.spaces:
        return "bad_space", f"There is no space {space}: spaces are numbered 0 to {len(box.spaces) - 1}."
    return None


# -- founding a city (3) ----------------------------------------------------------------------------------------


def against_placing(state: State, seat: Seat, action: PlaceBuilding) -> Objection:
    """A start building goes on a free space; the warehouse and the master builder may share one."""
    box, me = box_of(state), state.players[seat]
    if action.building not in me.to_place:
        return "not_yours_to_place", f"You have no {action.building} to place."
    objection = against_space(box, action.space)
    if objection:
        return objection
    there = me.spaces[action.space]
    if there and {action.building, *(tile.building for tile in there)} != SHARE_A_SPACE:
        return "space_occupied", f"Space {action.space} is occupied."
    is_bound = state.options.divinity and action.building in box.administrative
    if is_bound and not touches_a_building(box, me.spaces, action.space):
        return "not_adjacent_to_building", f"Divinity: space {action.space} is not next to a building."
    return None


def place_building(play: Play, seat: Seat, action: PlaceBuilding) -> None:
    """The building stands at once."""
    play.happens(BuildingPlaced(seat, action.building, action.space))


# -- launching a site -------------------------------------------------------------------------------------------


def against_building(state: State, seat: Seat, building: str) -> Objection:
    """What forbids a site of this type wherever it would lie (Q23 to Q25)."""
    box, me = box_of(state), state.players[seat]
    if building not in box.buildings:
        return "unknown_building", f"There is no building {building!r}."
    if not (state.pyramids if building == PYRAMID else state.supply[building]):
        return "building_not_available", f"There is no {building} left in the supply."
    if building in box.unique and (owned(me, building) or building in me.ever_built):
        return "already_owned", f"A city has one {building} in a game, and you have, or had, yours."
    launched = new_sites(me)
    if building not in box.unique and any(tile.building == building for tile in launched):
        return "duplicate_production_site", f"You have launched a {building} this round already."
    return against_launches(me, len(launched) + 1, count_built(me, MASTER_BUILDER))


def against_launches(player: Player, launched: int, builders: int) -> Objection:
    """A master builder leads two new sites at most, and their penalty may not make the people revolt."""
    if launched > SITES_PER_BUILDER * builders:
        return "site_limit", f"{builders} master builder(s) cannot lead {launched} new sites."
    if penalty_for(launched, builders) >= player.revolt_limit:
        return "would_cause_revolt", f"{launched} new sites would make the people revolt."
    return None


def against_ground(state: State, seat: Seat, building: str, space: int) -> Objection:
    """What forbids a site of this type on this very space."""
    box, me = box_of(state), state.players[seat]
    objection = against_space(box, space)
    if objection:
        return objection
    if me.spaces[space]:
        return "space_occupied", f"Space {space} is occupied."
    if box.buildings[building].nile_only and space not in box.bank:
        return "not_on_nile", f"Space {space} is not on the bank of the Nile, where a {building} must lie."
    if state.options.divinity and not touches_a_building(box, me.spaces, space):
        return "not_adjacent_to_building", f"Divinity: space {space} is not next to a building."
    return None


def against_launch(state: State, seat: Seat, action: LaunchSite) -> Objection:
    """The type must be allowed, then the space."""
    return against_building(state, seat, action.building) or against_ground(
        state, seat, action.building, action.space
    )


def launch_site(play: Play, seat: Seat, action: LaunchSite) -> None:
    """The tile comes from the supply; a pyramid is the lowest number left."""
    number = play.state.pyramids[0] if action.building == PYRAMID else None
    play.happens(SiteLaunched(seat, action.building, action.space, number))


# -- changing one's mind (Q27) ----------------------------------------------------------------------------------


def against_cancelling(state: State, seat: Seat, action: CancelSite) -> Objection:
    """Any site may be given up, but of those launched this round only one of each type."""
    me = state.players[seat]
    objection = against_space(box_of(state), action.space)
    if objection:
        return objection
    site = site_at(me, action.space)
    if site is None:
        return "no_site_there", f"There is no open site on space {action.space}."
    if site.new and site.building in me.undone:
        return "already_cancelled", f"You have taken a {site.building} back once this round."
    return None


def cancel_site(play: Play, seat: Seat, action: CancelSite) -> None:
    """The tile goes back to the supply, the steps of a pyramid are lost."""
    tile = play.state.players[seat].spaces[action.space][0]
    play.happens(SiteCancelled(seat, action.space, tile.building))


def against_moving(state: State, seat: Seat, action: MoveSite) -> Objection:
    """An older site may move once a round, to where it could be launched."""
    objection = against_space(box_of(state), action.from_)
    if objection:
        return objection
    site = site_at(state.players[seat], action.from_)
    if site is None:
        return "no_site_there", f"There is no open site on space {action.from_}."
    if site.new:
        return "launched_this_round", f"The {site.building} was launched this round: cancel it instead."
    if site.moved:
        return "already_moved", f"The {site.building} has moved this round."
    return against_ground(state, seat, site.building, action.to)


def move_site(play: Play, seat: Seat, action: MoveSite) -> None:
    """Free of charge, and no launch."""
    play.happens(SiteMoved(seat, action.from_, action.to))


# -- demolition (Q28) -------------------------------------------------------------------------------------------


def against_demolition(state: State, seat: Seat, action: Demolish) -> Objection:
    """Any building may be pulled down, but the remaining master builders must suffice."""
    me = state.players[seat]
    objection = against_space(box_of(state), action.space)
    if objection:
        return objection
    if tile_at(me, action.space, action.building) is None:
        return "no_building_there", f"There is no {action.building} of yours on space {action.space}."
    if action.building == MASTER_BUILDER:
        objection = against_fewer_builders(me)
    return objection or against_discard(state, seat, action)


def against_fewer_builders(player: Player) -> Objection:
    """One master builder stays at least, and as many as the new sites need."""
    builders = count_built(player, MASTER_BUILDER) - 1
    if builders == 0:
        return "last_master_builder", "A city keeps its last master builder."
    return against_launches(player, len(new_sites(player)), builders)


def against_discard(state: State, seat: Seat, action: Demolish) -> Objection:
    """Exactly the stock above the remaining capacity is given up."""
    stock = state.players[seat].stock
    given = discard_of(action)
    due = surplus_without(state, seat, action.building)
    if any(getattr(given, kind) > stock.of(kind) for kind in TOKENS):
        return "bad_discard", "You cannot give up more than you hold."
    if sum(getattr(given, kind) for kind in TOKENS) != due:
        return "bad_discard", f"This demolition costs {due} of your stored resources."
    return None


def discard_of(action: Demolish) -> Discard:
    """What is given up; nothing if nothing is said."""
    return action.discard if isinstance(action.discard, Discard) else Discard()


def surplus_without(state: State, seat: Seat, building: str) -> int:
    """How much stock has no place once one building of this type is gone."""
    box, me = box_of(state), state.players[seat]
    warehouses = count_built(me, WAREHOUSE) - (1 if building == WAREHOUSE else 0)
    return max(0, me.stock.total - box.warehouse_capacity.value * warehouses)


def demolish(play: Play, seat: Seat, action: Demolish) -> None:
    """The tile goes back to the supply."""
    play.happens(BuildingDemolished(seat, action.space, action.building, discard_of(action)))


# -- the end of one's choice ------------------------------------------------------------------------------------


def against_ending(state: State, seat: Seat, action: EndSites) -> Objection:
    """A player may always be done, also without any site (Q26)."""
    return None


def end_sites(play: Play, seat: Seat, action: EndSites) -> None:
    """The gauge shows the penalty; after the last seat the season begins."""
    me = play.state.players[seat]
    play.happens(SitesEnded(seat, len(new_sites(me)), me.penalty or 0))
    if play.state.active_seat == play.state.first_seat:
        start_season(play)


RULES: Mapping[type[Action], Rule] = {
    PlaceBuilding: Rule(against_placing, place_building),
    LaunchSite: Rule(against_launch, launch_site),
    CancelSite: Rule(against_cancelling, cancel_site),
    MoveSite: Rule(against_moving, move_site),
    Demolish: Rule(against_demolition, demolish),
    EndSites: Rule(against_ending, end_sites),
}
