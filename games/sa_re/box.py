"""What lies in the box: the component set in typed form, and what follows from it."""

from collections.abc import Iterator
from functools import cached_property
from importlib.resources import files
from typing import Any, Literal

import msgspec

from games.components import load_component_sets

RESOURCES = WOOD, GOLD, STONE = "wood", "gold", "stone"
JOKER = "joker"
TOKENS = (*RESOURCES, JOKER)
"""Whatever lies in a stock."""

RULED = {
    "production": ("warehouse", "master_builder"),
    "administrative": ("temple", "barracks", "gardens", "palace", "market", "library"),
    "main": ("port", "pyramid"),
}
"""The buildings that the rules themselves speak of, by class."""
RESOURCES_ON_A_CARD = {"single": 1, "double": 2}
LEVELS_OF_TROUBLES = (1, 2)
GROWTH_STAGES = 2

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

    def __post_init__(self) -> None:
        for fault in _faults(self):
            raise ValueError(fault)

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
    def hoshekh(self) -> str:
        """The card that brings darkness."""
        return next(card.id for card in self.season_cards if card.kind == "hoshekh")

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
        return self._numbered[number]

    @cached_property
    def _numbered(self) -> dict[int, Pyramid]:
        return {pyramid.number: pyramid for pyramid in self.pyramids}

    def pyramid_numbers(self, seats: int) -> tuple[int, ...]:
        """One pyramid per player, the lowest number on top (Q38)."""
        return tuple(sorted(self._numbered)[:seats])

    def tiles(self, building: str, seats: int) -> int:
        """How many tiles of a type are in a game: one per player, besides those the players start with (1.2)."""
        return seats * (1 + self.start.buildings.count(building))


# -- what every component set must fulfil -------------------------------------------------------------------------


def _faults(box: Box) -> Iterator[str]:
    """Why the rules could not be played with a set; the first fault is told."""
    yield from _faults_of_buildings(box)
    yield from _faults_of_cards(box)
    yield from _faults_of_the_board(box)


def _faults_of_buildings(box: Box) -> Iterator[str]:
    """Everything the rules name is there, has a price, and is enough for a full table."""
    for class_, names in RULED.items():
        for name in names:
            if name not in box.buildings or box.buildings[name].class_ != class_:
                yield f"{name} is missing, or not a {class_} building"
    for name, building in box.buildings.items():
        if (building.cost is None) != (name == "pyramid"):
            yield f"{name} has no cost, or one besides that of its steps"
        if {building.produces, building.discount} - {None, *RESOURCES, JOKER}:
            yield f"{name} produces or saves something that is no resource"
        if building.tiles < box.tiles(name, box.players.max):
            yield f"there are too few tiles of {name} for {box.players.max} players"
    numbers = [pyramid.number for pyramid in box.pyramids]
    if numbers != list(range(1, len(numbers) + 1)) or len(numbers) < box.players.max:
        yield "pyramids are numbered from 1, one for each player at least"
    if not all(pyramid.steps for pyramid in box.pyramids):
        yield "a pyramid has no steps"


def _faults_of_cards(box: Box) -> Iterator[str]:
    """Each card does what its kind says."""
    if len(box.cards) < len(box.season_cards):
        yield "two season cards have the same id"
    if sum(card.kind == "hoshekh" for card in box.season_cards) != 1:
        yield "there is one Hoshekh"
    for card in box.season_cards:
        if len(card.gives) != RESOURCES_ON_A_CARD.get(card.kind, 0) or set(card.gives) - set(RESOURCES):
            yield f"{card.id} does not give what a card of its kind gives"
        if card.level not in (LEVELS_OF_TROUBLES if card.kind == "trouble" else (0,)):
            yield f"{card.id} has a level that a card of its kind cannot have"


def _faults_of_the_board(box: Box) -> Iterator[str]:
    """A player begins with room on every track."""
    if not box.bank or not box.bank <= set(box.spaces):
        yield "the Nile flows along some spaces of the board"
    if sorted(box.start.buildings) != sorted(RULED["production"]):
        yield "a city begins with one warehouse and one master builder"
    stock = box.start.stock
    if stock.wood + stock.gold + stock.stone > box.warehouse_capacity.value:
        yield "the first warehouse cannot hold what a city begins with"
    if not 0 <= box.revolt_gauge.start < box.revolt_gauge.revolt_at - GROWTH_STAGES:
        yield "the gauge leaves no step before the revolt once a city has grown"
    track = box.caravan_track
    if not 0 <= track.start <= track.max or track.exchange_in < 1 or track.exchange_out != 1:
        yield "a caravan takes resources and brings one"


COMPONENT_SETS = load_component_sets(files(__package__) / "components", Box)
