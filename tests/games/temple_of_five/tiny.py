"""A second component set, as small as the rules allow: boards without a border, one card for each god, eight pieces."""

from typing import Any

from games.canonical import canonical
from games.components import ComponentSet, read_component_set
from games.temple_of_five import temple_of_five
from games.temple_of_five.box import Box
from games.temple_of_five.contents import COLOURS, EFFECTS, GODS


def tiny_data() -> dict[str, Any]:
    """A fresh copy of the set, to read or to spoil."""
    return {
        "id": "tiny",
        "ruleset": "temple_of_five",
        "provenance": {"status": "invented for tests"},
        "counts": {
            "boards": 4,
            "tiles": 52,
            "single_colour": 8,
            "effect": 8,
            "cards_per_god": 1,
            "bonus_2_per_colour": 1,
            "bonus_3_per_colour": 1,
        },
        "colours": list(COLOURS),
        "gods": list(GODS),
        "board_size": 6,
        "levels": {
            "1": {"slots": [[row, column] for row in (0, 2, 4) for column in (0, 2, 4)]},
            "2": {"slots": [[row, column] for row in (1, 3) for column in (1, 3)]},
            "3": {"slots": [[2, 2]]},
        },
        "space_order": ["nw", "ne", "sw", "se"],
        "surface_letters": {"red": "R", "gold": "O", "blue": "B", "green": "G", "empty": "_", "blocked": "X"},
        "tiles": [tile(number) for number in range(1, 53)],
        "special_tiles": [special(face, number) for number in (1, 2) for face in (*COLOURS, *EFFECTS)],
        "boards": [{"id": f"plain_{number}", "printed": ["______"] * 6} for number in range(1, 5)],
        "bonus_decorations": [
            {"id": f"p{size}_{colour}", "colour": colour, "size": size}
            for size in (2, 3)
            for colour in COLOURS
        ],
        "bonus_shapes": {"2": "straight", "3": "straight"},
        "cards": [card(god) for god in GODS],
        "ultimate_goal_card": {
            side: [
                {
                    "id": f"any_{side}",
                    "points": 1,
                    "measure": "longest_chain",
                    "at_least": 2,
                    "test": "a chain",
                }
            ]
            for side in "ab"
        },
        "priests_per_player": 4,
    }


def tile(number: int) -> dict[str, Any]:
    """The odd tiles look the same after half a turn."""
    colour, other = COLOURS[number % 4], COLOURS[(number + 1) % 4]
    spaces = [colour, None, None, colour] if number % 2 else [colour, colour, other, None]
    return {"id": f"t{number:02}", "family": "tiny", "spaces": spaces}


def special(face: str, number: int) -> dict[str, Any]:
    name = f"top_{face}_{number}"
    if face in EFFECTS:
        return {"id": name, "kind": "effect", "effect": face}
    return {"id": name, "kind": "single_colour", "colour": face, "spaces": [face] * 4}


def card(god: str) -> dict[str, Any]:
    return {
        "id": f"only_{god}",
        "god": god,
        "values": [2, 2],
        "bonus": [3, 2],
        "sum": 4,
        "points": 5,
        "points_incomplete": 1,
    }


def read(data: dict[str, Any]) -> ComponentSet[Box]:
    return read_component_set(canonical(data), Box, origin="tiny.json")


TINY_RULESET = temple_of_five({"tiny": read(tiny_data())})
