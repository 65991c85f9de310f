"""What docs/games/babel.md shows is what the game does."""

import json
import re
from pathlib import Path
from typing import Any

from games.babel import BABEL
from games.canonical import canonical
from tests.rulesets.story import Story

PAGE = (Path(__file__).parents[3] / "docs/games/babel.md").read_text(encoding="utf-8")


def block_after(heading: str) -> Any:
    """The first JSON block under a heading."""
    block = re.search(r"```json\n(.*?)```", PAGE[PAGE.index(heading) :], re.DOTALL)
    assert block
    return json.loads(block[1])


def test_the_two_turns_on_the_page_are_those_of_its_seed() -> None:
    seed = re.search(r"seed `([0-9a-f]{64})`", PAGE)
    assert seed
    story = Story(BABEL, bytes.fromhex(seed[1])).given(seats=2)
    for step in block_after("## The first two turns"):
        story.when(step["seat"], step["action"])
        assert canonical(story.facts) == canonical(step["facts"])
    story.stands({"/turn": 3})


def test_the_position_on_the_page_is_about_to_see_a_theft() -> None:
    story = Story(BABEL).given(block_after("## Positions"), seats=2)
    story.when(0, {"type": "steal_level", "run": 0}).stands({"/players/0/total": 2, "/players/1/total": 1})


def test_the_page_names_every_action_and_every_refusal() -> None:
    actions = [f'"type": "{action.__struct_config__.tag}"' for action in BABEL.action_types]
    codes = BABEL.words["en"].refusals
    assert [text for text in [*actions, *codes] if text not in PAGE] == []
