"""The description of a ruleset for front-ends: players, options, actions, components, words."""

from typing import Any

from games.components import ComponentSet
from games.emblems import emblem_of
from games.gallery import board_of
from games.kernel import BOT_LEVELS, Registry, Ruleset
from games.words import Words
from replays.narration import LANGUAGES, narration_words
from replays.sentences import SENTENCES_FORMAT
from services.api.document import schemas_of


def summary(ruleset: Ruleset[Any, Any], rulesets: Registry) -> dict[str, Any]:
    """A game in the list of games: the names of its component sets, but not their contents."""
    schemas = schemas_of(ruleset)
    return {
        "id": ruleset.name,
        "names": {language: words[ruleset.name] for language, words in ruleset.names.items()},
        "emblem": emblem_of(ruleset.name),
        "guide": glance(ruleset),
        "players": {"min": ruleset.seat_counts[0], "max": ruleset.seat_counts[-1]},
        "versions": rulesets.versions(ruleset.name),
        "bots": BOT_LEVELS,
        "options": schemas["options"],
        "actions": schemas["actions"],
        "component_sets": [_label(component_set) for component_set in ruleset.component_sets.values()],
        "links": {"self": f"/v1/rulesets/{ruleset.name}"},
    }


def glance(ruleset: Ruleset[Any, Any]) -> dict[str, Any] | None:
    """What the guide of a game says at a glance; None if it has none."""
    guides = {language: ruleset.guide(language) for language in LANGUAGES}
    about = {language: guide.about for language, guide in guides.items() if guide}
    guide = guides[LANGUAGES[0]]
    return {"about": about, "minutes": guide.minutes, "weight": guide.weight} if guide else None


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
    words_in = {language: narration_words(ruleset, language) for language in LANGUAGES}
    parts = {
        part: {language: getattr(words_in[language], part) for language in words_in} for part in Words._fields
    }
    return parts | {"sentence_format": SENTENCES_FORMAT}


def _label(component_set: ComponentSet[Any]) -> dict[str, Any]:
    return {
        "name": component_set.name,
        "sha256": component_set.sha256,
        "provenance": component_set.data.get("provenance"),
    }
