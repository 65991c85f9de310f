"""Facts of the choice of sites."""

from msgspec import field

from games.kernel import replace
from games.sa_re.box import TOKENS
from games.sa_re.city import (
    back_in_supply,
    cheapens_sites,
    laid,
    lifted,
    new_tile,
    out_of_supply,
    priced,
    site_cost,
    with_city,
)
from games.sa_re.facts.happening import SeatHappening
from games.sa_re.state import Discard, State, Stock, box_of, next_seat


class SiteLaunched(SeatHappening, frozen=True):
    """A site is open; of a pyramid with its number."""

    building: str
    space: int
    number: int | None

    def apply(self, state: State) -> State:
        box, spaces = box_of(state), state.players[self.seat].spaces
        site = new_tile(box, self.building, built=False, number=self.number)
        site = replace(site, cost=site_cost(box, spaces, self.space, site))
        spaces = laid(spaces, self.space, site)
        return with_city(out_of_supply(state, self.building), self.seat, spaces)


class SiteCancelled(SeatHappening, frozen=True):
    """A site is given up; one launched this round is a slip that is forgiven once per type (Q27)."""

    space: int
    building: str

    def apply(self, state: State) -> State:
        me = state.players[self.seat]
        tile = me.spaces[self.space][0]
        undone = (*me.undone, self.building) if tile.new else me.undone
        state = back_in_supply(state, tile)
        return with_city(state, self.seat, lifted(me.spaces, self.space, tile), undone=undone)


class SiteMoved(SeatHappening, frozen=True):
    """An older site lies elsewhere; a pyramid's steps move along."""

    from_: int = field(name="from")
    to: int

    def apply(self, state: State) -> State:
        spaces = state.players[self.seat].spaces
        site = spaces[self.from_][0]
        spaces = lifted(spaces, self.from_, site)
        site = replace(site, moved=True, cost=site_cost(box_of(state), spaces, self.to, site))
        return with_city(state, self.seat, laid(spaces, self.to, site))


class BuildingDemolished(SeatHappening, frozen=True):
    """A building is pulled down, surplus stock given up; growth and `ever_built` stay (Q25, Q28)."""

    space: int
    building: str
    discarded: Discard

    def apply(self, state: State) -> State:
        me = state.players[self.seat]
        tile = next(each for each in me.spaces[self.space] if each.building == self.building)
        stock = Stock(**{kind: me.stock.of(kind) - getattr(self.discarded, kind) for kind in TOKENS})
        box, spaces = box_of(state), lifted(me.spaces, self.space, tile)
        if cheapens_sites(box, self.building):
            spaces = priced(box, spaces)
        return with_city(back_in_supply(state, tile), self.seat, spaces, stock=stock)


class SitesEnded(SeatHappening, frozen=True):
    """A seat is done with its sites: its gauge shows the penalty, the next seat follows."""

    launched: int
    revolt: int

    def change(self, state: State) -> State:
        me = replace(state.players[self.seat], revolt=self.revolt)
        return state.seated(self.seat, me, active_seat=next_seat(state, self.seat))
