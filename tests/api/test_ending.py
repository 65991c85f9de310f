"""Ending games from outside: called off by their creators, judged by their hosts."""

from typing import Any

import pytest

from tests.api.client import CLUB, OPERATOR, SCHOOL, Api, Table, new_game

STRONG_KEY = "a-key-that-nobody-guesses"
WHY = "Ben's connection was lost; both agreed."


# -- called off by the creator ------------------------------------------------------------------------------------------


@pytest.fixture
def mine(api: Api) -> Table:
    """A game that Ada created without a token, sitting in it; Ben sat down later."""
    game = new_game(api, "lanterns", ["Ada"], token=None, seats=3)
    game.tokens[1] = game.post("/seats", {"name": "Ben"}).json["token"]
    return game


def test_the_seat_that_created_a_game_calls_it_off_before_the_start(mine: Table) -> None:
    answer = mine.post("/abort", token=mine.token(0))
    assert (answer.status, answer.json["status"], answer.json["abort_reason"]) == (
        201,
        "aborted",
        "by_creator",
    )
    assert mine.get("/events").json["items"][-1]["actor"] == {"seat": 0}
    again = mine.post("/abort", token=mine.token(0))
    assert (again.status, again.code) == (409, "game_over")
    mine.settle()
    assert mine.get("/audit").json["verdict"] == "pass"


def test_a_repeated_call_off_is_answered_as_the_first(mine: Table) -> None:
    first, again = (mine.post("/abort", token=mine.token(0), Idempotency_Key="off") for _ in range(2))
    assert (again.body, again.headers["idempotent-replayed"]) == (first.body, "true")


def test_nobody_who_came_later_may(mine: Table) -> None:
    head = mine.head
    refused = [mine.post("/abort", token=token) for token in (mine.token(1), SCHOOL, None)]
    assert [answer.status for answer in refused] == [403, 403, 401]
    assert mine.head == head


def test_nor_the_creator_once_it_has_started_or_someone_else_sits_there(mine: Table) -> None:
    mine.leave(0, mine.token(0))
    mine.tokens[0] = mine.post("/seats", {"name": "Zoe"}).json["token"]
    assert mine.post("/abort", token=mine.token(0)).code == "forbidden"
    started = new_game(mine.api, "lanterns", token=None)
    assert started.post("/abort", token=started.token(0)).code == "forbidden"


def test_players_whom_a_host_has_named_did_not_create_the_game(api: Api) -> None:
    game = new_game(api, "lanterns", ["Ada"], seats=3)
    assert game.post("/abort", token=game.token(0)).code == "forbidden"


# -- judged -------------------------------------------------------------------------------------------------------------


def judge(game: Table, token: str | None = CLUB, **members: Any) -> Any:
    return game.post("/adjudication", {"winners": [1], "why": WHY} | members, token)


@pytest.mark.parametrize("token", [CLUB, OPERATOR])
def test_a_running_game_is_judged_by_its_host_or_an_operator(api: Api, token: str) -> None:
    game = new_game(api, "babel")
    answer = judge(game, token)
    assert (answer.status, answer.json["status"], answer.json["to_act"]) == (201, "ended", [])
    assert answer.json["outcome"]["winners"] == [1]
    assert answer.json["outcome"]["reason"] == "adjudicated"
    event = game.get("/events").json["items"][-1]
    assert (event["type"], event["data"]["why"]) == ("game_adjudicated", WHY)
    game.settle()
    assert game.get("/audit").json["verdict"] == "pass"


def test_a_judgement_may_be_retried(api: Api) -> None:
    game, body = new_game(api, "babel"), {"winners": [0, 1], "why": WHY}
    first, again = (game.post("/adjudication", body, CLUB, Idempotency_Key="judged") for _ in range(2))
    assert (first.status, again.body) == (201, first.body)
    assert again.headers["idempotent-replayed"] == "true"
    other = {"winners": [0], "why": WHY}
    assert game.post("/adjudication", other, CLUB, Idempotency_Key="judged").code == "idempotency_key_reused"


def test_nobody_else_judges(api: Api) -> None:
    game = new_game(api, "babel")
    assert [judge(game, token).status for token in (game.token(0), SCHOOL, None)] == [403, 403, 401]
    hidden = new_game(api, "babel", private=True)
    assert judge(hidden, SCHOOL).code == "game_not_found"


@pytest.mark.parametrize(
    "wrong",
    [
        {"winners": []},
        {"winners": [1, 0]},
        {"winners": [0, 0]},
        {"winners": [2]},
        {"winners": [-1]},
        {"winners": ["0"]},
        {"winners": None},
        {"why": ""},
        {"why": "x" * 201},
        {"why": "right\u202eleft"},
        {"why": "a\nb"},
        {"why": 7},
        {"reason": "none"},
    ],
    ids=str,
)
def test_a_judgement_that_is_none_is_refused(quiet_api: Api, wrong: Any) -> None:
    game = new_game(quiet_api, "babel")
    head = game.head
    assert (judge(game, **wrong).status, judge(game, **wrong).code) == (422, "invalid_request")
    assert game.head == head


def test_who_has_withdrawn_cannot_win(api: Api) -> None:
    game = new_game(api, "lanterns")
    game.post("/resignation", token=game.token(1))
    assert judge(game).code == "invalid_request"
    assert judge(game, winners=[0, 2]).status == 201


def test_only_a_running_game_is_judged(api: Api) -> None:
    waiting = new_game(api, "babel", ["Ada"], seats=2)
    assert (judge(waiting).status, judge(waiting).code) == (409, "game_not_started")
    over = new_game(api, "babel")
    judge(over)
    assert (judge(over).status, judge(over).code) == (409, "game_over")
