"""Guides and lessons over HTTP: what is served, and games that start from a lesson."""

from typing import Any

import pytest

from events.clocks import called_off
from games import RULESETS
from tests.api.client import CLUB, Api, Table
from tests.api.conftest import MakeApi

NAMES = sorted({ruleset.name for ruleset in RULESETS})
LESSON = {"ruleset": "babel", "lesson": "first_temples", "players": [{"name": "Ann"}, {"name": "Guide"}]}


def start(api: Api, token: str | None = None, **more: Any) -> Any:
    return api.post("/v1/games", {**LESSON, **more}, token)


# -- serving ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", NAMES)
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_game_serves_its_guide_and_lessons_in_both_languages(
    quiet_api: Api, ruleset: str, lang: str
) -> None:
    guide = quiet_api.get(f"/v1/rulesets/{ruleset}/guide?lang={lang}").json
    assert (guide["game"], guide["language"]) == (ruleset, lang)
    lessons = quiet_api.get(f"/v1/rulesets/{ruleset}/lessons?lang={lang}").json["items"]
    written = RULESETS.latest(ruleset).lessons(lang)
    assert [(each["id"], each["title"]) for each in lessons] == [(each.id, each.title) for each in written]


@pytest.mark.parametrize("what", ["guide", "lessons"])
def test_caches_may_keep_them(quiet_api: Api, what: str) -> None:
    path = f"/v1/rulesets/aton/{what}"
    first = quiet_api.get(path)
    assert first.headers["cache-control"].startswith("public")
    assert quiet_api.get(path, If_None_Match=first.headers["etag"]).status == 304
    assert quiet_api.get(f"{path}?lang=fr", If_None_Match=first.headers["etag"]).status == 200


@pytest.mark.parametrize("what", ["guide", "lessons"])
def test_a_game_or_a_language_that_is_not_there_is_refused(quiet_api: Api, what: str) -> None:
    assert quiet_api.get(f"/v1/rulesets/chess/{what}").code == "unknown_ruleset"
    assert quiet_api.get(f"/v1/rulesets/aton/{what}?lang=de").code == "invalid_request"


def test_a_game_without_a_guide_says_so(quiet_api: Api) -> None:
    assert quiet_api.get("/v1/rulesets/lanterns/guide").code == "not_found"
    assert quiet_api.get("/v1/rulesets/lanterns/lessons").json["items"] == []


# -- playing ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", NAMES)
def test_every_lesson_is_played_over_http(make_api: MakeApi, ruleset: str) -> None:
    api = make_api(create="host")
    for lesson in api.get(f"/v1/rulesets/{ruleset}/lessons").json["items"]:
        players = [{"name": f"Player {seat}"} for seat in range(lesson["seats"])]
        body = {"ruleset": ruleset, "lesson": lesson["id"], "players": players, "private": True}
        answer = api.post("/v1/games", body)
        assert answer.status == 201, answer
        table = Table(api, answer.json)
        for step in lesson["steps"]:
            if step.get("do"):
                wanted = step["do"][0].items()
                action = next(each for each in table.legal(0) if wanted <= each.items())
                assert table.act(0, action).status == 201
            for move in step.get("then", ()):
                assert table.act(move["seat"], move["action"]).status == 201


def test_a_lesson_is_open_to_everyone_but_no_other_position_is(make_api: MakeApi) -> None:
    api = make_api(create="host")
    assert start(api).status == 201
    position = RULESETS.latest("babel").lessons("en")[0].position
    for body in ({"position": position}, {}):
        assert api.post("/v1/games", {"ruleset": "babel", **body}).code == "unauthorized"
    players = [{"bot": "random"}] * 2
    assert start(api, players=players).code == "unauthorized", "bots alone"
    assert start(api, CLUB, players=players).status == 201


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"lesson": "no_such_lesson"}, "invalid_position"),
        ({"lesson": 7}, "invalid_request"),
        ({"position": {}}, "invalid_request"),
        ({"seed": "00" * 32}, "invalid_request"),
        ({"options": {"edition": 2013}}, "invalid_request"),
        ({"clock": {"turn_seconds": 5}}, "invalid_request"),
        ({"players": [{"name": "Ann"}] * 3}, "invalid_seats"),
    ],
    ids=str,
)
def test_what_does_not_fit_a_lesson_is_refused(quiet_api: Api, more: Any, code: str) -> None:
    assert start(quiet_api, CLUB, **more).code == code


def test_lessons_do_not_count_as_unfinished_games(make_api: MakeApi) -> None:
    api = make_api(unfinished_games=1)
    assert [start(api).status for _ in range(3)] == [201] * 3
    assert [api.post("/v1/games", {"ruleset": "babel"}).status for _ in range(2)] == [201, 429]


def test_a_lesson_that_nobody_plays_for_an_hour_is_abandoned(quiet_api: Api) -> None:
    ledger = quiet_api.context.ledger
    playing = ledger.get(start(quiet_api).json["id"]).game
    waiting = ledger.get(start(quiet_api, players=[{"name": "Ann"}]).json["id"]).game
    for game, reason in ((playing, "abandoned"), (waiting, "never_filled")):
        off = called_off(game, ledger.patience)
        assert off is not None
        assert (off.reason, off.limit) == (reason, 3600)


def test_a_lesson_stays_out_of_results(api: Api) -> None:
    table = Table(api, start(api, CLUB).json)
    assert table.post("/resignation", token=table.token(0)).status == 201
    table.settle()
    api.project(table.id)
    assert api.get("/v1/results").json["items"] == []


# -- at a glance ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", NAMES)
def test_a_game_shows_its_board_and_says_at_a_glance_what_it_is(quiet_api: Api, ruleset: str) -> None:
    (about,) = (each for each in quiet_api.get("/v1/rulesets").json["items"] if each["id"] == ruleset)
    guide = quiet_api.get(f"/v1/rulesets/{ruleset}/guide?lang=fr").json
    assert about["guide"]["about"]["fr"] == guide["about"]
    assert (about["guide"]["minutes"], about["guide"]["weight"]) == (guide["minutes"], guide["weight"])
    board = quiet_api.get(f"/v1/rulesets/{ruleset}/board.svg?theme=dark")
    assert board.headers["content-type"].startswith("image/svg+xml")
    assert "sandbox" in board.headers["content-security-policy"]
    assert quiet_api.get("/v1/rulesets/lanterns/board.svg").code == "not_found"
