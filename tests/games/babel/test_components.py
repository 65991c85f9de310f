"""Component sets of Babel: what lies in the box must be enough to play with (1)."""

import json
from importlib.resources import files
from typing import Any

import pytest

from games.babel.box import Box
from games.components import InvalidComponentSet, read_component_set

STANDARD = json.loads((files("games.babel") / "components" / "babel_standard.json").read_bytes())
FOUR_NATIONS = {name: STANDARD["nations"][name] for name in ("assyrians", "hittites", "medes", "persians")}


@pytest.mark.parametrize(
    ("fault", "members"),
    [
        ("all five nations", {"nations": FOUR_NATIONS}),
        ("both editions", {"starting_hands": {"2000": [5, 5]}}),
        ("start card", {"temple_cards": [1, 9, 8]}),
        ("start card", {"temple_cards": []}),
        ("temple pile", {"temple_cards": [2]}),
        ("too few nation cards", {"starting_hands": {"2013": [3, 5], "2000": [29, 29]}}),
        ("must rise", {"thresholds": {"endgame": 15, "too_low": 15, "win": 20}}),
        ("must rise", {"thresholds": {"endgame": 21, "too_low": 9, "win": 20}}),
        ("cards_drawn", {"cards_drawn": -1}),
        ("temples_revealed", {"temples_revealed": 0}),
        ("run_length", {"run_length": 0}),
        ("migration_size", {"migration_size": 0}),
        ("temple_cards", {"temple_cards": [10, -9, 8]}),
    ],
)
def test_a_set_that_no_game_could_be_played_with_is_refused(fault: str, members: dict[str, Any]) -> None:
    with pytest.raises(InvalidComponentSet, match=fault):
        read_component_set(json.dumps({**STANDARD, **members}).encode(), Box, origin="other.json")


def test_the_smallest_box_that_can_be_played_with_is_read() -> None:
    members = {"temple_cards": [2, 1], "starting_hands": {"2013": [3, 5], "2000": [28, 29]}}
    source = json.dumps({**STANDARD, **members}).encode()
    assert read_component_set(source, Box, origin="other.json").box.temple_cards == (2, 1)
