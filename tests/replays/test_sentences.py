"""The template language of sentences, in Python and in JavaScript: both fill the same templates with the same words."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from games import RULESETS
from games.words import Words
from replays.narration import LANGUAGES, Teller, narration_words
from replays.sentences import SENTENCES_FORMAT
from services.cli.film import Film
from tests.golden.told import EVERYTHING, STORIES, story_record
from tests.node import node

ROOT = Path(__file__).parents[2]
VECTORS = json.loads((ROOT / "docs/test-vectors/sentences.json").read_bytes())
PARTS = ("names", "nouns", "sentences")
NODE = """
import { readFileSync } from "node:fs";
const { FORMAT, Teller } = await import(process.argv[1]);
const { game, cases } = JSON.parse(readFileSync(0));
const told = cases.map(({ language, players, event, fact, point, view = null, before = null }) => {
  const teller = new Teller(game, language, players);
  if (point) return { told: teller.turningPoint(point) };
  return fact ? { told: teller.fact(fact) } : { headline: teller.headline(event), told: teller.event(event, view, before) };
});
console.log(JSON.stringify({ format: FORMAT, told }));
"""


def told_by_node(game: Any, cases: list[Any]) -> Any:
    """What `web/words.js` makes of cases."""
    ran = subprocess.run(
        [node(), "--input-type=module", "-e", NODE, (ROOT / "web/words.js").as_uri()],
        input=json.dumps({"game": game, "cases": cases}).encode(),
        capture_output=True,
        check=True,
    )
    return json.loads(ran.stdout)


def wanted(case: dict[str, Any]) -> dict[str, Any]:
    return {name: case[name] for name in ("headline", "told") if name in case}


def teller_of(case: dict[str, Any]) -> Teller:
    """A teller of the vectors' own game."""
    names, nouns, sentences = (VECTORS["game"][part][case["language"]] for part in PARTS)
    return Teller(Words(names, nouns, sentences, {}), case["language"], case["players"])


@pytest.mark.parametrize("case", VECTORS["cases"], ids=lambda case: case["about"])
def test_python_tells_a_vector_as_it_is_written(case: dict[str, Any]) -> None:
    teller = teller_of(case)
    if "fact" in case:
        assert teller.fact(case["fact"]) == case["told"]
    else:
        told = teller.event(case["event"], case.get("view"), case.get("before"))
        assert {"headline": teller.headline(case["event"]), "told": told} == wanted(case)


def test_javascript_tells_every_vector_as_it_is_written() -> None:
    told = told_by_node(VECTORS["game"], VECTORS["cases"])
    assert told == {"format": SENTENCES_FORMAT, "told": [wanted(case) for case in VECTORS["cases"]]}
    assert VECTORS["format"] == SENTENCES_FORMAT


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("ruleset", sorted(STORIES))
def test_javascript_tells_whole_games_as_python_does(ruleset: str, language: str) -> None:
    film = Film(story_record(ruleset), RULESETS, EVERYTHING, language)
    words = narration_words(RULESETS.latest(ruleset), language)
    game = {part: {language: getattr(words, part)} for part in PARTS}
    shown = [film.frame(version) for version in range(1, len(film) + 1)]
    views = [None, *(frame["view"] for frame in shown)]
    cases = [
        {"language": language, "players": film.teller.sentences.players, "event": frame["event"]}
        | {"view": frame["view"], "before": before}
        for frame, before in zip(shown, views, strict=False)
    ]
    told = told_by_node(game, cases)["told"]
    assert told == [{"headline": scene.headline, "told": scene.sentences} for scene in film]


@pytest.mark.parametrize("language", LANGUAGES)
def test_javascript_tells_a_turning_point_as_python_does(language: str) -> None:
    deployed = {"type": "deployed", "seat": 1, "nation": "medes", "site": "persians"}
    revealed = {"type": "temples_revealed", "seat": 1, "levels": [2, 5]}
    point = {
        "seat": 1,
        "version": 9,
        "lost": 195,
        "played": {"action": {"type": "end_turn"}, "chance": 410, "fact": revealed},
        "better": {"action": {"type": "deploy", "nation": "medes"}, "chance": 605, "fact": deployed},
    }
    words = narration_words(RULESETS.latest("babel"), language)
    game = {part: {language: getattr(words, part)} for part in PARTS}
    players = ["Ana", "Omar"]
    (told,) = told_by_node(game, [{"language": language, "players": players, "point": point}])["told"]
    assert told == {"told": Teller(words, language, players).turning_point(point)}
    assert (
        told["told"]
        == {
            "en": "“End the turn” leaves Omar with a chance of 41%; “Omar deploys a Mede at the Persians' site” would have"
            " been better, with 61%.",
            "fr": "«\u00a0Terminer le tour\u00a0» ne laisse à Omar que 41\u00a0% de chances\u00a0; «\u00a0Omar déploie un Mède sur"
            " le chantier des Perses\u00a0» aurait mieux valu, avec 61\u00a0%.",
        }[language]
    )
