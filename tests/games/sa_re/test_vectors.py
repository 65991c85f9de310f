"""The worked examples of the specification (10): the rulebook's season, construction and Temple."""

from pathlib import Path
from typing import Any

import pytest

from games.sa_re import SA_RE
from tests.rulesets.scenario import load_scenarios, run_scenario

SCENARIOS = load_scenarios(Path(__file__).with_name("vectors.json"))


@pytest.mark.parametrize("scenario", SCENARIOS, ids=[each["name"] for each in SCENARIOS])
def test_the_game_goes_as_the_worked_example_tells(scenario: dict[str, Any]) -> None:
    story = run_scenario(SA_RE, scenario)
    assert story is not None
    assert len(scenario["steps"]) > 0


def test_the_complete_season_of_four_players_is_among_the_examples() -> None:
    assert [each["seats"] for each in SCENARIOS] == [4, 4, 2, 2, 2, 2, 2, 3]
    assert len(SCENARIOS[0]["steps"]) == 36
