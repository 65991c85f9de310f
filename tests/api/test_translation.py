"""Refusals in the caller's language: the code stays, and no language tells more than another."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from games import RULESETS
from replays.narration import narration_words
from services.api.problems import STATUS
from services.api.translation import PROBLEMS
from tests.api.client import Api, Table, new_game

FRENCH = {"Accept_Language": "fr"}
ROOT = Path(__file__).parents[2]
CODE_AND_SENTENCE = re.compile(r'[A-Z]\w+\(\s*"([a-z]+_[a-z_]+)",\s*f?"[A-Z`]')
NEVER_SENT = {"joined_already", "nobody_is_late", "not_late", "nothing_to_settle"}
"""What workers say to each other."""
BEGUN = {"turn": 5, "players": [{"hand": ["medes", "persians"], "pawn": "medes"}, {"hand": ["medes"]}]}


@pytest.fixture
def babel(api: Api) -> Table:
    """A game of Babel in which seat 0 is to act, its pawn at the Medes."""
    return new_game(api, "babel", position=BEGUN)


def test_what_the_rules_refuse_is_said_in_french_with_the_same_code(babel: Table) -> None:
    action = {"type": "travel", "site": "medes"}
    english, french = babel.act(0, action), babel.act(0, action, **FRENCH)
    assert (english.status, english.code) == (french.status, french.code) == (409, "already_there")
    assert english.json["detail"] == "Your pawn already stands at that site."
    assert french.json["detail"] == "Votre pion est déjà sur ce chantier."
    assert (english.json["title"], french.json["title"]) == ("Conflict", "Conflit")
    assert english.json | {"detail": "", "title": ""} == french.json | {"detail": "", "title": ""}


def test_problems_vary_by_language_and_say_which_they_are_in(babel: Table) -> None:
    action = {"type": "travel", "site": "medes"}
    for headers, language in (({}, "en"), (FRENCH, "fr")):
        answer = babel.act(0, action, **headers)
        assert "Accept-Language" in answer.headers["vary"]
        assert answer.headers["content-language"] == language


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("fr-CA, en;q=0.5", "fr"),
        ("en, fr;q=0.9", "en"),
        ("de, fr;q=0.3", "fr"),
        ("fr;q=0, en", "en"),
        ("*", "en"),
        ("de", "en"),
        ("", "en"),
        ("fr;q=x, \x7f", "en"),
    ],
)
def test_the_first_language_that_the_caller_reads_is_taken(api: Api, header: str, language: str) -> None:
    assert api.get("/v1/games/none", Accept_Language=header).headers["content-language"] == language


def test_a_dry_run_and_a_list_that_stops_say_why_in_french(babel: Table) -> None:
    wrong = {"type": "travel", "site": "medes"}
    token = babel.token(0)
    dry = babel.post("/actions?dry_run=true", wrong, token, **FRENCH).json
    assert dry == {"legal": False, "code": "already_there", "detail": "Votre pion est déjà sur ce chantier."}
    stopped = babel.act(0, [{"type": "deploy", "nation": "medes"}, wrong], **FRENCH).json["stopped"]
    assert stopped == {"index": 1, "code": "already_there", "detail": "Votre pion est déjà sur ce chantier."}
    late = babel.post("/actions?dry_run=true", {"type": "end_turn"}, babel.token(1), **FRENCH).json
    assert late["detail"] == "Ce n'est pas à vous de jouer. À jouer maintenant : place 0."


def test_a_refusal_may_name_what_the_caller_sent(api: Api) -> None:
    game = new_game(api, "aton", position={"phase": "place", "round": 2, "first_seat": 0, "active_seat": 0, "players": [{"cartouches": [2, 1, 3, 3]}, {"cartouches": [2, 2, 1, 1]}]})  # fmt: skip
    refused = game.act(0, {"type": "place", "space": "t9-99"}, **FRENCH)
    assert refused.json["detail"] == "Il n'y a pas de case «\u00a0t9-99\u00a0» sur ce plateau."


def test_what_is_technical_keeps_its_particulars(babel: Table) -> None:
    detail = babel.act(0, {"type": "travel"}, **FRENCH).json["detail"]
    assert detail.startswith("Cette action est mal formée\u00a0: «\u00a0`travel`: ")


def test_the_api_itself_speaks_french(api: Api, babel: Table) -> None:
    assert api.get("/v1/games/none", **FRENCH).json["detail"] == "Cette partie n'existe pas."
    assert api.get("/v1/nothing", **FRENCH).json["title"] == "Introuvable"
    conflict = babel.act(0, {"type": "end_turn"}, If_Match='"99.x"', **FRENCH).json
    assert conflict["detail"].endswith("vous attendiez la 99.")
    assert conflict["code"] == "version_conflict"


def test_every_code_of_the_api_has_a_french_sentence_and_every_status_a_title() -> None:
    details = PROBLEMS["fr"]["details"]
    of_the_rules = set(narration_words(RULESETS.latest("babel"), "fr").refusals)
    assert {*STATUS} - details.keys() - of_the_rules == set()
    assert {str(status) for status in {*STATUS.values(), 409}} - PROBLEMS["fr"]["titles"].keys() == set()
    sources = [
        *(ROOT / "services").rglob("*.py"),
        *(ROOT / "events").rglob("*.py"),
        *ROOT.glob("games/kernel/*.py"),
    ]
    texts = [source.read_text(encoding="utf-8") for source in sources if source.is_file()]
    codes = {
        code for text in texts for code in CODE_AND_SENTENCE.findall(text) if not code.startswith("stele_")
    }
    assert len(codes) > 15
    assert codes - details.keys() - of_the_rules - NEVER_SENT == set()


def test_a_ruleset_serves_all_that_telling_it_needs(api: Api) -> None:
    for ruleset in RULESETS:
        shown = api.get(f"/v1/rulesets/{ruleset.name}").json
        assert shown["sentence_format"] == "stele-sentences-1"
        kinds = {str(kind.__struct_config__.tag) for kind in ruleset.fact_types}
        for language in ("en", "fr"):
            assert kinds | {"entry:seat_taken"} <= shown["sentences"][language].keys()
            assert {"game_over", "not_your_turn", "malformed_action"} <= shown["refusals"][language].keys()
            assert "word.hidden" in shown["nouns"][language]
    assert "sentences" not in api.get("/v1/rulesets").json["items"][0]


def test_french_gives_nothing_away_that_english_hides(api: Api) -> None:
    """Two games that differ in what seat 0 cannot see refuse it in the same words."""
    refusals: list[Any] = []
    for hand in (["medes", "medes"], ["persians", "sumerians"]):
        position = {**BEGUN, "players": [BEGUN["players"][0], {"hand": hand}]}  # type: ignore[index]
        game = new_game(api, "babel", position=position)
        refusals.append([game.act(0, action, **FRENCH).body for action in WRONG])
    assert refusals[0] == refusals[1]


WRONG = [
    {"type": "travel", "site": "sumerians"},
    {"type": "deploy", "nation": "hittites"},
    {"type": "build", "source": "opponent"},
    {"type": "migrate", "from": "medes", "to": "medes"},
    {"type": "halve_hand", "run": 0},
    {"type": "discard", "nations": ["medes"]},
    {"type": "none"},
    json.loads('{"type": "travel", "site": 3}'),
]
