"""Positions in short: what the tests of Sa-Ré lay on the table."""

from collections.abc import Mapping
from typing import Any

from games.chance import Chance
from games.sa_re import SA_RE
from games.sa_re.box import COMPONENT_SETS
from tests.rulesets.story import Story

BOX = COMPONENT_SETS["base"].box
POWERS = {
    "1": ["temple"],
    "2": ["gardens"],
    "4": ["barracks"],
    "8": ["palace"],
    "9": ["market"],
    "10": ["library"],
}


def city(spaces: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """A city with the start buildings on space 0, and these besides."""
    return {"0": ["warehouse", "master_builder"], **(spaces or {})}


def site(building: str, **members: Any) -> list[Any]:
    """A space with an open site."""
    return [{"building": building, "built": False, **members}]


def given(position: Mapping[str, Any] | None = None, *, seats: int = 2, **options: Any) -> Story:
    """A game from a position, with these options."""
    return Story(SA_RE).given(position, seats=seats, options=options)


def in_sites(*players: Mapping[str, Any], **options: Any) -> Story:
    """The choice of sites, seat 0 to act."""
    return given({"phase": "sites", "players": list(players)}, seats=len(players), **options)


def in_season(*players: Mapping[str, Any], deck: list[str], **members: Any) -> Story:
    """A season with this deck, seat 0 at work."""
    position = {"phase": "season", "players": list(players), "deck": deck, **members}
    return given(position, seats=len(players))


def in_construction(*players: Mapping[str, Any], **options: Any) -> Story:
    """Construction, seat 0 to act."""
    return given({"phase": "construction", "players": list(players)}, seats=len(players), **options)


def seed_that_sets(card: str, *, at: int) -> bytes:
    """A seed whose first season has this card at this place of the shuffle: 0 is set aside, 1 is the top."""
    seeds = (number.to_bytes(32, "big") for number in range(2000))
    return next(seed for seed in seeds if Chance(seed).shuffle("season/1", BOX.cards)[at] == card)
