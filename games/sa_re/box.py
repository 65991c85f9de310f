"""What lies in the box: the component set in typed form, and what follows from it."""

from functools import cached_property
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from games.components import load_component_sets

if TYPE_CHECKING:
    from games.sa_re.state import State

RESOURCES = ("wood", "gold", "stone")
JOKER = "joker"

Kind = Literal["single", "double", "horus", "hoshekh", "trouble"]


class Component(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of the data file; a member it does not know is a fault of the file."""


class Price(Component, frozen=True):
    """What a building, or a step of a pyramid, costs as printed."""

    wood: int
    gold: int
    stone: int


class Building(Component, frozen=True):
    """One type of building."""

    class_: Literal["production", "administrative", "main"] = msgspec.field(name="class")
    tiles: int
    en: str
    fr: str
    provenance: dict[str, str]
    cost: Price | None = None
    produces: str | None = None
    discount: str | None = None
    nile_only: bool = False


class Pyramid(Component, frozen=True):
    """One of the numbered pyramids, built in steps."""

    number: int
    steps: tuple[Price, ...]
    provenance: dict[str, str]


class SeasonCard(Component, frozen=True):
    """One card of the season of production."""

    id: str
    kind: Kind
    gives: tuple[str, ...] = ()
    level: int = 0

    @property
    def is_resource(self) -> bool:
        return bool(self.gives)


class Board(Component, frozen=True):
    """A player's board: rows of spaces, the Nile along some of them."""

    rows: int
    columns: int
    numbering: str
    nile_spaces: tuple[int, ...]
    provenance: dict[str, str]


class Players(Component, frozen=True):
    min: int
    max: int
    provenance: str


class Gauge(Component, frozen=True):
    start: int
    revolt_at: int
    black_cubes_max: int
    provenance: str


class CaravanTrack(Component, frozen=True):
    start: int
    max: int
    exchange_in: int
    exchange_out: int
    provenance: str


class Capacity(Component, frozen=True):
    value: int
    provenance: str


class Start(Component, frozen=True):
    stock: Price
    buildings: tuple[str, ...]
    provenance: str


class KeepLimits(Component, frozen=True):
    after_revolt: int
    without_building: int
    provenance: str


class Box(Component, frozen=True, dict=True):
    """Everything in the box. Tokens, cubes, obelisks and building cards follow the rest and are not tracked."""

    ruleset: Literal["sa_re"]
    id: str
    about: str
    players: Players
    resources: dict[str, Any]
    cubes: dict[str, Any]
    obelisks: dict[str, Any]
    building_cards: dict[str, Any]
    board: Board
    revolt_gauge: Gauge
    caravan_track: CaravanTrack
    warehouse_capacity: Capacity
    start: Start
    keep_limits: KeepLimits
    buildings: dict[str, Building]
    pyramids: tuple[Pyramid, ...]
    season_cards: tuple[SeasonCard, ...]
    season_cards_provenance: str

    @cached_property
    def spaces(self) -> range:
        """The spaces of a board, numbered row by row."""
        return range(self.board.rows * self.board.columns)

    @cached_property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        """The spaces orthogonally adjacent to each space (1.5)."""
        wide = self.board.columns
        return tuple(
            tuple(
                other
                for other in self.spaces
                if abs(other // wide - space // wide) + abs(other % wide - space % wide) == 1
            )
            for space in self.spaces
        )

    @cached_property
    def bank(self) -> frozenset[int]:
        """The spaces along the Nile."""
        return frozenset(self.board.nile_spaces)

    @cached_property
    def cards(self) -> dict[str, SeasonCard]:
        """Every season card by its id, in component order."""
        return {card.id: card for card in self.season_cards}

    @cached_property
    def administrative(self) -> tuple[str, ...]:
        """The six types with a power."""
        return tuple(name for name, each in self.buildings.items() if each.class_ == "administrative")

    @cached_property
    def unique(self) -> frozenset[str]:
        """What a player builds once in a game: administrative buildings, Port and Pyramid (Q25)."""
        return frozenset(name for name, each in self.buildings.items() if each.class_ != "production")

    @cached_property
    def producers(self) -> frozenset[str]:
        """Crafts and Port: their resource lies ready at the beginning of a round."""
        return frozenset(name for name, each in self.buildings.items() if each.produces)

    def is_main(self, building: str) -> bool:
        return self.buildings[building].class_ == "main"

    def pyramid(self, number: int) -> Pyramid:
        """The pyramid with this number."""
        return next(each for each in self.pyramids if each.number == number)

    def tiles(self, building: str, seats: int) -> int:
        """How many tiles of a type are in a game: one per player, besides those the players start with (1.2)."""
        return seats * (1 + self.start.buildings.count(building))


COMPONENT_SETS = load_component_sets(files(__package__) / "components", Box)


def box_of(state: "State") -> Box:
    """The box that a game is played with."""
    return COMPONENT_SETS[state.options.component_set].box
