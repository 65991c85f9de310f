"""Every vector of the specification (section 10)."""

from pathlib import Path
from typing import Any

import pytest

from games.aton import ATON
from tests.rulesets.scenario import load_scenarios, run_scenario

SCENARIOS = load_scenarios(Path(__file__).with_name("vectors.json"))


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario["name"])
def test_the_game_goes_as_the_specification_says(scenario: dict[str, Any]) -> None:
    run_scenario(ATON, scenario)
