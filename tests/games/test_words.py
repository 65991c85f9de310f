"""Everything that a player meets has words in both languages, and the games agree on the words they share."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from games import RULESETS
from games.kernel import Ruleset
from replays.narration import LANGUAGES, narration_words
from tests.golden.records import RECORDS, golden

ROOT = Path(__file__).parents[2]
SHARED = (
    "resigned",
    "timed_out",
    "adjudicated",
    "ended",
    "phase",
    "to_act",
    "active_seat",
    "options",
    "component_set",
)
MEANS_ANOTHER_THING = {"exchange", "red", "blue", "green", "gold", "hand", "deck", "discard", "exchanged", "board", "bonus"} | {"supply", "card", "score", "round", "draw", "build", "sites", "site", "pending", "spaces"}  # fmt: skip
"""Ids that stand for different things in different games."""

each_language = pytest.mark.parametrize("language", LANGUAGES)
each_ruleset = pytest.mark.parametrize("ruleset", list(RULESETS), ids=lambda ruleset: ruleset.name)


@cache
def sources(game: str) -> list[ast.AST]:
    """Everything in a game's modules; a small game is one."""
    games = ROOT / "games"
    modules = (*(games / game).rglob("*.py"), *games.glob(f"{game}.py"))
    return [node for module in modules for node in ast.walk(ast.parse(module.read_text(encoding="utf-8")))]


def refusal_codes(game: str) -> set[str]:
    """Every code that an objection of a game's rules has."""
    calls = [node for node in sources(game) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    objections = [call.args[0] for call in calls if call.func.id == "Objection" and call.args]  # type: ignore[attr-defined]
    return {str(code.value) for code in objections if isinstance(code, ast.Constant)}


def constants(game: str) -> set[str]:
    return {
        node.value for node in sources(game) if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def test_codes_are_found_wherever_the_rules_object() -> None:
    assert {"already_there", "no_target", "start_card_must_be_built"} <= refusal_codes("babel")


@each_language
@each_ruleset
def test_every_refusal_has_a_sentence(ruleset: Ruleset[Any, Any], language: str) -> None:
    sentences = ruleset.words[language].refusals
    codes = refusal_codes(ruleset.name)
    assert codes - sentences.keys() == set()
    assert sentences.keys() - constants(ruleset.name) == set(), "no rule gives this code"


def members(kind: Any) -> Iterator[str]:
    """Every member of a state, however deep."""
    visited: set[Any] = set()

    def walk(info: Any) -> Iterator[str]:
        if isinstance(info, msgspec.inspect.StructType) and info.cls not in visited:
            visited.add(info.cls)
            for field in info.fields:
                yield field.encode_name
                yield from walk(field.type)
        for inner in (*getattr(info, "types", ()), *getattr(info, "item_types", ())):
            yield from walk(inner)
        for name in ("item_type", "value_type"):
            if hasattr(info, name):
                yield from walk(getattr(info, name))

    return walk(msgspec.inspect.type_info(kind))


@each_language
@each_ruleset
def test_every_member_of_a_view_and_every_action_has_a_label(
    ruleset: Ruleset[Any, Any], language: str
) -> None:
    zones = {name for name in members(ruleset.state_type) if not name.endswith("_count")}
    actions = {str(kind.__struct_config__.tag) for kind in ruleset.action_types}
    options = set(ruleset.options_type.__struct_fields__)
    wanted = (
        zones
        | actions
        | options
        | set(ruleset.component_sets)
        | {ruleset.name, "ended", "resigned", "timed_out"}
    )
    assert wanted - ruleset.names[language].keys() == set()


@each_language
@each_ruleset
def test_every_phase_reason_and_tie_break_of_the_rules_has_words(
    ruleset: Ruleset[Any, Any], language: str
) -> None:
    """The golden records reach every way to end."""
    words = narration_words(ruleset, language)
    phases = {phase for kind in ruleset.action_types for phase in kind.phases}
    assert phases
    assert phases | {"ended"} <= words.names.keys()
    for path in RECORDS:
        outcome = (
            golden(path)["entries"][-1]["data"].get("outcome") if path.parent.name == ruleset.name else None
        )
        if outcome:
            assert f"outcome.reason.{outcome['reason']}" in words.nouns
            assert outcome["reason"] in words.names
            if outcome["tiebreak"]:
                assert f"outcome.tiebreak.{outcome['tiebreak']}" in words.nouns
                assert outcome["tiebreak"] in words.names


@each_ruleset
def test_both_languages_have_the_same_words(ruleset: Ruleset[Any, Any]) -> None:
    english, french = (narration_words(ruleset, language) for language in LANGUAGES)
    for one, other in zip(english, french, strict=True):
        assert one.keys() == other.keys()


@each_language
@each_ruleset
def test_labels_begin_with_a_capital(ruleset: Ruleset[Any, Any], language: str) -> None:
    assert [name for name in ruleset.names[language].values() if name[0].islower()] == []


@each_language
def test_games_agree_on_the_words_they_share(language: str) -> None:
    labels: dict[str, set[str]] = {}
    for ruleset in RULESETS:
        for word, label in ruleset.names[language].items():
            labels.setdefault(word, set()).add(label)
    assert {word for word, said in labels.items() if len(said) > 1} <= MEANS_ANOTHER_THING
    assert set(SHARED) <= labels.keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_tiles_and_cards_are_called_by_what_they_show(language: str) -> None:
    ruleset = RULESETS.latest("temple_of_five")
    nouns = ruleset.words[language].nouns
    (data,) = (component_set.data for component_set in ruleset.component_sets.values())
    for card in data["cards"]:
        assert "-".join(map(str, card["values"])) in nouns[card["id"]]["one"]
        assert nouns[f"worth.{card['id']}"].startswith(str(card["points"]))
    faces: dict[str, set[tuple[str, ...]]] = {}
    for tile in data["tiles"]:
        colours = tuple(sorted(colour for colour in tile["spaces"] if colour))
        faces.setdefault(nouns[tile["id"]]["one"], set()).add(colours)
    assert all(len(shown) == 1 for shown in faces.values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_spaces_of_aton_are_called_by_temple_colour_and_number(language: str) -> None:
    ruleset = RULESETS.latest("aton")
    nouns = ruleset.words[language].nouns
    (data,) = (component_set.data for component_set in ruleset.component_sets.values())
    called = [nouns[space["id"]] for space in data["spaces"]]
    assert len(set(called)) == len(data["spaces"])
    for space, name in zip(data["spaces"], called, strict=True):
        assert name.startswith(f"temple {space['temple']}, ")
        assert str(int(space["id"][-2:])) in name
        assert (f"(+{space['bonus']})" in name) == bool(space["bonus"])
