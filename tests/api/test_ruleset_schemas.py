"""The JSON Schemas of a ruleset hold of what its games really show and take."""

from random import Random
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from games import RULESETS
from tests.api.client import Api, new_game

MOVES = 60


@pytest.mark.parametrize("ruleset", [ruleset.name for ruleset in RULESETS])
def test_views_facts_actions_options_and_outcomes_are_as_the_schemas_say(
    quiet_api: Api, ruleset: str
) -> None:
    schemas = quiet_api.get(f"/v1/rulesets/{ruleset}").json
    judges = {
        name: Draft202012Validator(schemas[name])
        for name in ("options", "actions", "view", "facts", "outcome")
    }
    for judge in judges.values():
        judge.check_schema(judge.schema)
    game = new_game(quiet_api, ruleset)
    dice = Random(ruleset)
    for _ in range(MOVES):
        shown = game.show()
        if not shown["to_act"]:
            break
        seat = dice.choice(shown["to_act"])
        own = game.show(seat)
        judges["view"].validate(own["view"])
        judges["view"].validate(shown["view"])
        action = dice.choice(game.legal(seat))
        judges["actions"].validate(action)
        check_facts(judges["facts"], game.act(seat, action).json["event"])
    judges["options"].validate(own["options"])
    game.post("/resignation", token=game.token(0))
    judges["outcome"].validate(game.show()["outcome"])
    for event in game.get("/events?limit=1000").json["items"]:
        check_facts(judges["facts"], event)


def check_facts(judge: Any, event: Any) -> None:
    for fact in event["data"].get("facts", ()):
        judge.validate(fact)


def test_a_member_that_no_view_has_would_be_noticed(quiet_api: Api) -> None:
    judge = Draft202012Validator(quiet_api.get("/v1/rulesets/babel").json["view"])
    view = new_game(quiet_api, "babel").show()["view"]
    assert judge.is_valid(view)
    assert not judge.is_valid(view | {"more": 1})
    assert not judge.is_valid({name: value for name, value in view.items() if name != "turn"})
