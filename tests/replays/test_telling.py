"""Games told in sentences: in both languages, to the end, and with nothing given away."""

import re
from pathlib import Path
from typing import Any

import pytest

from games import RULESETS
from games.kernel import Ruleset
from replays.frames import Perspective
from replays.telling import COMMON, LANGUAGES, Teller, Untold
from services.cli.film import Film
from tests.golden.records import HERE, RECORDS, golden
from tests.toy import Lanterns

PLAYERS = ("Ada", "Ben", "Cleo", "Dora")
LEFT_OPEN = re.compile(r"[{}|]|None|null")

each_language = pytest.mark.parametrize("language", LANGUAGES)
each_ruleset = pytest.mark.parametrize("ruleset", list(RULESETS), ids=lambda ruleset: ruleset.name)
each_record = pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.name}/{path.stem}")


def teller(ruleset: str, language: str = "en") -> Teller:
    return Teller(RULESETS.latest(ruleset), language, PLAYERS)


def templates(told: Any) -> list[str]:
    """Every sentence of a fact."""
    return [told] if isinstance(told, str) else [case if isinstance(case, str) else case[1] for case in told]


@each_language
@each_ruleset
def test_every_fact_has_a_sentence_and_every_sentence_a_fact(
    ruleset: Ruleset[Any, Any], language: str
) -> None:
    kinds = {str(kind.__struct_config__.tag) for kind in ruleset.fact_types}
    own, common = set(ruleset.sentences[language]), set(COMMON[language]["facts"])
    assert own <= kinds
    assert kinds <= own | common


@each_language
@each_ruleset
def test_sentences_name_only_what_their_facts_have(ruleset: Ruleset[Any, Any], language: str) -> None:
    for kind in ruleset.fact_types:
        tag = str(kind.__struct_config__.tag)
        told = ruleset.sentences[language].get(tag, COMMON[language]["facts"].get(tag))
        conditions = {} if isinstance(told, str) else {name for case in told[:-1] for name in case[0]}
        used = {name for each in templates(told) for name in re.findall(r"\{([a-z_.]+)", each)}
        members = {path.partition(".")[0] for path in {*used, *conditions}}
        assert members <= set(kind.__struct_encode_fields__), tag


@each_language
@each_record
def test_every_golden_record_is_told_to_its_end(path: Path, language: str) -> None:
    film = Film(golden(path), RULESETS, Perspective(None, everything=True), language)
    for scene in film:
        assert scene.headline
        for sentence in scene.sentences:
            assert sentence[-1] in ".!", sentence
            assert not LEFT_OPEN.search(sentence), sentence
    assert len(film) == len(golden(path)["entries"])


@pytest.mark.parametrize("viewer", [None, 0, 1])
@pytest.mark.parametrize("ruleset", ["babel", "aton", "temple_of_five", "sa_re"])
def test_what_a_viewer_did_not_see_is_not_told(ruleset: str, viewer: int | None) -> None:
    for path in (HERE / ruleset).glob("*.json"):
        if path in RECORDS:
            for scene in Film(golden(path), RULESETS, Perspective(viewer), "fr"):
                assert not any(LEFT_OPEN.search(sentence) for sentence in scene.sentences)


def test_a_hand_is_told_to_its_owner_alone() -> None:
    drawn = {"type": "nations_drawn", "seat": 0, "nations": ["medes", "persians"], "count": 2}
    assert teller("babel").fact(drawn) == "Ada draws Medes and Persians."
    assert teller("babel").fact({**drawn, "nations": None}) == "Ada draws 2 nation cards, unseen by others."
    dark = {"type": "card_drawn", "seat": 1, "card": None, "zone": "temple", "dark": True}
    assert teller("sa_re").fact(dark) == "In the Temple Ben looks at something hidden."


def test_one_and_several_are_told_apart_in_the_manner_of_each_language() -> None:
    def scored(points: int, language: str) -> str:
        fact = {"type": "points_scored", "seat": 0, "points": points, "source": "cartouche_1", "score": 9}
        return teller("aton", language).fact(fact)

    assert "scores 1 point at" in scored(1, "en")
    assert "scores 0 points at" in scored(0, "en")
    assert "marque 0 point (" in scored(0, "fr")
    assert "marque 2 points (" in scored(2, "fr")


def test_the_end_tells_who_won_why_and_with_how_much() -> None:
    outcome = {
        "winners": [0, 1],
        "reason": "temple_pile_empty",
        "scores": [3, 3],
        "tiebreak": "shared",
    }
    told = teller("babel").fact({"type": "game_ended", "outcome": outcome})
    assert told == (
        "The game is over, and Ada and Ben have won: the temple pile is exhausted, then shared win. "
        "Scores: Ada 3; Ben 3."
    )
    alone = {**outcome, "winners": [1], "tiebreak": None}
    told = teller("babel", "fr").fact({"type": "game_ended", "outcome": alone})
    assert told.startswith("La partie est finie et Ben l'emporte : la pile Temple est épuisée. Scores")
    nobody = {**outcome, "winners": [], "tiebreak": None}
    assert "nobody has won" in teller("babel").fact({"type": "game_ended", "outcome": nobody})


def test_a_name_stands_as_its_bearer_writes_it_and_a_seat_without_one_has_its_number() -> None:
    told = Teller(RULESETS.latest("babel"), "en", ["ada", None])
    assert told.fact({"type": "turn_ended", "seat": 0, "turn": 3}) == "ada ends turn 3."
    assert told.fact({"type": "turn_ended", "seat": 1, "turn": 4}) == "Seat 1 ends turn 4."


@pytest.mark.parametrize(
    ("actor", "said"),
    [
        ({"seat": 0}, "Ada"),
        ({"host": "club"}, "the host club"),
        ({"operator": True}, "an operator"),
        ({"anonymous": True}, "somebody"),
        ({"system": "clock"}, "the clock"),
        ({"system": "worker"}, "the server"),
    ],
)
def test_everyone_who_acts_has_a_name(actor: dict[str, Any], said: str) -> None:
    assert teller("babel").actor(actor) == said


def test_a_fact_without_a_sentence_is_said_aloud() -> None:
    toy = Teller(Lanterns(), "en", PLAYERS)
    with pytest.raises(Untold, match="card_laid"):
        toy.fact({"type": "card_laid", "seat": 0, "card": 3})


def test_both_languages_tell_the_same_things() -> None:
    for ruleset in RULESETS:
        assert ruleset.sentences["en"].keys() == ruleset.sentences["fr"].keys()
    for part in ("words", "facts", "entries"):
        assert COMMON["en"][part].keys() == COMMON["fr"][part].keys()
