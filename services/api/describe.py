"""A ruleset as front-ends see it: players, options, actions, components, words."""

from typing import Any

import msgspec

from games.components import ComponentSet
from games.gallery import board_of
from games.kernel import BOT_LEVELS, Registry, Ruleset
from games.words import Words
from replays.sentences import FORMAT
from replays.telling import LANGUAGES, words_to_tell


def summary(ruleset: Ruleset[Any, Any], rulesets: Registry) -> dict[str, Any]:
    """A game in the list of games: the names of its component sets, but not their contents."""
    return {
        "id": ruleset.name,
        "names": {language: words[ruleset.name] for language, words in ruleset.names.items()},
        "players": {"min": ruleset.seat_counts[0], "max": ruleset.seat_counts[-1]},
        "versions": rulesets.versions(ruleset.name),
        "bots": BOT_LEVELS,
        "options": msgspec.json.schema(ruleset.options_type),
        "actions": actions_schema(ruleset),
        "component_sets": [_label(component_set) for component_set in ruleset.component_sets.values()],
        "links": {"self": f"/v1/rulesets/{ruleset.name}"},
    }


def description(ruleset: Ruleset[Any, Any], rulesets: Registry) -> dict[str, Any]:
    """Everything about a game: all its words, the component sets in full, and where things lie on its board."""
    sets = [
        _label(component_set) | {"data": component_set.data}
        for component_set in ruleset.component_sets.values()
    ]
    board = board_of(ruleset.name)
    layout = {name: board.layout(name) for name in ruleset.component_sets}
    more = {"component_sets": sets, "layout": layout, "clock_restarts": ruleset.state_type.clock_restarts()}
    return summary(ruleset, rulesets) | words(ruleset) | more


def words(ruleset: Ruleset[Any, Any]) -> dict[str, Any]:
    """All the words that a front-end needs to name things, to tell facts and to say why an action is refused."""
    words_in = {language: words_to_tell(ruleset, language) for language in LANGUAGES}
    parts = {
        part: {language: getattr(words_in[language], part) for language in words_in} for part in Words._fields
    }
    return parts | {"sentence_format": FORMAT}


def _label(component_set: ComponentSet[Any]) -> dict[str, Any]:
    return {
        "name": component_set.name,
        "sha256": component_set.sha256,
        "provenance": component_set.data.get("provenance"),
    }


def actions_schema(ruleset: Ruleset[Any, Any]) -> dict[str, Any]:
    """The JSON Schema of a game's actions, complete in itself."""
    return {"anyOf": [_inlined(kind) for kind in ruleset.action_types]}


def _inlined(kind: type[Any]) -> Any:
    """A type's JSON Schema without references, so that schemas of different games cannot meet."""
    (schema,), components = msgspec.json.schema_components([kind], ref_template="{name}")

    def resolve(node: Any) -> Any:
        if isinstance(node, dict):
            if "$ref" in node:
                return resolve(components[node["$ref"]])
            return {key: resolve(value) for key, value in node.items() if key != "discriminator"}
        return [resolve(item) for item in node] if isinstance(node, list) else node

    return resolve(schema)
