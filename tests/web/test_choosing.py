"""Whatever is legal can be chosen on the page: actions of decisions throughout the golden records."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from events.game import ruleset_of, unfold
from games import RULESETS
from replays.record import entries_of
from services.api.ruleset_description import summary
from tests.golden.records import RECORDS, golden
from tests.node import node, node_environment
from tests.rulesets.story import builtins

HERE = Path(__file__).parent
CHOOSING = HERE.parents[1] / "web/action_choice.js"
MOST = 20
"""So many decisions of a record are enough."""


@pytest.mark.parametrize("ruleset", ["aton", "babel", "sa_re", "temple_of_five"])
def test_every_legal_action_can_be_chosen_step_by_step(ruleset: str, tmp_path: Path) -> None:
    module = tmp_path / "choosing.mjs"
    module.write_bytes(CHOOSING.read_bytes())
    decisions = [decision for path in RECORDS if path.parent.name == ruleset for decision in decided(path)]
    assert len(decisions) > 100
    told = {
        "module": module.as_uri(),
        "schema": builtins(summary(RULESETS.latest(ruleset), RULESETS)["actions"]),
        "decisions": decisions,
    }
    run = subprocess.run(
        [node(), HERE / "choose.mjs"],
        input=json.dumps(told),
        capture_output=True,
        text=True,
        env=node_environment(),
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout) == []


def decided(path: Path) -> list[list[Any]]:
    """What could be done at the decisions of a record."""
    decisions = []
    for _, game in unfold(entries_of(golden(path)), RULESETS):
        for seat in game.to_act[:1]:
            actions = ruleset_of(game, RULESETS).legal_actions(game.state, seat)
            decisions.append([builtins(action) for action in actions])
    return decisions[:: max(1, len(decisions) // MOST)]
