"""Games told in sentences: in both languages, to the end, and with nothing given away."""

import re
from pathlib import Path
from typing import Any

import pytest

from games import RULESETS
from games.kernel import BOT_LEVELS, Ruleset
from games.toy import LANTERNS
from replays.frames import Perspective
from replays.narration import COMMON_SENTENCES, LANGUAGES, NoSentence, Teller, narration_words, teller_of
from services.cli.film import Film
from tests.golden.records import HERE, RECORDS, golden

PLAYERS = ("Ada", "Ben", "Cleo", "Dora")
LEFT_OPEN = re.compile(
    r"[{}|]|None|null|\b[a-z]+_[a-z0-9_]+\b|\b[dt]\d-?\d\d?\b|something hidden|de caché| {2}|\.\."
)
"""What only a machine would say."""

each_language = pytest.mark.parametrize("language", LANGUAGES)
each_ruleset = pytest.mark.parametrize("ruleset", list(RULESETS), ids=lambda ruleset: ruleset.name)
each_record = pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.name}/{path.stem}")


def teller(ruleset: str, language: str = "en") -> Teller:
    return teller_of(RULESETS.latest(ruleset), language, PLAYERS)


def templates(sentence: Any) -> list[str]:
    """Every text of a template."""
    return (
        [sentence]
        if isinstance(sentence, str)
        else [text for case in sentence for text in templates(_text(case))]
    )


def _text(case: Any) -> Any:
    return case if isinstance(case, str) else case[1]


def conditions(sentence: Any) -> set[str]:
    """Every path that chooses between the texts of a template."""
    return set() if isinstance(sentence, str) else {path for case in sentence[:-1] for path in case[0]}


def paths(sentence: Any) -> set[str]:
    """Every path that a template looks up."""
    return conditions(sentence) | {
        path for text in templates(sentence) for path in re.findall(r"\{([^{}:]+)", text)
    }


@each_language
@each_ruleset
def test_every_fact_has_a_sentence_and_every_sentence_a_fact(
    ruleset: Ruleset[Any, Any], language: str
) -> None:
    kinds = {str(kind.__struct_config__.tag) for kind in ruleset.fact_types}
    own = {kind for kind in ruleset.words[language].sentences if not kind.startswith((".", "changed:"))}
    assert own <= kinds
    assert kinds <= own | set(COMMON_SENTENCES[language]["sentences"])


@each_language
@each_ruleset
def test_sentences_name_only_what_their_facts_have(ruleset: Ruleset[Any, Any], language: str) -> None:
    sentences = narration_words(ruleset, language).sentences
    for kind in ruleset.fact_types:
        tag = str(kind.__struct_config__.tag)
        looked_up = paths(sentences[tag])
        assert {path for path in looked_up if path.startswith(".")} <= sentences.keys()
        members = {path.partition(".")[0] for path in looked_up if path[0] not in ".0123456789"}
        assert members <= {*kind.__struct_encode_fields__, "view", "before"}, tag


@each_language
@each_ruleset
def test_every_part_of_a_sentence_is_used(ruleset: Ruleset[Any, Any], language: str) -> None:
    sentences = ruleset.words[language].sentences
    texts = " ".join(text for sentence in sentences.values() for text in templates(sentence))
    for part in (key for key in sentences if key.startswith(".")):
        assert f"{{{part}}}" in texts or f":each {part}}}" in texts, part


@each_language
@each_record
def test_every_golden_record_is_told_to_its_end(path: Path, language: str) -> None:
    film = Film(golden(path), RULESETS, Perspective(None, everything=True), language)
    for scene in film:
        assert scene.headline
        for sentence in scene.sentences:
            assert sentence[-1] in ".!”", sentence
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
    assert teller("babel").fact(drawn) == "Ada draws one Mede and one Persian."
    assert teller("babel").fact({**drawn, "nations": None}) == "Ada draws two nation cards."
    dark = {"type": "card_drawn", "seat": 1, "card": None, "zone": "temple", "dark": True}
    assert teller("sa_re").fact(dark) == "In the Temple, Ben looks at a card in secret."


def test_one_and_several_are_told_apart_in_the_manner_of_each_language() -> None:
    def scored(points: int, language: str) -> str:
        fact = {"type": "points_scored", "seat": 0, "points": points, "source": "cartouche_1", "score": 9}
        return teller("aton", language).fact(fact)

    assert "scores one point at cartouche 1 and now has 9" in scored(1, "en")
    assert "scores two points at" in scored(2, "en")
    assert "marque un point au cartouche 1 et en a maintenant 9" in scored(1, "fr")
    assert "marque deux points au" in scored(2, "fr")


def test_the_end_tells_who_won_why_and_with_how_much() -> None:
    outcome = {
        "winners": [0, 1],
        "reason": "temple_pile_empty",
        "scores": [3, 3],
        "tiebreak": "shared",
    }
    sentence = teller("babel").fact({"type": "game_ended", "outcome": outcome})
    assert sentence == (
        "The game is over: the temple pile is exhausted; everything is level, and the win is shared. "
        "Ada and Ben have won. Scores: Ada 3; Ben 3."
    )
    alone = {**outcome, "winners": [1], "tiebreak": None}
    sentence = teller("babel", "fr").fact({"type": "game_ended", "outcome": alone})
    assert sentence.startswith("La partie est finie\u00a0: la pile Temple est épuisée. Ben l'emporte. Scores")
    nobody = {**outcome, "winners": [], "tiebreak": None}
    assert "Nobody has won" in teller("babel").fact({"type": "game_ended", "outcome": nobody})


def test_a_name_stands_as_its_bearer_writes_it_and_a_seat_without_one_has_its_number() -> None:
    narrator = teller_of(RULESETS.latest("babel"), "en", ["ada", None])
    assert (
        narrator.fact({"type": "discard_demanded", "seat": 0, "victim": 0, "count": 3})
        == "ada has to discard three cards."
    )
    assert (
        narrator.fact({"type": "discard_demanded", "seat": 0, "victim": 1, "count": 1})
        == "Seat 1 has to discard one card."
    )


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "temple 4 (3 to 1) gives nothing, for whoever leads there holds no blue space; "),
        (
            "fr",
            "le temple 4 (3 contre 1) ne rapporte rien, car le joueur majoritaire n'y occupe aucune case bleue\u00a0; ",
        ),
    ],
)
def test_a_lead_in_temple_4_without_a_blue_space_is_told_as_such(language: str, said: str) -> None:
    lines = [
        {"line": "temple_4", "counts": [3, 1], "points": [0, 0]},
        {"line": "temple_1", "counts": [1, 1], "points": [0, 0]},
    ]
    narrator = teller_of(RULESETS.latest("aton"), language, PLAYERS)
    assert said in narrator.fact({"type": "temples_scored", "lines": lines, "scores": [0, 0]})


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "everyone else has left the game; everything is level, and the win is shared. Ana and Omar have won."),
        ("fr", "tous les autres ont quitté la partie\u00a0; l'égalité est complète et la victoire partagée. Ana et Omar l'emportent."),
    ],
)  # fmt: skip
def test_two_who_are_left_may_share_the_win(language: str, said: str) -> None:
    outcome = {"reason": "last_player", "tiebreak": "shared", "winners": [0, 1], "scores": [1, 1, 0]}
    narrator = teller_of(RULESETS.latest("sa_re"), language, ["Ana", "Omar", "Béa"])
    assert said in narrator.fact({"type": "game_ended", "outcome": outcome})


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
    toy = teller_of(LANTERNS, "en", PLAYERS)
    with pytest.raises(NoSentence, match="lantern_lit"):
        toy.fact({"type": "lantern_lit", "seat": 0})


def test_both_languages_tell_the_same_things() -> None:
    for ruleset in RULESETS:
        assert ruleset.words["en"].sentences.keys() == ruleset.words["fr"].sentences.keys()
    for part in ("nouns", "sentences"):
        assert COMMON_SENTENCES["en"][part].keys() == COMMON_SENTENCES["fr"][part].keys()


@each_language
def test_a_bot_of_every_level_has_a_noun(language: str) -> None:
    assert {f"bot.{level}" for level in BOT_LEVELS} <= COMMON_SENTENCES[language]["nouns"].keys()
