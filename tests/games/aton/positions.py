"""Positions in a few words, for the tests of Aton."""

from collections.abc import Mapping
from typing import Any

from games.aton import ATON
from tests.rulesets.story import Story

RED, BLUE = 0, 1

TEMPLE_1 = tuple(f"t1-{number:02}" for number in range(1, 13))
GREEN = tuple(
    f"t{temple}-{number:02}" for temple in (1, 2, 3, 4) for number in range(9, 13 if temple < 3 else 12)
)
YELLOW = tuple(
    f"t{temple}-{number:02}" for temple in (1, 2, 3, 4) for number in range(1, 5 if temple < 3 else 4)
)


def given(position: Mapping[str, Any] | None = None) -> Story:
    """A game from this position."""
    return Story(ATON).given(position, seats=2)


def pieces(red: tuple[str, ...] = (), blue: tuple[str, ...] = ()) -> dict[str, int]:
    """A board with these pieces."""
    return {**dict.fromkeys(red, RED), **dict.fromkeys(blue, BLUE)}


def both_lay(red: list[int], blue: list[int], **position: Any) -> Story:
    """Both seats lay these cards, in round 2 unless it says otherwise."""
    red_player, blue_player = position.pop("players", ({}, {}))
    players = [{"hand": red, **red_player}, {"hand": blue, **blue_player}]
    story = given({"round": 2, **position, "players": players})
    story.when(RED, {"type": "allocate", "cards": red})
    return story.when(BLUE, {"type": "allocate", "cards": blue})


def in_turn(phase: str, seat: int, red: list[int], blue: list[int], **position: Any) -> Story:
    """A seat's turn in round 2, with these cards at the cartouches."""
    red_player, blue_player = position.pop("players", ({}, {}))
    players = [{"cartouches": red, **red_player}, {"cartouches": blue, **blue_player}]
    return given({"round": 2, "phase": phase, "active_seat": seat, **position, "players": players})


def place(space: str) -> dict[str, str]:
    return {"type": "place", "space": space}


def remove(space: str) -> dict[str, str]:
    return {"type": "remove", "space": space}


def cull(space: str) -> dict[str, str]:
    return {"type": "cull", "space": space}


def allocate(*cards: int) -> dict[str, Any]:
    return {"type": "allocate", "cards": list(cards)}


def told(story: Story, kind: str) -> Any:
    """The only fact of this type in the latest step."""
    (fact,) = [fact for fact in story.facts if fact.__struct_config__.tag == kind]
    return fact


def kinds(story: Story) -> list[str]:
    """The types of the facts of the latest step."""
    return [fact.__struct_config__.tag for fact in story.facts]
