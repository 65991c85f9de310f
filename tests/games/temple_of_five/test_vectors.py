"""The worked examples of the specification (10)."""

from pathlib import Path
from typing import Any

import pytest

from games.temple_of_five import TEMPLE_OF_FIVE
from tests.rulesets.scenario import load_scenarios, run_scenario

SCENARIOS = load_scenarios(Path(__file__).parent / "vectors.json")


@pytest.mark.parametrize("scenario", SCENARIOS, ids=[scenario["name"] for scenario in SCENARIOS])
def test_the_example_is_played_as_the_specification_says(scenario: dict[str, Any]) -> None:
    run_scenario(TEMPLE_OF_FIVE, scenario)
