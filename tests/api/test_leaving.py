"""Giving up a seat over HTTP: while the game is open, and never twice."""

import pytest

from tests.api.client import CLUB, OPERATOR, SCHOOL, Api, Table, new_game
from tests.api.finished import settled_game

STRONG_KEY = "a-key-that-nobody-guesses"


@pytest.fixture
def game(api: Api) -> Table:
    """A game of the club with one free seat."""
    return new_game(api, "lanterns", ["Ada", "Ben"], seats=3)


def sit(game: Table, seat: int, name: str = "Zoe") -> str:
    return str(game.post("/seats", {"name": name, "seat": seat}).json["token"])


def test_a_seat_gives_itself_up_and_is_free_again(game: Table) -> None:
    answer = game.leave(1, game.token(1))
    left = game.get("/events").json["items"][-1]
    assert (answer.status, answer.json) == (200, {"version": left["seq"], "hash": left["hash"]})
    assert (left["type"], left["actor"], left["data"]) == (
        "seat_left",
        {"seat": 1},
        {"seat": 1, "generation": 1},
    )
    assert game.show()["seats"][1]["name"] is None
    assert "1" not in game.show()["seals"]
    assert game.get("", game.token(1)).code == "unauthorized"


@pytest.mark.parametrize("token", [CLUB, OPERATOR])
def test_its_host_and_an_operator_clear_any_seat_bots_too(game: Table, token: str) -> None:
    assert game.leave(0, token).status == 200
    with_a_bot = new_game(game.api, "lanterns", [{"bot": "greedy"}], seats=3)
    assert with_a_bot.leave(0, token).status == 200
    assert with_a_bot.show()["seats"][0]["bot"] is None


def test_nobody_else_may(game: Table) -> None:
    head = game.head
    assert (game.leave(1, game.token(0)).status, game.leave(1, game.token(0)).code) == (403, "forbidden")
    assert (game.leave(1, SCHOOL).status, game.leave(1, None).status) == (403, 401)
    assert game.leave(7, CLUB).code == "invalid_seats"
    assert game.leave(2, CLUB).code == "invalid_request"
    assert game.head == head


def test_a_seat_cannot_be_left_once_the_game_has_begun(game: Table) -> None:
    sit(game, 2)
    head = game.head
    assert (game.leave(1, game.token(1)).status, game.leave(1, CLUB).code) == (409, "not_open")
    assert game.head == head


def test_a_dead_token_gets_the_first_answer_again_whatever_has_happened_since(game: Table) -> None:
    first = game.leave(1, game.token(1))
    sit(game, 1)
    sit(game, 2)
    game.play(1)
    head = game.head
    again = game.leave(1, game.token(1))
    assert (again.status, again.body, again.headers["idempotent-replayed"]) == (200, first.body, "true")
    assert game.leave(1, game.token(1), Idempotency_Key="some-key").body == first.body
    assert game.leave(0, game.token(1)).status == 401
    assert game.head == head


def test_each_who_left_a_seat_gets_its_own_answer(game: Table) -> None:
    first, second = game.token(1), None
    answers = [game.leave(1, first)]
    second = sit(game, 1)
    answers.append(game.leave(1, second))
    assert [game.leave(1, token).body for token in (first, second)] == [answer.body for answer in answers]
    assert answers[0].body != answers[1].body


def test_a_token_that_was_renewed_is_no_token_that_left(game: Table) -> None:
    old = game.token(1)
    renewed = game.post("/seats/1/token", token=CLUB).json["token"]
    assert game.leave(1, renewed).status == 200
    assert game.leave(1, old).status == 401


def test_a_private_game_answers_who_left_it_and_is_hidden_from_them_else(api: Api) -> None:
    game = new_game(api, "babel", ["Ada"], seats=2, private=True)
    first = game.leave(0, game.token(0))
    assert game.leave(0, game.token(0)).body == first.body
    assert game.get("", game.token(0)).code == "game_not_found"


def test_a_ticket_dies_with_its_seat(game: Table) -> None:
    ticket = game.post("/tickets", token=game.token(1)).json["ticket"]
    assert game.get(f"?ticket={ticket}").json["you"] == 1
    game.leave(1, game.token(1))
    sit(game, 1)
    assert game.get(f"?ticket={ticket}").code == "unauthorized"


def test_the_host_may_retry_with_its_key_on_the_same_seat_alone(game: Table) -> None:
    first = game.leave(1, CLUB, Idempotency_Key="clear-1")
    again = game.leave(1, CLUB, Idempotency_Key="clear-1")
    assert (again.body, again.headers["idempotent-replayed"]) == (first.body, "true")
    assert game.leave(0, CLUB, Idempotency_Key="clear-1").code == "idempotency_key_reused"


def test_the_next_sitter_has_keys_of_its_own(game: Table) -> None:
    """Two people at one seat may choose the same key: each request is its own."""
    game = new_game(game.api, "temple_of_five", ["Ada", "Ben"], seats=4)
    game.post("/seats", {"bot": "greedy", "seat": 2}, game.token(1), Idempotency_Key="bot")
    game.leave(2, CLUB)
    game.leave(1, game.token(1))
    new = sit(game, 1)
    answer = game.post("/seats", {"bot": "greedy", "seat": 2}, new, Idempotency_Key="bot")
    assert answer.status == 201
    assert "idempotent-replayed" not in answer.headers
    again = game.post("/seats", {"bot": "greedy", "seat": 2}, new, Idempotency_Key="bot")
    assert (again.body, again.headers["idempotent-replayed"]) == (answer.body, "true")


def test_a_process_that_has_not_heard_of_it_still_knows_who_calls(game: Table) -> None:
    """The caller's name depends on the log: a process that is behind reads on first."""
    ledger = game.api.context.ledger
    behind = ledger.cached(game.id)
    game.leave(1, game.token(1))
    new = sit(game, 1)
    first = game.post("/seats", {"bot": "greedy", "seat": 2}, new, Idempotency_Key="bot")
    ledger._cache.forget(game.id)
    ledger._cache.keep(game.id, behind, unless=lambda _: False)
    again = game.post("/seats", {"bot": "greedy", "seat": 2}, new, Idempotency_Key="bot")
    assert (again.body, again.headers["idempotent-replayed"]) == (first.body, "true")


def test_a_repeated_creation_gives_nobody_the_name_of_who_came_after(api: Api) -> None:
    body = {"ruleset": "lanterns", "seats": 3, "players": [{"name": "Ada"}]}
    first = api.post("/v1/games", body, Idempotency_Key=STRONG_KEY)
    game = Table(api, first.json)
    game.leave(0, game.token(0))
    sit(game, 0, "Zoe")
    again = api.post("/v1/games", body, Idempotency_Key=STRONG_KEY).json
    assert again["seats"][0]["name"] == "(forgotten)"
    assert again["seats"][0]["token"] == first.json["seats"][0]["token"]


def test_a_game_in_which_seats_were_left_is_audited_clean(api: Api) -> None:
    game = new_game(api, "lanterns", ["Ada", "Ben"], seats=3)
    game.leave(1, game.token(1))
    game.tokens[1], game.tokens[2] = sit(game, 1), sit(game, 2)
    while to_act := game.show()["to_act"]:
        assert game.act(to_act[0], game.legal(to_act[0])[0]).status == 201
    game.settle()
    assert game.get("/audit").json["verdict"] == "pass"
    assert settled_game(api).get("/audit").json["verdict"] == "pass"
