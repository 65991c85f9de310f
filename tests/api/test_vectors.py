"""The vectors of every game's specification, played through HTTP: positions, actions, refusals, what each viewer sees."""

from pathlib import Path
from typing import Any

import pytest

from tests.api.client import CLUB, OPERATOR, Api, Table
from tests.rulesets.scenario import load_scenarios
from tests.rulesets.story import assert_facts, assert_pointers

GAMES = Path(__file__).parents[1] / "games"
VECTORS = [
    pytest.param(path.parent.name, scenario, id=f"{path.parent.name}: {scenario['name']}")
    for path in sorted(GAMES.glob("*/vectors.json"))
    for scenario in load_scenarios(path)
]


@pytest.mark.parametrize(("ruleset", "scenario"), VECTORS)
def test_a_vector_of_the_specification_holds_over_http(api: Api, ruleset: str, scenario: Any) -> None:
    players = [{"name": f"Player {seat}"} for seat in range(scenario["seats"])]
    wanted = {"ruleset": ruleset, "options": scenario.get("options") or {}, "players": players}
    created = api.post("/v1/games", wanted | {"position": scenario.get("position") or {}}, CLUB)
    expect = scenario.get("expect", {})
    if "error" in expect:
        assert (created.status, created.code) == (422, expect["error"])
        return
    assert created.status == 201, created
    game = Table(api, created.json)
    hold(game, expect)
    for step in scenario["steps"]:
        expect = step.get("expect", {})
        answer = game.act(step["seat"], step["action"])
        if "error" in expect:
            assert answer.code == expect["error"], answer
        else:
            assert answer.status == 201, answer
            hold(game, expect)


def hold(game: Table, expect: Any) -> None:
    """Hold an expectation against what the server shows: to operators, to seats, to a spectator."""
    assert_pointers(game.get("?view=full", OPERATOR).json["view"], expect.get("state", {}))
    for viewer, pointers in expect.get("views", {}).items():
        assert_pointers(game.show(seat_of(viewer))["view"], pointers)
    for viewer, facts in expect.get("facts_for", {}).items():
        event = game.get(f"/events?after={game.head[0] - 1}", game.token(seat_of(viewer))).json["items"][0]
        assert_facts(event["data"]["facts"], facts)


def seat_of(viewer: str) -> int | None:
    return None if viewer == "spectator" else int(viewer)
