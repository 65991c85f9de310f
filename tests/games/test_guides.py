"""The player's guides: complete, the same in both languages, and true to the rules."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

from games import RULESETS
from games.aton.scoring import scoring_lines
from games.babel.box import NATIONS
from games.kernel import Guide, Ruleset
from games.kernel.guide import folder_of, language_of, read_json
from games.sa_re.state import box_of
from games.toy import LANTERNS
from games.words import LANGUAGES
from tests.rulesets.story import Story, builtins

Points = Mapping[str, tuple[int, ...]]


def guide_of(ruleset: Ruleset[Any, Any], language: str = "en") -> Guide:
    guide = ruleset.guide(language)
    assert guide
    return guide


GUIDED = [
    RULESETS.latest(name)
    for name in sorted({each.name for each in RULESETS})
    if RULESETS.latest(name).guide("en")
]
each_ruleset = pytest.mark.parametrize("ruleset", GUIDED, ids=lambda ruleset: ruleset.name)
each_language = pytest.mark.parametrize("language", LANGUAGES)


# -- reading them ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wanted", "language"),
    [("fr", "fr"), ("fr-CA", "fr"), ("FR_ca", "fr"), ("en", "en"), ("de", "en"), ("", "en")],
)
def test_a_language_that_nobody_has_written_falls_back_to_english(wanted: str, language: str) -> None:
    assert language_of(wanted) == language
    assert guide_of(RULESETS.latest("babel"), wanted).language == language


def test_a_game_may_have_no_guide_and_no_lessons() -> None:
    assert LANTERNS.guide("en") is None
    assert LANTERNS.lessons("en") == ()


def test_a_reference_leads_to_a_section_or_to_a_part_of_one() -> None:
    guide = guide_of(RULESETS.latest("babel"))
    assert guide.section("goal") == guide.goal
    assert guide.section("actions.build") is guide.actions["build"]
    for nowhere in ("nothing", "actions.nothing"):
        with pytest.raises(KeyError):
            guide.section(nowhere)


# -- complete in both languages -------------------------------------------------------------------------------------------


def texts(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Every text of a guide or lesson with its place."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from texts(inner, f"{path}/{key}")
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from texts(inner, f"{path}/{at}")


def readable(guide: Guide) -> dict[str, str]:
    """What people read of a guide, by its place; templates and the worked position apart."""
    raw = builtins(guide)
    del raw["game"], raw["language"], raw["refusals"], raw["components"]
    for member in ("position", "options", "moves"):
        raw["scoring"]["example"].pop(member, None)
    for line in raw["scoring"]["example"]["lines"]:
        del line["id"]
    for thing in raw["things"].values():
        del thing["kind"]
        thing.pop("now", None)
    for action in raw["actions"].values():
        del action["confirm"]
    return dict(texts(raw))


@each_ruleset
def test_both_languages_say_the_same_things(ruleset: Ruleset[Any, Any]) -> None:
    english, french = (readable(guide_of(ruleset, language)) for language in LANGUAGES)
    assert english.keys() == french.keys()
    told_now = [
        {key for key, thing in guide_of(ruleset, language).things.items() if thing.now}
        for language in LANGUAGES
    ]
    assert told_now[0] == told_now[1]


@each_ruleset
def test_both_languages_name_the_same_figures(ruleset: Ruleset[Any, Any]) -> None:
    english, french = (readable(guide_of(ruleset, language)) for language in LANGUAGES)
    assert {place: figures(text) for place, text in english.items()} == {
        place: figures(text) for place, text in french.items()
    }


def figures(text: str) -> list[str]:
    return sorted(re.findall(r"\d+", text))


@each_language
@each_ruleset
def test_texts_are_whole_sentences_without_markup(ruleset: Ruleset[Any, Any], language: str) -> None:
    for place, text in readable(guide_of(ruleset, language)).items():
        assert text == text.strip(), place
        assert not re.search(r"[*_`<>\n]|  ", text), place
        if not re.search(r"/(name|title|cost)$", place):
            assert text.endswith((".", "!", "?")), place


@each_language
@each_ruleset
def test_a_file_of_texts_tells_the_things_and_lines_of_the_structure_and_no_others(
    ruleset: Ruleset[Any, Any], language: str
) -> None:
    folder = folder_of(ruleset.name)
    assert folder
    structure = read_json(folder.joinpath("guide/structure.json"))
    own = read_json(folder.joinpath(f"guide/{language}.json"))
    assert own["things"].keys() == structure["things"].keys()
    lines = {line["id"] for line in structure["example"]["lines"]}
    assert own["scoring"]["example"]["lines"].keys() == lines


@each_language
@each_ruleset
def test_actions_and_options_are_called_as_on_the_buttons(ruleset: Ruleset[Any, Any], language: str) -> None:
    guide, labels = guide_of(ruleset, language), ruleset.names[language]
    assert {key: action.name for key, action in guide.actions.items()} == {
        key: labels.get(f"action.{key}", labels[key]) for key in guide.actions
    }
    assert {key: option.name for key, option in guide.options.items()} == {
        key: labels[key] for key in guide.options
    }


def test_in_french_a_space_before_a_high_sign_does_not_break() -> None:
    assert "\u00a0:" in guide_of(RULESETS.latest("aton"), "fr").things["cartouche_1"].name
    assert any("\u00a0:" in step.text for step in RULESETS.latest("aton").lessons("fr")[0].steps)


@each_language
@each_ruleset
def test_every_part_of_the_game_has_its_text(ruleset: Ruleset[Any, Any], language: str) -> None:
    guide = guide_of(ruleset, language)
    kinds = ruleset.action_types
    assert guide.actions.keys() == {str(kind.__struct_config__.tag) for kind in kinds}
    assert guide.phases.keys() == {phase for kind in kinds for phase in kind.phases} | {"ended"}
    assert guide.options.keys() == set(ruleset.options_type.__struct_fields__)
    assert guide.players == (ruleset.seat_counts[0], ruleset.seat_counts[-1])
    assert 0 < guide.minutes[0] <= guide.minutes[1]
    assert (len(guide.turn), len(guide.tips)) == (5, 5)
    assert 3 <= len(guide.overview) <= 6


@each_ruleset
def test_every_value_of_an_option_has_its_text(ruleset: Ruleset[Any, Any]) -> None:
    guide = guide_of(ruleset)
    kinds = get_type_hints(ruleset.options_type)
    for option, kind in ((name, kinds[name]) for name in ruleset.options_type.__struct_fields__):
        values: set[str] = set()
        if option == "component_set":
            values = set(ruleset.component_sets)
        elif kind is bool:
            values = {"true", "false"}
        elif get_origin(kind) is Literal:
            values = {str(value) for value in get_args(kind)}
        assert values <= guide.options[option].values.keys(), option


@each_ruleset
def test_everything_that_lies_on_the_table_is_explained(ruleset: Ruleset[Any, Any]) -> None:
    guide = guide_of(ruleset)
    assert {zone.member for zone in ruleset.zones.zones} - guide.things.keys() == set()
    for seats in ruleset.seat_counts:
        state = Story(ruleset).given(seats=seats).state
        for kind, components in ruleset.zones.box(state).items():
            thing = guide.components[kind]
            wanted = {thing} if thing else {str(component) for component in components}
            assert wanted - guide.things.keys() == set(), kind


@each_ruleset
def test_every_refusal_leads_to_the_section_that_explains_it(ruleset: Ruleset[Any, Any]) -> None:
    guide = guide_of(ruleset)
    assert guide.refusals.keys() == ruleset.words["en"].refusals.keys()
    for reference in guide.refusals.values():
        assert guide.section(reference)


# -- the worked example ---------------------------------------------------------------------------------------------------


def scored_in_babel(state: Any, facts: list[Any]) -> Points:
    return {site: tuple(player.sites[site].top for player in state.players) for site in NATIONS}


def scored_in_aton(state: Any, facts: list[Any]) -> Points:
    return {line.line: line.points for line in scoring_lines(state)}


def scored_in_sa_re(state: Any, facts: list[Any]) -> Points:
    standing = [
        [tile.building for tiles in player.spaces for tile in tiles if tile.built] for player in state.players
    ]
    administrative = set(box_of(state).administrative)
    lines = {
        "port": tuple(built.count("port") for built in standing),
        "pyramid": tuple(built.count("pyramid") for built in standing),
        "administrative": tuple(min(3, len(administrative.intersection(built))) for built in standing),
    }
    assert state.outcome.scores == tuple(map(sum, zip(*lines.values(), strict=True)))
    return lines


def scored_in_temple_of_five(state: Any, facts: list[Any]) -> Points:
    lines = ("completed", "incomplete", "bonus", "goals")
    return {line: tuple(getattr(player.score, line) for player in state.players) for line in lines}


SCORERS: dict[str, Callable[[Any, list[Any]], Points]] = {
    "aton": scored_in_aton,
    "babel": scored_in_babel,
    "sa_re": scored_in_sa_re,
    "temple_of_five": scored_in_temple_of_five,
}
"""By game: the lines of a scoring and their points by seat, as the rules count them in a state and its latest facts."""


@each_ruleset
def test_the_worked_example_adds_up_as_the_rules_count(ruleset: Ruleset[Any, Any]) -> None:
    example = guide_of(ruleset).scoring.example
    story = Story(ruleset).given(example.position, seats=len(example.total), options=example.options)
    for move in example.moves:
        story.when(move.seat, move.action)
    counted = SCORERS[ruleset.name](story.state, builtins(story.facts))
    lines = {line.id: tuple(line.points) for line in example.lines}
    assert lines == {name: tuple(points) for name, points in counted.items() if name in lines or any(points)}
    assert [sum(each) for each in zip(*lines.values(), strict=True)] == example.total


@each_language
@each_ruleset
def test_each_line_of_the_example_names_its_points(ruleset: Ruleset[Any, Any], language: str) -> None:
    example = guide_of(ruleset, language).scoring.example
    for line in example.lines:
        named = set(figures(line.text))
        assert {str(points) for points in line.points if points} <= named, line.id
    assert {str(points) for points in example.total} <= set(figures(example.text))
