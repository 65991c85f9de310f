"""Callers who may not: wrong, missing, dead and foreign tokens, wrong seats and roles. Nothing changes, ever."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.api.client import CLUB, OPERATOR, SCHOOL, SEED, Api, Table, new_game
from tests.api.conftest import MakeApi
from tests.api.refusals import assert_problem, contents

ENTROPY = {"entropy": "ab" * 32}
LAY = {"type": "lay", "card": 1}
SEATS_ALONE: tuple[tuple[str, Any], ...] = (
    ("/actions", LAY),
    ("/actions?dry_run=true", LAY),
    ("/resignation", None),
    ("/seats/0/entropy", ENTROPY),
)
"""What only a seat may do."""


@pytest.fixture
def game(api: Api) -> Table:
    return new_game(api)


@pytest.fixture(autouse=True)
def _nothing_changes(api: Api, game: Table) -> Iterator[None]:
    """Whatever a test of this module tries, the game stays as it is."""
    before = game.head
    yield
    assert game.head == before


def forged(token: str) -> str:
    """A token with one letter of its signature changed."""
    return token[:-3] + ("A" if token[-3] != "A" else "B") + token[-2:]


def wrong_tokens(api: Api, game: Table) -> list[str]:
    other = new_game(api)
    seat, generation, signature = game.tokens[0].split(".")
    return [
        "nonsense",
        forged(game.tokens[0]),
        other.tokens[0],
        f"1.{generation}.{signature}",
        f"{seat}.1.{signature}",
        f"0{seat}.{generation}.{signature}",
        f"{seat}.{generation}.{signature}=",
        f"{seat}.{generation}.",
        "..",
        "99999999999999999999.0.x",
        "٠.0.x".encode().decode("latin-1"),
        CLUB[:-1],
        OPERATOR + "x",
    ]


def test_wrong_tokens_are_unauthorized_wherever_they_are_sent(api: Api, game: Table) -> None:
    for token in wrong_tokens(api, game):
        for path in ("", "/actions", "/events", "/head", "/replay"):
            answer = game.get(path, token)
            assert_problem(answer, 401, "unauthorized")
            assert answer.headers["www-authenticate"] == "Bearer"
        for path, body in (*SEATS_ALONE, ("/seats/0/token", None), ("/abort", None), ("/tickets", None)):
            assert_problem(game.post(path, body, token), 401, "unauthorized")


@pytest.mark.parametrize("header", ["Basic YTpi", "Bearer", "Bearer ", "Token x", ""])
def test_a_header_that_holds_no_token_is_unauthorized(game: Table, header: str) -> None:
    assert_problem(game.get("", Authorization=header), 401, "unauthorized")


def test_no_token_is_asked_for_one(game: Table) -> None:
    for path, body in (*SEATS_ALONE, ("/seats/0/token", None), ("/abort", None)):
        assert_problem(game.post(path, body), 401, "unauthorized")


def test_roles_do_not_act_for_seats(game: Table) -> None:
    for token in (CLUB, SCHOOL, OPERATOR):
        for path, body in SEATS_ALONE:
            assert_problem(game.post(path, body, token), 403, "forbidden")


def test_a_host_has_no_say_in_the_games_of_another(api: Api) -> None:
    game = new_game(api, seats=3, players=1)
    before = contents(api)
    for path, body in (("/seats/0/token", None), ("/abort", None), ("/seats", {"bot": "greedy"})):
        assert_problem(game.post(path, body, SCHOOL), 403, "forbidden")
    assert contents(api) == before


def test_a_host_does_not_call_off_a_game_that_has_started(game: Table) -> None:
    assert_problem(game.post("/abort", token=CLUB), 403, "forbidden")


def test_a_seat_does_what_is_its_own_alone(game: Table) -> None:
    token = game.tokens[1]
    for path, body in (
        ("/seats/0/token", None),
        ("/seats/1/token", None),
        ("/abort", None),
        ("/seats/0/entropy", ENTROPY),
        ("/seats", {"name": "A friend"}),
    ):
        assert_problem(game.post(path, body, token), 403, "forbidden")
    assert_problem(game.get("?view=full", token), 403, "forbidden")
    assert_problem(game.get("/replay?as=0", token), 403, "forbidden")


def test_a_renewed_token_is_dead_everywhere(api: Api) -> None:
    game = new_game(api)
    ticket = game.post("/tickets", token=game.tokens[0]).json["ticket"]
    new = game.post("/seats/0/token", token=CLUB).json["token"]
    before = contents(api)
    for path in ("", "/actions", "/events"):
        assert_problem(game.get(path, game.tokens[0]), 401, "unauthorized")
        assert_problem(game.get(f"{path}?ticket={ticket}"), 401, "unauthorized")
    for path, body in SEATS_ALONE:
        assert_problem(game.post(path, body, game.tokens[0]), 401, "unauthorized")
    assert contents(api) == before
    assert game.get("/actions", new).json["seat"] == 0


def test_there_is_no_token_of_a_seat_that_is_not_there(game: Table) -> None:
    for seat in ("3", "64", "9" * 30):
        assert_problem(game.post(f"/seats/{seat}/token", token=OPERATOR), 422, "invalid_seats")
    assert_problem(game.post("/seats/-1/token", token=OPERATOR), 404, "not_found")
    assert_problem(game.post(f"/seats/{'9' * 5000}/token", token=OPERATOR), 404, "not_found")


def test_a_free_seat_and_a_bots_seat_have_no_token_to_renew(api: Api) -> None:
    game = new_game(api, players=[{"name": "Ada"}, {"bot": "greedy"}], seats=3)
    before = contents(api)
    assert_problem(game.post("/seats/1/token", token=CLUB), 403, "seat_is_bot")
    assert_problem(game.post("/seats/2/token", token=CLUB), 422, "invalid_request")
    assert contents(api) == before


def test_a_withdrawn_seat_looks_and_does_not_act(api: Api) -> None:
    game = new_game(api)
    assert game.post("/resignation", token=game.tokens[0]).status == 201
    before = contents(api)
    assert game.get("", game.tokens[0]).json["view"]["players"][0]["hand"] is not None
    assert game.get("/actions", game.tokens[0]).json["actions"] == []
    for path, body in SEATS_ALONE[:3]:
        assert_problem(game.post(path, body, game.tokens[0]), 403, "seat_withdrawn")
    assert contents(api) == before


# -- tickets --------------------------------------------------------------------------------------------------------


def test_a_ticket_is_good_for_reading_alone(game: Table) -> None:
    ticket = game.post("/tickets", token=game.tokens[0]).json["ticket"]
    assert game.get(f"?ticket={ticket}").json["view"]["players"][0]["hand"] is not None
    for path, body in SEATS_ALONE:
        query = "&" if "?" in path else "?"
        assert_problem(game.post(f"{path}{query}ticket={ticket}", body), 422, "invalid_request")
        assert_problem(game.post(path, body, ticket), 401, "unauthorized")
    assert_problem(game.get("", ticket), 401, "unauthorized")


def test_a_ticket_does_not_give_another(game: Table) -> None:
    """Else whoever finds one in a log or a history could look for ever."""
    ticket = game.post("/tickets", token=game.tokens[0]).json["ticket"]
    assert_problem(game.post(f"/tickets?ticket={ticket}"), 422, "invalid_request")
    assert_problem(game.post("/tickets", token=ticket), 401, "unauthorized")


def test_a_ticket_creates_nothing(api: Api) -> None:
    """Not even an operator's: it is for reading."""
    game = new_game(api, "babel")
    game.post("/resignation", token=game.tokens[0])
    game.settle()
    ticket = game.post("/tickets", token=OPERATOR).json["ticket"]
    fork = {"version": 4, "players": [{"bot": "greedy"}, {"bot": "greedy"}]}
    before = contents(api)
    assert_problem(game.post(f"/forks?ticket={ticket}", fork), 422, "invalid_request")
    assert_problem(game.post("/forks", fork, ticket), 401, "unauthorized")
    assert contents(api) == before
    assert game.post("/forks", fork, OPERATOR).status == 201


def test_wrong_and_expired_tickets_are_unauthorized(api: Api, game: Table) -> None:
    door, other = api.context.authenticator, new_game(api)
    ticket, expires = door.ticket(game.id, door.identify(game.tokens[0], game.id))
    who, generation, _, signature = ticket.split(".")
    old, _ = door.ticket(game.id, door.identify(game.tokens[0], game.id), now=1_000_000)
    foreign = other.post("/tickets", token=other.tokens[0]).json["ticket"]
    lengthened = f"{who}.{generation}.{expires + 600}.{signature}"
    promoted = f"operator.{generation}.{expires}.{signature}"
    for wrong in (
        "",
        "...",
        "x",
        game.tokens[0],
        forged(ticket),
        old,
        foreign,
        lengthened,
        promoted,
        "é" * 10,
    ):
        assert_problem(game.get(f"?ticket={wrong}"), 401, "unauthorized")


def test_a_token_goes_before_a_ticket(game: Table) -> None:
    ticket = game.post("/tickets", token=game.tokens[0]).json["ticket"]
    assert game.get(f"/actions?ticket={ticket}", game.tokens[1]).json["seat"] == 1
    assert_problem(game.get(f"/actions?ticket={ticket}", "nonsense"), 401, "unauthorized")


# -- creating and joining -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "wanted",
    [
        {"seed": SEED},
        {"position": {}},
        {"players": [{"bot": "greedy"}, {"bot": "random"}]},
        {"players": [{"name": "Ada", "ref": "player-1"}]},
    ],
    ids=["a seed", "a position", "bots alone", "a ref"],
)
def test_what_needs_a_role_is_not_for_everyone(api: Api, wanted: dict[str, Any]) -> None:
    before = contents(api)
    assert_problem(api.post("/v1/games", {"ruleset": "babel", **wanted}), 401, "unauthorized")
    assert contents(api) == before


def test_a_wrong_token_creates_no_game(api: Api, game: Table) -> None:
    before = contents(api)
    for token in ("nonsense", game.tokens[0], CLUB + "x"):
        assert_problem(api.post("/v1/games", {"ruleset": "babel"}, token), 401, "unauthorized")
    assert contents(api) == before


def test_where_hosts_alone_create_a_guest_creates_nothing(make_api: MakeApi) -> None:
    api = make_api(1, create="host")
    assert_problem(api.post("/v1/games", {"ruleset": "babel"}), 401, "unauthorized")
    assert api.post("/v1/games", {"ruleset": "babel"}, CLUB).status == 201


def test_guests_seat_neither_bots_nor_refs(api: Api) -> None:
    game = new_game(api, "babel", 1, seats=2)
    before = contents(api)
    for body in ({"bot": "greedy"}, {"name": "Zoe", "ref": "player-2"}):
        assert_problem(game.post("/seats", body), 401, "unauthorized")
    assert contents(api) == before


def test_joining_a_private_game_is_retried_by_its_key(api: Api) -> None:
    game = new_game(api, "babel", 1, seats=2, private=True)
    join = {"name": "Zoe", "join_code": game.created["join_code"]}
    key = {"Idempotency_Key": "the-key-of-someone-who-joins"}
    first = game.post("/seats", join, **key)
    before = contents(api)
    again = game.post("/seats", join, **key)
    assert (first.status, again.status, again.body) == (201, 201, first.body)
    wrong = game.post("/seats", {**join, "join_code": "0" * 16}, **key)
    assert_problem(wrong, 404, "game_not_found")
    assert contents(api) == before


def test_without_roles_there_is_no_operator_and_everyone_may_seed(make_api: MakeApi) -> None:
    api = make_api(1, host_tokens={}, operator_tokens=())
    game = new_game(api, "babel", token=None, seed=SEED)
    for token in (CLUB, OPERATOR, "operator"):
        assert_problem(game.get("?view=full", token), 401, "unauthorized")


def test_only_tokens_that_were_good_are_remembered(api: Api) -> None:
    game = new_game(api, "babel")
    door = api.context.authenticator
    for number in range(20):
        assert game.get(token=f"0.0.{number}").code == "unauthorized"
    assert door._seat.cache_info().currsize == 0
    assert game.get(token=game.token(0)).status == 200
    assert door._seat.cache_info().currsize == 1
