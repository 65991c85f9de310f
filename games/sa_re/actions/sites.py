"""Founding a city (6.1) and choosing its sites (6.2)."""

from typing import Self

from msgspec import UNSET, UnsetType, field

from games.kernel import Course, Objection, Seat, replace
from games.sa_re.actions.action import SaReAction
from games.sa_re.box import TOKENS
from games.sa_re.city import MASTER_BUILDER, PYRAMID, SHARE_A_SPACE, new_sites, tile_at
from games.sa_re.facts.game import BuildingPlaced
from games.sa_re.facts.sites import BuildingDemolished, SiteCancelled, SiteLaunched, SiteMoved, SitesEnded
from games.sa_re.season import start_season
from games.sa_re.sites import (
    against_fewer_builders,
    against_ground,
    against_lack_of_a_site,
    against_loneliness,
    against_space,
    against_type,
    occupied,
    surplus_without,
)
from games.sa_re.state import Discard, State, box_of


class PlaceBuilding(SaReAction, frozen=True):
    """Place one of the buildings that a city starts with."""

    # On a free space; warehouse and master builder may share one (3).
    phases = frozenset({"setup"})
    building: str
    space: int

    def against(self, state: State, seat: Seat) -> Objection | None:
        box, me = box_of(state), state.players[seat]
        if self.building not in me.to_place:
            return Objection("not_yours_to_place", "You have no such building to place.")
        if objection := against_space(box, self.space):
            return objection
        there = me.spaces[self.space]
        if there and {self.building, *(tile.building for tile in there)} != SHARE_A_SPACE:
            return occupied(self.space)
        is_bound = state.options.divinity and self.building in box.administrative
        return against_loneliness(box, me.spaces, self.space) if is_bound else None

    def happen(self, course: Course[State], seat: Seat) -> None:
        """The building stands at once."""
        course.happens(BuildingPlaced(seat, self.building, self.space))


class SitesAction(SaReAction, frozen=True):
    """An action of the first part of a round."""

    phases = frozenset({"sites"})


class LaunchSite(SitesAction, frozen=True):
    """Open the site of a building."""

    # Its type must be allowed, then its space.
    building: str
    space: int

    def against(self, state: State, seat: Seat) -> Objection | None:
        return against_type(state, seat, self.building) or against_ground(
            state, seat, self.building, self.space
        )

    def happen(self, course: Course[State], seat: Seat) -> None:
        """The tile comes from the supply; a pyramid is the lowest number left."""
        number = course.state.pyramids[0] if self.building == PYRAMID else None
        course.happens(SiteLaunched(seat, self.building, self.space, number))


class CancelSite(SitesAction, frozen=True):
    """Give up an open site."""

    # Of those launched this round, only one of each type (Q27).
    space: int

    def against(self, state: State, seat: Seat) -> Objection | None:
        if objection := against_lack_of_a_site(state, seat, self.space):
            return objection
        me = state.players[seat]
        site = me.spaces[self.space][0]
        if site.new and site.building in me.undone:
            return Objection(
                "already_cancelled", "You have already taken back a site of this kind this round."
            )
        return None

    def happen(self, course: Course[State], seat: Seat) -> None:
        """The tile goes back to the supply, the steps of a pyramid are lost."""
        tile = course.state.players[seat].spaces[self.space][0]
        course.happens(SiteCancelled(seat, self.space, tile.building))


class MoveSite(SitesAction, frozen=True):
    """Move an older open site, free of charge."""

    # Once a round, to where it could be launched; it is no launch (Q27).
    from_: int = field(name="from")
    to: int

    def against(self, state: State, seat: Seat) -> Objection | None:
        if objection := against_lack_of_a_site(state, seat, self.from_):
            return objection
        site = state.players[seat].spaces[self.from_][0]
        if site.new:
            return Objection("launched_this_round", "That site was launched this round: give it up instead.")
        if site.moved:
            return Objection("already_moved", "That site has already moved this round.")
        return against_ground(state, seat, site.building, self.to)

    def happen(self, course: Course[State], seat: Seat) -> None:
        course.happens(SiteMoved(seat, self.from_, self.to))


class Demolish(SitesAction, frozen=True):
    """Pull a building down; a warehouse's surplus is given up."""

    # Exactly the stock above the remaining capacity is given up (Q28).
    space: int
    building: str
    discard: Discard | UnsetType = UNSET

    def against(self, state: State, seat: Seat) -> Objection | None:
        if objection := against_space(box_of(state), self.space):
            return objection
        me = state.players[seat]
        if tile_at(me, self.space, self.building) is None:
            return Objection("no_building_there", f"You have no such building on space {self.space}.")
        objection = against_fewer_builders(me) if self.building == MASTER_BUILDER else None
        return objection or self._against_discard(state, seat)

    def _against_discard(self, state: State, seat: Seat) -> Objection | None:
        stock, due = state.players[seat].stock, surplus_without(state, seat, self.building)
        if self.discard is UNSET and due == 0:
            return None
        amounts = [(getattr(self._discard, kind), stock.of(kind)) for kind in TOKENS]
        if any(amount > held for amount, held in amounts):
            return Objection("bad_discard", "You cannot give up more than you hold.")
        if sum(amount for amount, _ in amounts) != due:
            return Objection("bad_discard", f"Stored resources to give up for this demolition: {due}.")
        return None

    @property
    def _discard(self) -> Discard:
        """What is given up; nothing if nothing is said."""
        return self.discard if isinstance(self.discard, Discard) else Discard()

    def happen(self, course: Course[State], seat: Seat) -> None:
        """The tile goes back to the supply."""
        course.happens(BuildingDemolished(seat, self.space, self.building, self._discard))

    def canonical(self, state: State, seat: Seat) -> Self:
        return replace(self, discard=UNSET) if self.discard == Discard() else self


class EndSites(SitesAction, frozen=True):
    """Be done with the sites; each launch beyond one per master builder costs a step of revolt."""

    # Also without any site (Q26).

    def happen(self, course: Course[State], seat: Seat) -> None:
        """The gauge shows the penalty; after the last seat the season begins."""
        me = course.state.players[seat]
        course.happens(SitesEnded(seat, len(new_sites(me)), me.penalty or 0))
        if course.state.active_seat == course.state.first_seat:
            start_season(course)
