"""The JSON Schemas of one ruleset, each complete in itself, as `GET /v1/rulesets/{id}` gives them."""

from typing import Any

from games.kernel import Ruleset
from services.api.document.games import types_of
from services.api.document.types import Schema

DEFS_PREFIX = "#/$defs/"


def schemas_of(ruleset: Ruleset[Any, Any]) -> dict[str, Schema]:
    """The JSON Schemas of a game's options, actions, view, facts and outcome."""
    components = types_of(ruleset, "", DEFS_PREFIX).components
    facts = [DEFS_PREFIX + kind.__name__ for kind in ruleset.fact_types]
    return {
        "options": inlined(components, components[ruleset.options_type.__name__]),
        "actions": {
            "anyOf": [inlined(components, components[kind.__name__]) for kind in ruleset.action_types]
        },
        "view": whole(components, DEFS_PREFIX + "View"),
        "facts": whole(components, *facts),
        "outcome": inlined(components, components["Outcome"]),
    }


def inlined(components: dict[str, Schema], node: Any) -> Any:
    """A schema without references."""
    if isinstance(node, dict):
        if "$ref" in node:
            there = components[node["$ref"].removeprefix(DEFS_PREFIX)]
            beside = {key: value for key, value in node.items() if key != "$ref"}
            return inlined(components, there) | beside
        return {key: inlined(components, value) for key, value in node.items()}
    return [inlined(components, item) for item in node] if isinstance(node, list) else node


def whole(components: dict[str, Schema], *targets: str) -> Schema:
    """A schema that refers to what it brings along, and brings no more."""
    roots = [{"$ref": target} for target in targets]
    needed: dict[str, Schema] = {}
    waiting = [target.removeprefix(DEFS_PREFIX) for target in targets]
    while waiting:
        name = waiting.pop()
        if name not in needed:
            needed[name] = components[name]
            waiting += references_in(components[name])
    root: Schema = roots[0] if len(roots) == 1 else {"oneOf": roots}
    return root | {"$defs": {name: needed[name] for name in components if name in needed}}


def references_in(node: Any) -> list[str]:
    """The names of what a schema refers to."""
    if isinstance(node, dict):
        own = [node["$ref"].removeprefix(DEFS_PREFIX)] if "$ref" in node else []
        return own + [name for value in node.values() for name in references_in(value)]
    return [name for item in node for name in references_in(item)] if isinstance(node, list) else []
