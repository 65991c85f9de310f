"""What lies in the box, and the board as the rules look at it: temples, colours, and the sets that win."""

from collections import defaultdict
from collections.abc import Mapping
from importlib.resources import files
from typing import Annotated, Literal

import msgspec

from games.components import load_component_sets

Number = Annotated[int, msgspec.Meta(ge=0)]
Positive = Annotated[int, msgspec.Meta(ge=1)]
Card = Annotated[int, msgspec.Meta(ge=1, le=4)]

TEMPLES = (1, 2, 3, 4)
CARTOUCHES = 4


class Space(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One space of a temple; `x` and `y` are for drawing."""

    id: str
    temple: int
    colour: Literal["yellow", "green", "black", "blue", "bonus"]
    bonus: Number
    x: int
    y: int


class Scoring(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The points of the scoring lines that have a fixed value."""

    temple_2: Number
    temple_4_per_blue: Number
    black: Number


class Box(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A component set of Aton (1.2). The order of `spaces` is the board order."""

    id: str
    provenance: dict[str, str]
    pieces_per_player: Positive
    cards_per_value: dict[int, Number]
    dead_spaces: Positive
    winning_score: Positive
    cull_pieces: Positive
    scoring: Scoring
    colours: tuple[str, str]
    spaces: tuple[Space, ...]

    def __post_init__(self) -> None:
        if len({space.id for space in self.spaces}) < len(self.spaces):
            raise ValueError("two spaces have the same id")
        if {space.temple for space in self.spaces} != set(TEMPLES):
            raise ValueError("the spaces do not make up temples 1 to 4")
        if not {"yellow", "green"} <= {space.colour for space in self.spaces}:
            raise ValueError("filling all yellow or all green spaces wins: there must be some of each")
        if set(self.cards_per_value) != set(TEMPLES) or len(self.cards) < 2 * CARTOUCHES:
            raise ValueError("a deck has cards of the values 1 to 4, and enough for two hands")
        if self.cull_pieces < len(TEMPLES):
            raise ValueError("a cull takes at least one piece from each temple")

    @property
    def cards(self) -> tuple[int, ...]:
        """One player's whole deck, ascending."""
        return tuple(value for value, number in sorted(self.cards_per_value.items()) for _ in range(number))


class WinningSet(msgspec.Struct, frozen=True):
    """Spaces that win the game for whoever holds them all (8)."""

    reason: str
    spaces: tuple[str, ...]


class Board:
    """The spaces of a box, grouped as the rules speak of them; every group is in board order."""

    def __init__(self, box: Box) -> None:
        self.box = box
        self.spaces = tuple(space.id for space in box.spaces)
        self.worth_of = {space.id: space.bonus for space in box.spaces}
        self.temple_of = {space.id: space.temple for space in box.spaces}
        self.temples = {
            temple: tuple(space.id for space in box.spaces if space.temple == temple) for temple in TEMPLES
        }
        self.reached_by = {
            card: tuple(space.id for space in box.spaces if space.temple <= card) for card in TEMPLES
        }
        """The spaces that a card at cartouche 3 opens: temples 1 to its value."""
        self.black = self._of_colour("black")
        self.blue = self._of_colour("blue")
        self.bonus = self._of_colour("bonus")
        self.winning_sets = (
            *(WinningSet("temple_filled", self.temples[temple]) for temple in TEMPLES),
            WinningSet("yellow_filled", self._of_colour("yellow")),
            WinningSet("green_filled", self._of_colour("green")),
        )
        self.sets_with: dict[str, list[WinningSet]] = defaultdict(list)
        """The winning sets that a space belongs to, in the order in which they give the reason of a win."""
        for winning_set in self.winning_sets:
            for space in winning_set.spaces:
                self.sets_with[space].append(winning_set)

    def _of_colour(self, colour: str) -> tuple[str, ...]:
        return tuple(space.id for space in self.box.spaces if space.colour == colour)


COMPONENT_SETS = load_component_sets(files(__package__) / "components", Box)

BOARDS: Mapping[str, Board] = {name: Board(each.box) for name, each in COMPONENT_SETS.items()}
"""The board of every component set, by name."""
