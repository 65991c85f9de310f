"""The vectors of the specification (10)."""

from pathlib import Path
from typing import Any

import pytest

from games.babel import BABEL
from tests.rulesets.scenario import load_scenarios, run_scenario

SCENARIOS = load_scenarios(Path(__file__).with_name("vectors.json"))


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario["name"])
def test_the_specification_s_vector_plays_as_written(scenario: dict[str, Any]) -> None:
    run_scenario(BABEL, scenario)
