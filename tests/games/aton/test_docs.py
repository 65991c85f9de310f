"""The guide for players shows what really happens."""

import json
import re
from pathlib import Path
from typing import Any

from games.aton import ATON
from tests.games.aton.positions import given
from tests.rulesets.story import SEED, builtins

GUIDE = (Path(__file__).parents[3] / "docs" / "games" / "aton.md").read_text(encoding="utf-8")
BLOCKS: list[Any] = [json.loads(block) for block in re.findall(r"```json\n(.*?)\n```", GUIDE, re.DOTALL)]


def test_the_example_round_of_the_guide_is_a_real_one() -> None:
    assert SEED.hex() in GUIDE
    (steps,) = [block for block in BLOCKS if isinstance(block, list)]
    story = given()
    for step in steps:
        story.when(step["seat"], step["action"])
        assert builtins(story.facts) == step["facts"]
    story.stands({"/round": 2, "/phase": "allocate"})


def test_the_example_position_of_the_guide_asks_red_to_place_two_pieces() -> None:
    (position,) = [block for block in BLOCKS if "phase" in block]
    given(position).stands({"/phase": "place", "/to_act": [0], "/remaining": 2})


def test_the_guide_names_every_action_and_every_word_has_a_translation() -> None:
    for action in ATON.action_types:
        assert f'"type": "{action.__struct_config__.tag}"' in GUIDE
    assert ATON.names["en"].keys() == ATON.names["fr"].keys()
