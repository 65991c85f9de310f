"""A ruleset as front-ends see it: players, options, actions, components, words."""

from typing import Any

from games.components import ComponentSet
from games.gallery import board_of
from games.kernel import BOT_LEVELS, Registry, Ruleset
from games.words import Words
from replays.sentences import FORMAT
from replays.telling import LANGUAGES, words_to_tell
from services.api.document import schemas_of


def summary(ruleset: Ruleset[Any, Any], rulesets: Registry) -> dict[str, Any]:
    """A game in the list of games: the names of its component sets, but not their contents."""
    schemas = schemas_of(ruleset)
    return {
        "id": ruleset.name,
        "names": {language: words[ruleset.name] for language, words in ruleset.names.items()},
        "players": {"min": ruleset.seat_counts[0], "max": ruleset.seat_counts[-1]},
        "versions": rulesets.versions(ruleset.name),
        "bots": BOT_LEVELS,
        "options": schemas["options"],
        "actions": schemas["actions"],
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
    return summary(ruleset, rulesets) | schemas_of(ruleset) | words(ruleset) | more


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
