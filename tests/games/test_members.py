"""Every member that a game shows or takes is told in a sentence, and nothing is told that does not exist."""

from typing import Any

import pytest

from games import RULESETS
from games.kernel import Ruleset
from games.members import members_of, read_members
from services.api.document.games import types_of

each_ruleset = pytest.mark.parametrize("ruleset", list(RULESETS), ids=lambda ruleset: ruleset.name)


def schemas(ruleset: Ruleset[Any, Any]) -> dict[str, Any]:
    """The structs of a game by the names of their classes."""
    components = types_of(ruleset, "", "").components
    return {
        ruleset.state_type.__name__ if name == "View" else name: each for name, each in components.items()
    }


@each_ruleset
def test_every_struct_and_every_member_is_told(ruleset: Ruleset[Any, Any]) -> None:
    for name, schema in schemas(ruleset).items():
        assert schema["description"].endswith("."), name
        for member, told in schema["properties"].items():
            assert told["description"].endswith("."), f"{name}.{member}"


@each_ruleset
def test_nothing_is_told_of_what_does_not_exist(ruleset: Ruleset[Any, Any]) -> None:
    there = schemas(RULESETS.latest(ruleset.name))
    members = {f"{name}.{member}" for name in there for member in there[name]["properties"]}
    names = members | {member.partition(".")[2] for member in members}
    own = read_members(f"games.{ruleset.name}")
    assert own["members"].keys() <= names
    assert own["structs"].keys() <= there.keys()


@each_ruleset
def test_what_parameters_of_actions_name_is_told_of_actions(ruleset: Ruleset[Any, Any]) -> None:
    actions = {kind.__name__: kind for kind in ruleset.action_types}
    for place, target in members_of(ruleset.name).refers_to.items():
        action, _, parameter = place.partition(".")
        assert parameter in schemas(ruleset)[action]["properties"]
        assert action in actions
        assert target.startswith(("view.", "component_set."))
