"""What lies on the table (4). Lists in the open run from the oldest to the newest; face-down piles from the top.

`Options` and `State` are those of version 1; `version_2` adds to them.
"""

from typing import ClassVar, Literal

import msgspec

from games.babel.box import COMPONENT_SETS, NATIONS, Box, Edition, Nation
from games.kernel import GameState, Outcome, Seat, replace

Levels = tuple[int, ...]
Nations = tuple[Nation, ...]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a game is set up (2)."""

    rules: ClassVar[int] = 1
    """The version of the ruleset."""
    edition: Edition = "2013"
    component_set: str = "babel_standard"


class Site(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """One player's side of a building place: his temple, and the nations before it."""

    temple: Levels = ()
    column: Nations = ()

    @property
    def top(self) -> int:
        """The value of the temple: the level of its last card (Q3)."""
        return self.temple[-1] if self.temple else 0


QUARRY = Site()
"""Where a pawn stands that has not travelled yet: nothing is built there."""


class Player(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, gc=False):
    """All that is one player's; `hand` is null where the viewer cannot see it."""

    pawn: Nation | None = None
    hand: Nations | None = None
    hand_count: int = 0
    start_card: bool = False
    sites: dict[Nation, Site]
    temple_column: Levels = ()
    total: int = 0

    @property
    def here(self) -> Site:
        """My side of the site where my pawn stands."""
        return self.sites[self.pawn] if self.pawn else QUARRY


class Pending(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """The other seat must give up half of its hand before the turn goes on (Q13)."""

    type: Literal["discard_half"]
    seat: Seat
    count: int


class State(GameState, frozen=True, kw_only=True, gc=False):
    """The whole game; in a view both piles and the hands of others are null."""

    options: Options
    phase: str = "actions"
    turn: int = 1
    active_seat: Seat | None = None
    to_act: tuple[Seat, ...] = ()
    endgame: bool = False
    migrated: bool = False
    pending: Pending | None = None
    players: tuple[Player, Player]
    temple_pile: Levels | None = None
    temple_pile_count: int = 0
    temple_pile_known: Levels = ()
    nation_pile: Nations | None = None
    nation_pile_count: int = 0
    nation_discard: Nations = ()
    reshuffles: int = 0
    outcome: Outcome | None = None

    def cleared(self) -> "State":
        return replace(self, pending=None)


def box_of(state: State) -> Box:
    """The box a game is played with."""
    return COMPONENT_SETS[state.options.component_set].box


def active_seat(state: State) -> Seat:
    """Whose turn it is, while the game goes on."""
    if state.active_seat is None:
        raise ValueError("the game is over")
    return state.active_seat


def total_of(sites: dict[Nation, Site]) -> int:
    """The sum of the heights of a player's temples (Q3)."""
    return sum(sites[nation].top for nation in NATIONS)


def facing(state: State, seat: Seat) -> Site:
    """The other side of the site where a seat's pawn stands."""
    place = state.players[seat].pawn
    return state.players[1 - seat].sites[place] if place else QUARRY


def with_site(player: Player, name: Nation, site: Site) -> dict[Nation, Site]:
    """A player's sites, one of them changed."""
    sites = player.sites.copy()
    sites[name] = site
    return sites
