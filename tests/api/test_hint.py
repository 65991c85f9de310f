"""Hints over HTTP: who may ask, how one is waited for, and that it holds for one version alone."""

from collections.abc import Callable
from typing import Any

import pytest

from games.kernel import SEARCHING
from services.worker.hint_job import make_hints
from tests.api.client import CLUB, OPERATOR, SCHOOL, Api, Table, new_game

BOT = {"bot": "random"}
Work = Callable[[Table], None]


@pytest.fixture
def work(api: Api, monkeypatch: pytest.MonkeyPatch) -> Work:
    """Does what a thinker does, in less time."""
    monkeypatch.setitem(SEARCHING, "strong", 0.05)

    def make(game: Table) -> None:
        make_hints(api.context.ledger, game.id)

    return make


@pytest.fixture
def game(api: Api) -> Table:
    """Ada plays against a bot, and begins."""
    return against_bots(api)


def against_bots(api: Api, players: Any = ("Ada", BOT), **more: Any) -> Table:
    return new_game(api, "babel", players, options={"begins": 0}, **more)


def test_a_hint_is_asked_for_waited_for_and_read(game: Table, work: Work) -> None:
    token = game.token(0)
    asked = game.post("/hint", token=token)
    assert (asked.status, asked.json) == (202, {"status": "waiting"})
    assert (game.get("/hint", token).status, game.get("/hint", token).json) == (202, {"status": "waiting"})
    work(game)
    made = game.get("/hint", token)
    assert (made.status, made.json.keys()) == (200, {"action", "label"})
    assert made.json["action"] in game.legal(0)
    assert game.post("/actions/check", made.json["action"], token).json["legal"]


def test_a_hint_is_told_in_the_language_of_who_reads_it(game: Table, work: Work) -> None:
    game.post("/hint", token=game.token(0))
    work(game)
    english, french = (game.get(f"/hint?lang={lang}", game.token(0)).json["label"] for lang in ("en", "fr"))
    assert english
    assert french not in ("", english)
    assert game.get("/hint", game.token(0), Accept_Language="fr").json["label"] == french
    assert game.get("/hint?lang=de", game.token(0)).code == "invalid_request"


def test_to_ask_again_changes_nothing(api: Api, game: Table, work: Work) -> None:
    for _ in range(3):
        assert game.post("/hint", token=game.token(0)).status == 202
    assert [request.game for request in api.context.hints.under_way()] == [game.id]
    work(game)
    first = game.get("/hint", game.token(0)).body
    assert game.post("/hint", token=game.token(0)).status == 202
    assert api.context.hints.under_way() == []
    assert game.get("/hint", game.token(0)).body == first


def test_a_hint_is_gone_with_the_version_that_it_was_made_for(game: Table, work: Work) -> None:
    token = game.token(0)
    game.post("/hint", token=token)
    work(game)
    assert game.get("/hint", token).status == 200
    going_on = next(action for action in game.legal(0) if action["type"] != "end_turn")
    assert game.act(0, going_on).status == 201
    assert (game.get("/hint", token).status, game.get("/hint", token).code) == (404, "no_hint")


def test_a_hint_that_was_asked_for_before_the_game_went_on_is_not_made(
    api: Api, game: Table, work: Work
) -> None:
    game.post("/hint", token=game.token(0))
    game.play()
    work(game)
    assert api.context.hints.under_way() == []
    assert game.get("/hint", game.token(0)).status in (404, 409)


def test_nobody_else_gets_a_hint(game: Table, work: Work) -> None:
    game.post("/hint", token=game.token(0))
    work(game)
    for token, code in ((None, "unauthorized"), (SCHOOL, "forbidden"), (CLUB, "forbidden")):
        assert game.get("/hint", token).code == game.post("/hint", token=token).code == code
    assert game.get("/hint", OPERATOR).code == "forbidden"
    ticket = game.post("/tickets", token=game.token(0)).json["ticket"]
    assert game.get(f"/hint?ticket={ticket}").status == 422


def test_where_another_person_plays_there_are_no_hints(api: Api) -> None:
    game = against_bots(api, ("Ada", "Ben"))
    assert game.post("/hint", token=game.token(0)).code == "no_hints"
    assert game.get("/hint", game.token(0)).code == "no_hints"
    three = new_game(api, "temple_of_five", ("Ada", BOT, "Cleo"), options={"begins": 0})
    assert three.post("/hint", token=three.token(0)).code == "no_hints"
    assert three.post("/resignation", token=three.token(2)).status == 201
    assert three.post("/hint", token=three.token(0)).code == "no_hints", "a person sat there"


def test_a_hint_is_for_a_seat_that_is_to_act(api: Api, game: Table) -> None:
    waiting = against_bots(api, (BOT, "Ada"))
    assert waiting.post("/hint", token=waiting.token(1)).code == "not_your_turn"
    assert "à vous" in waiting.get("/hint", waiting.token(1), Accept_Language="fr").json["detail"]
    unseated = new_game(api, "babel", 1, seats=2)
    assert unseated.post("/hint", token=unseated.token(0)).code == "game_not_started"
    timed = against_bots(api, clock={"turn_seconds": 60})
    assert timed.post("/pause", token=CLUB).status == 201
    assert timed.post("/hint", token=timed.token(0)).code == "paused"
    assert game.post("/resignation", token=game.token(0)).status == 201
    assert game.post("/hint", token=game.token(0)).code == "seat_withdrawn"


def test_where_none_was_asked_for_it_is_said_how_to_ask(game: Table) -> None:
    answer = game.get("/hint", game.token(0))
    assert (answer.status, answer.code) == (404, "no_hint")
    assert "POST" in answer.json["detail"]


def test_a_private_game_gives_no_hint_away(api: Api) -> None:
    game = against_bots(api, private=True)
    assert game.get("/hint").code == game.post("/hint").code == "game_not_found"
    assert game.post("/hint", token=game.token(0)).status == 202
