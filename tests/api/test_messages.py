"""What a refusal says is enough to do it right the next time."""

from typing import Any

import pytest

from tests.api.client import CLUB, Api, Table, new_game
from tests.api.refusals import assert_problem

NATIONS = "assyrians, hittites, medes, persians, sumerians"


def test_an_action_with_a_value_that_is_none_is_told_the_values(quiet_api: Api) -> None:
    game = new_game(quiet_api, "babel")
    detail = assert_problem(game.act(0, {"type": "travel", "site": "x"}), 422, "malformed_action")["detail"]
    assert detail == f"`travel`: `site` is one of: {NATIONS}; not 'x'."
    detail = game.act(0, {"type": "discard", "nations": ["medes", "x"]}).json["detail"]
    assert detail == f"`discard`: `nations[1]` is one of: {NATIONS}; not 'x'."


def test_so_are_options_and_positions(quiet_api: Api) -> None:
    options = quiet_api.post("/v1/games", {"ruleset": "babel", "options": {"edition": "1999"}}, CLUB)
    assert assert_problem(options, 422, "invalid_options")["detail"].endswith(
        "`edition` is one of: 2000, 2013; not '1999'."
    )
    position = {"players": [{"pawn": "x"}, {}]}
    wrong = quiet_api.post("/v1/games", {"ruleset": "babel", "position": position}, CLUB)
    assert f"is one of: {NATIONS}" in assert_problem(wrong, 422, "invalid_position")["detail"]


@pytest.mark.parametrize(
    ("path", "known"),
    [("/v1/games?status=x", "open, playing, ended"), ("/v1/games?limit=1&status=", "open, playing, ended")],
)
def test_so_are_parameters(quiet_api: Api, path: str, known: str) -> None:
    body = assert_problem(quiet_api.get(path), 422, "invalid_request")
    assert body["detail"] == f"`status` is one of: {known}."
    assert body["errors"] == {"query": {"status": [f"Must be one of: {known}."]}}


@pytest.mark.parametrize(
    ("path", "known"),
    [
        ("?view=half", "full"),
        ("/board.svg?lang=de", "en, fr"),
        ("/board.svg?theme=x", "light, dark"),
        ("/events?frames=1", "true, false"),
    ],
)
def test_so_are_parameters_of_a_game(quiet_api: Api, path: str, known: str) -> None:
    game = new_game(quiet_api, "babel")
    assert assert_problem(game.get(path), 422, "invalid_request")["detail"].endswith(f"is one of: {known}.")


def test_so_are_members_of_a_body(quiet_api: Api) -> None:
    players: list[Any] = [{"bot": "deep blue"}, {"name": "Ada"}]
    answer = quiet_api.post("/v1/games", {"ruleset": "babel", "players": players}, CLUB)
    errors = assert_problem(answer, 422, "invalid_request")["errors"]
    assert errors == {
        "json": {"players": {"0": {"bot": ["Must be one of: random, greedy, keen, strong, master."]}}}
    }


def test_who_acts_out_of_turn_is_told_whose_turn_it_is(quiet_api: Api) -> None:
    game = new_game(quiet_api, "babel")
    body = assert_problem(game.act(1, {"type": "end_turn"}), 409, "not_your_turn")
    assert body["detail"] == "It is not your turn. To act now: seat 0."
    together: Table = new_game(quiet_api)
    together.act(1, together.legal(1)[0])
    body = assert_problem(together.act(1, {"type": "lay", "card": 1}), 409, "not_your_turn")
    assert body["detail"] == "It is not your turn. To act now: seat 0, seat 2."
    body = together.act(1, {"type": "lay", "card": 1}, Accept_Language="fr").json
    assert body["detail"] == "Ce n'est pas à vous de jouer. À jouer maintenant : place 0, place 2."


@pytest.mark.parametrize("path", ["/nothing", "/v1/", "/v1/game", "/v1/games/", "/v1/rulesets/babel/more"])
def test_where_there_is_nothing_it_is_we_who_say_so(quiet_api: Api, path: str) -> None:
    body = assert_problem(quiet_api.get(path), 404, "not_found")
    assert body["detail"] == "There is nothing at this address; `/docs` shows what there is."


def test_a_method_that_is_not_taken_is_told_which_are(quiet_api: Api) -> None:
    answer = quiet_api.send("DELETE", "/v1/games")
    assert (
        assert_problem(answer, 405, "method_not_allowed")["detail"]
        == "This address does not take DELETE, but GET, POST."
    )
    assert {each.strip() for each in answer.headers["allow"].split(",")} >= {"GET", "POST"}
