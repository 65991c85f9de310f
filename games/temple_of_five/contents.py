"""What a component set of Temple of Five holds, as its file writes it down (1)."""

from typing import Literal, get_args

import msgspec

Colour = Literal["red", "gold", "blue", "green"]
God = Literal["red", "gold", "blue", "green", "supreme"]
Size = Literal[2, 3]
Side = Literal["a", "b"]
Effect = Literal["reuse_chain", "two_bonus", "extra_chain", "private_card"]
Measure = Literal[
    "different_gods",
    "chain_in_every_colour",
    "priests_in_reserve",
    "cards_of_one_god",
    "longest_chain",
    "pieces_placed",
]

COLOURS: tuple[Colour, ...] = get_args(Colour)
GODS: tuple[God, ...] = get_args(God)
EFFECTS: tuple[Effect, ...] = get_args(Effect)
SIZES: tuple[Size, ...] = get_args(Size)

Space = tuple[int, int]
"""Row and column, both from 0 at the top left as the owner sees the board (4.1)."""


class Counts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many of each thing the box is said to hold: what is listed must agree."""

    boards: int
    tiles: int
    single_colour: int
    effect: int
    cards_per_god: int
    bonus_2_per_colour: int
    bonus_3_per_colour: int


class Level(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One level of the pyramid: the top-left corner of each 2×2 place."""

    slots: tuple[Space, ...]


class Tile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A decoration tile: what its spaces show at rotation 0, nw, ne, sw, se."""

    id: str
    family: str
    spaces: tuple[str | None, ...]


class SpecialTile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tile for the top: four decorations of one colour, or an effect."""

    id: str
    kind: Literal["single_colour", "effect"]
    colour: str | None = None
    spaces: tuple[str | None, ...] = ()
    effect: Effect | None = None

    @property
    def face(self) -> str | None:
        """What tells two special tiles apart: the colour or the effect."""
        return self.colour or self.effect


class Board(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A player's board, row by row in the letters of the set."""

    id: str
    printed: tuple[str, ...]


class Piece(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A bonus decoration."""

    id: str
    colour: str
    size: int


class Card(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A blessing card: its spaces from left to right, the symbols on them, and its points."""

    id: str
    god: str
    values: tuple[int, ...]
    bonus: tuple[Size | None, ...]
    sum: int
    points: int
    points_incomplete: int


class Goal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An ultimate goal: what is measured at the end, and how much of it is enough (8.2)."""

    id: str
    points: int
    measure: Measure
    at_least: int
    test: str


class Contents(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything in the box."""

    id: str
    ruleset: str
    provenance: dict[str, str]
    counts: Counts
    colours: tuple[str, ...]
    gods: tuple[str, ...]
    board_size: int
    levels: dict[str, Level]
    space_order: tuple[str, ...]
    surface_letters: dict[str, str]
    tiles: tuple[Tile, ...]
    special_tiles: tuple[SpecialTile, ...]
    boards: tuple[Board, ...]
    bonus_decorations: tuple[Piece, ...]
    bonus_shapes: dict[str, str]
    cards: tuple[Card, ...]
    ultimate_goal_card: dict[Side, tuple[Goal, ...]]
    priests_per_player: int


def tile_spaces(corner: Space) -> tuple[Space, Space, Space, Space]:
    """The four spaces of the 2×2 place with this top-left corner: nw, ne, sw, se."""
    row, column = corner
    return (row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1)
