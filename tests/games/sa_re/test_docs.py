"""The guide for players shows what really happens."""

import json
import re
from pathlib import Path
from typing import Any

from games.sa_re import SA_RE
from tests.games.sa_re.table import given
from tests.rulesets.story import SEED, builtins

GUIDE = (Path(__file__).parents[3] / "docs" / "games" / "sa_re.md").read_text(encoding="utf-8")
BLOCKS: list[Any] = [json.loads(block) for block in re.findall(r"```json\n(.*?)\n```", GUIDE, re.DOTALL)]


def test_the_example_round_of_the_guide_is_a_real_one() -> None:
    assert SEED.hex() in GUIDE
    (steps,) = [block for block in BLOCKS if isinstance(block, list)]
    story = given(None, divinity=True)
    for step in steps:
        story.when(step["seat"], step["action"])
        assert builtins(story.facts) == step["facts"]
    story.stands({"/round": 2, "/phase": "sites", "/players/0/spaces/1/0/token": True})


def test_the_example_position_of_the_guide_lets_the_temple_be_used() -> None:
    (position,) = [block for block in BLOCKS if "phase" in block]
    assert {"type": "use_temple"} in given(position).legal(0)


def test_the_guide_names_every_action_and_every_option() -> None:
    for action in SA_RE.action_types:
        assert f'{{"type": "{action.__struct_config__.tag}"' in GUIDE
    for option in SA_RE.options_type.__struct_fields__:
        assert f"| `{option}` |" in GUIDE
