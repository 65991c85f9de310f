"""What docs/games/temple_of_five.md shows is what happens."""

import json
import re
from pathlib import Path

from tests.games.temple_of_five.tables import RULESET, given
from tests.rulesets.story import builtins

PAGE = (Path(__file__).parents[3] / "docs/games/temple_of_five.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)


def test_the_documented_round_is_a_real_one() -> None:
    *_, first_round = BLOCKS
    story = given(seats=2)
    for line in first_round.splitlines():
        step = json.loads(line)
        story.when(step["seat"], step["action"])
        assert builtins(story.facts) == step["facts"]
    story.stands({"/round": 2})


def test_the_documented_creation_and_position_are_accepted() -> None:
    creation, position, _ = BLOCKS
    wanted = json.loads(creation)
    given(seats=len(wanted["players"]), options=wanted["options"])
    given(json.loads(position)).stands({"/active_seat": 0})


def test_every_action_has_an_example() -> None:
    examples = re.findall(r"^\| `(\{.*?\})`", PAGE, re.MULTILINE)
    shown = [type(RULESET.read_action(json.loads(example))) for example in examples]
    assert shown == list(RULESET.action_types)
