"""The templates of the guides: what a move will do and what a thing means now, filled at moments of real games."""

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from games.kernel import Ruleset
from replays.narration import narration_words
from replays.sentences import BLANK, Sentences
from tests.games.test_guides import each_language, each_ruleset, guide_of, texts
from tests.node import node
from tests.rulesets.kits import KITS
from tests.rulesets.playing import Moment, played
from tests.rulesets.story import builtins

WORDS = Path(__file__).parents[2] / "web/words.js"
PLAYERS = ("Ana", "Bo", "Cy", "Di")
NODE = """
import { readFileSync } from "node:fs";
const { Sentences } = await import(process.argv[1]);
const { game, language, cases } = JSON.parse(readFileSync(0));
console.log(JSON.stringify(cases.map(([players, template, members]) =>
  new Sentences(game, language, players).sentence(template, members))));
"""
Case = tuple[tuple[str, ...], Any, dict[str, Any]]
"""Names of players, a template, and the members to fill it with."""


def blanks(template: Any) -> set[str]:
    """The members that a template starts from, in its blanks and its conditions."""
    paths: set[str] = set()
    for _, text in texts(template):
        paths |= {path for path, _ in BLANK.findall(text) if not path.isdecimal()}
        paths |= {way.strip("[]") for _, way in BLANK.findall(text) for way in re.findall(r"\[\w+\]", way)}
    if isinstance(template, list):
        for case in template[:-1]:
            paths |= case[0].keys()
    paths |= {inner for path in paths for inner in re.findall(r"\[(\w+)\]", path)}
    return {path.partition(".")[0] for path in paths}


DATA: dict[str, dict[str, Any]] = {"babel": {"site": "medes", "level": 3}, "sa_re": {"space": 5}}
"""By game: the `data-` attributes of parts of its board that texts of things speak of, with a value of each."""


@each_language
@each_ruleset
def test_what_a_thing_means_now_is_told_from_its_part_of_the_board_and_the_view(
    ruleset: Ruleset[Any, Any], language: str
) -> None:
    known = {"seat", "other", "view", *DATA.get(ruleset.name, ())}
    for key, thing in guide_of(ruleset, language).things.items():
        assert blanks(thing.now or "") <= known, key


@each_language
@each_ruleset
def test_what_a_move_will_do_is_told_from_the_move_and_the_view(
    ruleset: Ruleset[Any, Any], language: str
) -> None:
    guide = guide_of(ruleset, language)
    for kind in ruleset.action_types:
        known = {"seat", "other", "view", *kind.__struct_encode_fields__}
        assert blanks(guide.actions[str(kind.__struct_config__.tag)].confirm) <= known


def moments(ruleset: Ruleset[Any, Any]) -> Iterator[Moment]:
    """Moments of real games, one game of each setting."""
    (kit,) = (each for each in KITS if each.ruleset is ruleset)
    for setting in range(len(kit.settings)):
        game = played(kit, setting, 1)
        for index in range(0, len(game.steps) + 1, 5):
            yield Moment(game, index)


def cases_of(ruleset: Ruleset[Any, Any], language: str) -> Iterator[Case]:
    """Every template with the members that it would be filled with: moves of each seat, things of each seat."""
    guide, data = guide_of(ruleset, language), DATA.get(ruleset.name, {})
    for moment in moments(ruleset):
        seats = len(moment.state.players)
        views = [builtins(ruleset.view(moment.state, viewer)) for viewer in range(seats)]
        for seat, view in enumerate(views):
            around = {"seat": seat, "other": (seat + 1) % seats}
            for action in map(builtins, moment.legal(seat)[:40]):
                yield (
                    PLAYERS[:seats],
                    guide.actions[action["type"]].confirm,
                    {**action, **around, "view": view},
                )
            for thing in guide.things.values():
                if thing.now:
                    members = {**around, "view": views[0]}
                    yield from ((PLAYERS[:seats], thing.now, {**members, **part}) for part in ({}, data))


def told(ruleset: Ruleset[Any, Any], language: str, case: Case) -> str:
    players, template, members = case
    return Sentences(narration_words(ruleset, language), language, players).sentence(template, members)


@each_language
@each_ruleset
def test_the_templates_can_be_filled_at_any_moment_of_a_game(
    ruleset: Ruleset[Any, Any], language: str
) -> None:
    hidden = Sentences(narration_words(ruleset, language), language, PLAYERS).word("hidden")
    for case in cases_of(ruleset, language):
        text = told(ruleset, language, case)
        assert text == "" or text.endswith((".", "!", "?")), case
        assert not re.search(rf"[{{}}]|  |{hidden}", text), text


@each_language
@each_ruleset
def test_only_of_a_thing_in_general_there_may_be_nothing_to_tell(
    ruleset: Ruleset[Any, Any], language: str
) -> None:
    data = DATA.get(ruleset.name, {})
    silent = [case for case in cases_of(ruleset, language) if told(ruleset, language, case) == ""]
    assert [members for _, _, members in silent if "type" in members or data.items() <= members.items()] == []


@each_language
@each_ruleset
def test_the_page_fills_the_templates_as_the_server_does(ruleset: Ruleset[Any, Any], language: str) -> None:
    words = narration_words(ruleset, language)
    game = {part: {language: getattr(words, part)} for part in ("names", "nouns", "sentences")}
    cases = list(cases_of(ruleset, language))[::10]
    ran = subprocess.run(
        [node(), "--input-type=module", "-e", NODE, WORDS.as_uri()],
        input=json.dumps({"game": game, "language": language, "cases": cases}).encode(),
        capture_output=True,
        check=True,
    )
    assert json.loads(ran.stdout) == [told(ruleset, language, case) for case in cases]
