"""What the generic suite needs to know of Temple of Five."""

from itertools import product
from pathlib import Path
from typing import Any

import msgspec

from games.temple_of_five import TEMPLE_OF_FIVE
from tests.rulesets.kit import Kit, Perft, Setting

OPTIONS = [
    {"special_tiles": special, "will_of_the_gods": will, "ultimate_goal": goal}
    for special, will, goal in product(("single_colour", "effect", "mixed"), (False, True), (False, True))
]
"""Every combination of the variants."""

LATE_POSITION: Any = msgspec.json.decode((Path(__file__).parent / "late_position.json").read_bytes())
LATE_OPTIONS = {"special_tiles": "effect", "ultimate_goal": True}
"""The last priest turn of four, with pieces in reserve and long chains: where most actions are legal."""
LATE = Setting(4, LATE_OPTIONS, LATE_POSITION)


def alike(facts: list[Any]) -> list[Any]:
    """Facts in which pieces of one colour and size, and tiles of one face, have one name (13.2)."""
    return [
        alike_placing(fact) if fact["type"] in ("bonus_placed", "special_placed") else fact for fact in facts
    ]


def alike_placing(fact: dict[str, Any]) -> dict[str, Any]:
    if fact["type"] == "bonus_placed":
        return {**fact, "bonus": without_number(fact["bonus"])}
    tile, discarded = without_number(fact["tile"]), without_number(fact["discarded"])
    if not fact["face_up"]:
        tile, discarded = sorted((tile, discarded))
    return {**fact, "tile": tile, "discarded": discarded}


def without_number(component: str) -> str:
    return component.rpartition("_")[0]


KIT = Kit(
    ruleset=TEMPLE_OF_FIVE,
    settings=(
        Setting(2, {}),
        Setting(2, {"special_tiles": "mixed", "will_of_the_gods": True, "ultimate_goal": True}),
        Setting(3, {"special_tiles": "effect", "ultimate_goal": True}),
        Setting(3, {"will_of_the_gods": True, "begins": "drawn"}),
        Setting(4, {"special_tiles": "mixed"}),
        Setting(4, {"special_tiles": "effect", "will_of_the_gods": True}),
    ),
    hidden=frozenset(
        {
            "deck_red",
            "deck_gold",
            "deck_blue",
            "deck_green",
            "deck_supreme",
            "tile_pile",
            "special_pile",
            "special_discard",
            "bonus_2_pile",
            "bonus_3_pile",
            "players/hand",
            "players/unseen",
            "players/choice",
            "players/special/tile",
            "players/bonus_2",
            "players/bonus_3",
            "players/goal_side",
        }
    ),
    reveals=frozenset(
        {
            ("goals_revealed", "sides"),
            ("tiles_dealt", "tiles"),
            ("tile_revealed", "tile"),
            ("tile_allotted", "type"),
            ("tiles_exchanged", "hands"),
            ("tiles_exchanged", "type"),
            ("bonus_drawn", "bonus"),
            ("card_revealed", "card"),
            ("blessing_taken", "card"),
        }
    ),
    fleeting=frozenset({("tile_allotted", "type")}),
    alike=alike,
    perft=(
        Perft("the first exchange of three", Setting(3, {}), (18, 216, 1296)),
        Perft(
            "goals, then tiles one by one",
            Setting(2, {"will_of_the_gods": True, "ultimate_goal": True}),
            (4, 8, 32, 96, 1344),
        ),
        Perft("the last tiles of level 2", Setting(2, {}, {"phase": "build", "round": 5}), (32, 640)),
        Perft(
            "the tops", Setting(2, {"special_tiles": "mixed"}, {"phase": "build", "round": 6}), (6, 18, 3108)
        ),
        Perft("the last turns of four", LATE, (545,)),
    ),
)
