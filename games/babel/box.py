"""What lies in the box, and the numbers of the rules, read from the component set (1)."""

from functools import cached_property
from importlib.resources import files
from typing import Annotated, Literal, get_args

import msgspec

from games.components import load_component_sets

Nation = Literal["assyrians", "hittites", "medes", "persians", "sumerians"]
"""A nation, and the site that is named after it."""
NATIONS: tuple[Nation, ...] = get_args(Nation)
Edition = Literal["2013", "2000"]
EDITIONS: tuple[Edition, ...] = get_args(Edition)
Positive = Annotated[int, msgspec.Meta(ge=1)]


class NationCards(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The cards of one nation: how many, and how people name and see them."""

    copies: Positive
    colour: str
    names: dict[str, str]


class Thresholds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The totals that end the game (8.1)."""

    endgame: int
    too_low: int
    win: int

    def __post_init__(self) -> None:
        if not self.too_low < self.endgame <= self.win:
            raise ValueError("the thresholds must rise from `too_low` to `endgame` and `win`")


class Box(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """A component set in its typed form."""

    id: str
    title: str
    sources: dict[str, str]
    provenance: dict[str, str]
    nations: dict[Nation, NationCards]
    temple_cards: tuple[Positive, ...]
    """How many cards of level 1, 2, 3 …"""
    starting_hands: dict[Edition, tuple[Positive, Positive]]
    cards_drawn: Positive
    temples_revealed: Positive
    run_length: Positive
    migration_size: Positive
    thresholds: Thresholds

    def __post_init__(self) -> None:
        if self.nations.keys() != set(NATIONS) or self.starting_hands.keys() != set(EDITIONS):
            raise ValueError("there must be cards of all five nations, and starting hands for both editions")
        if sum(self.temple_cards[:1]) < 2 or sum(self.temple_cards) < 3:
            raise ValueError(
                "each player has a start card of level 1, and there must be a temple pile beside"
            )
        dealt = max(map(sum, self.starting_hands.values())) + self.cards_drawn
        if dealt > sum(nation.copies for nation in self.nations.values()):
            raise ValueError("there are too few nation cards for the starting hands and the first draw")

    @cached_property
    def temple_deck(self) -> tuple[int, ...]:
        """Every temple card, by level."""
        return tuple(level for level, copies in enumerate(self.temple_cards, start=1) for _ in range(copies))

    @cached_property
    def nation_deck(self) -> tuple[Nation, ...]:
        """Every nation card, the nations in their order."""
        return tuple(nation for nation in NATIONS for _ in range(self.nations[nation].copies))

    @cached_property
    def components(self) -> dict[str, tuple[int | Nation, ...]]:
        """Every card, by its kind."""
        return {"temples": self.temple_deck, "nations": self.nation_deck}


COMPONENT_SETS = load_component_sets(files(__package__) / "components", Box)
