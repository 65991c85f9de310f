"""What lies in the box, and the numbers of the rules, read from the component set (1)."""

from importlib.resources import files
from typing import Literal, get_args

import msgspec

from games.components import load_component_sets

Nation = Literal["assyrians", "hittites", "medes", "persians", "sumerians"]
"""A nation, and the site that is named after it."""
NATIONS: tuple[Nation, ...] = get_args(Nation)
Edition = Literal["2013", "2000"]


class NationCards(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The cards of one nation: how many, and how people name and see them."""

    copies: int
    colour: str
    names: dict[str, str]


class Thresholds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The totals that end the game (8.1)."""

    endgame: int
    too_low: int
    win: int


class Box(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A component set in its typed form."""

    id: str
    title: str
    sources: dict[str, str]
    provenance: dict[str, str]
    nations: dict[Nation, NationCards]
    temple_cards: tuple[int, ...]
    """How many cards of level 1, 2, 3 …"""
    starting_hands: dict[Edition, tuple[int, int]]
    cards_drawn: int
    temples_revealed: int
    run_length: int
    migration_size: int
    thresholds: Thresholds

    @property
    def levels(self) -> dict[int, int]:
        """How many temple cards there are of each level."""
        return dict(enumerate(self.temple_cards, start=1))


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a game is set up (2)."""

    edition: Edition = "2013"
    component_set: str = "babel_standard"


COMPONENT_SETS = load_component_sets(files("games.babel") / "components", Box)


def box_of(options: Options) -> Box:
    """The box a game is played with."""
    return COMPONENT_SETS[options.component_set].box
