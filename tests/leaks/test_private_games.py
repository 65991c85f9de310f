"""To a stranger a private game does not exist: whatever is asked, the answer is that of a game nobody created."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from events.keys import game_id
from tests.api.client import CLUB, OPERATOR, SCHOOL, Answer, Api, Table, new_game
from tests.round_trips import count_round_trips

PUSH = {"endpoint": "https://push.example/x", "keys": {"p256dh": "BA" * 43 + "B", "auth": "A" * 22}}
BODIES: dict[str, Any] = {
    "/seats": {"name": "Mallory", "join_code": "0123456789abcdef"},
    "/seats/0/entropy": {"entropy": "ab" * 32},
    "/actions": {"type": "lay", "card": 1},
    "/forks": {"version": 4},
    "/actions/check": {"type": "lay", "card": 1},
    "/seats/0/takeover": {"code": "0.1763400000.1f.no-such-code", "name": "Mallory"},
    "/seats/0/handover": {"name": "Mallory"},
    "/seats/0/time": {"seconds": 60},
    "/adjudication": {"winners": [0], "why": "so"},
    "/seats/0/notifications": {"push": PUSH},
}
ADDRESSES = {"seat": "0", "version": "2"}
Request = tuple[str, str]


@pytest.fixture
def game(api: Api) -> Table:
    """A private game of the club, in play."""
    return new_game(api, private=True)


def requests_about_a_game(api: Api) -> Iterator[Request]:
    """Every method of every route of the API that names a game; its pages have tests/leaks/test_shared_links.py."""
    for route in api.application.table.routes:
        if route.path.startswith("/v1/games/<game_id>"):
            path = route.path.partition("<game_id>")[2].replace("<int:", "<")
            for name, value in ADDRESSES.items():
                path = path.replace(f"<{name}>", value)
            yield route.method, path
            if route.method == "GET":
                yield "HEAD", path


def ask(api: Api, game: str, request: Request, token: str | None, query: str = "", **headers: str) -> Answer:
    method, path = request
    address = f"/v1/games/{game}{path}{query}"
    if method in ("POST", "PUT") and path in BODIES:
        headers.setdefault("Content_Type", "application/json")
        return api.send(method, address, json.dumps(BODIES[path]).encode(), token, **headers)
    return api.send(method, address, None, token, **headers)


def strangers(api: Api, game: Table) -> Iterator[tuple[str | None, str]]:
    """Tokens and queries of those who may not know of the game."""
    other = new_game(api, private=True, token=SCHOOL)
    renewed = other.post("/seats/0/token", token=SCHOOL)
    assert renewed.status == 201
    ticket = other.post("/tickets", token=other.token(1)).json["ticket"]
    yield None, ""
    yield "no-such-token", ""
    yield SCHOOL, ""
    yield other.tokens[1], ""
    yield game.tokens[1].replace("1.0.", "2.0."), ""
    yield game.tokens[0].replace("0.0.", "0.1."), ""
    yield None, "?ticket=no-such-ticket"
    yield None, f"?ticket={ticket}"
    yield None, "?join_code=0123456789abcdef"
    yield None, "?join_code="
    yield None, f"?join_code={other.created['join_code']}"
    yield SCHOOL, f"?join_code={other.created['join_code']}"


def test_every_route_hides_a_private_game_from_every_stranger(api: Api, game: Table) -> None:
    missing, head = game_id(), game.head
    for token, query in strangers(api, game):
        for request in requests_about_a_game(api):
            hidden, none = (ask(api, each, request, token, query) for each in (game.id, missing))
            if hidden.status != 422 or not query:  # a ticket where none is taken
                assert hidden.status == 404, request
                assert hidden.code == ("game_not_found" if request[0] != "HEAD" else ""), request
            assert hidden.bytes.replace(game.id.encode(), b"?") == none.bytes.replace(missing.encode(), b"?")
    assert game.head == head


def test_there_are_routes_to_hide(api: Api) -> None:
    asked = set(requests_about_a_game(api))
    assert {("GET", ""), ("GET", "/events"), ("POST", "/actions"), ("POST", "/tickets")} <= asked
    assert {path for method, path in asked if method in ("POST", "PUT")} >= BODIES.keys()


def test_a_dead_token_of_a_private_game_is_a_strangers(api: Api, game: Table) -> None:
    old, ticket = game.tokens[0], game.post("/tickets", token=game.tokens[0]).json["ticket"]
    assert game.post("/seats/0/token", token=CLUB).status == 201
    for request in requests_about_a_game(api):
        assert ask(api, game.id, request, old).status == 404, request
        by_ticket = ask(api, game.id, request, None, f"?ticket={ticket}")
        route = api.application.table.find(request[0], game.path + request[1]).route
        takes_tickets = route and "ticket" in (route.known_parameters or ())
        assert by_ticket.status == (404 if takes_tickets else 422), request


def test_with_an_idempotency_key_a_stranger_learns_no_more(api: Api, game: Table) -> None:
    """Neither with the key of a request that was carried out, nor with a key of its own."""
    key = "the-key-of-an-action-that-was-carried-out"
    assert game.act(0, game.legal(0)[0], Idempotency_Key=key).status == 201
    missing = game_id()
    for request in requests_about_a_game(api):
        answers = [ask(api, each, request, None, Idempotency_Key=key) for each in (game.id, missing)]
        assert [answer.status for answer in answers] == [404, 404], request


def test_a_private_game_is_hidden_as_fast_as_a_missing_one_is_missed(
    api: Api, game: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing, trips = game_id(), count_round_trips(monkeypatch)

    def round_trips(game_asked_for: str, request: Request, token: str | None) -> int:
        trips.clear()
        ask(api, game_asked_for, request, token)
        return len(trips)

    for token in (None, "no-such-token", SCHOOL):
        for request in requests_about_a_game(api):
            hidden, none = (round_trips(each, request, token) for each in (game.id, missing))
            assert hidden == none, (request, token)


def test_no_list_tells_of_a_private_game(api: Api, game: Table) -> None:
    api.project(game.id)
    for path in ("/v1/games", "/v1/games?status=playing", "/v1/games?ruleset=lanterns", "/v1/results"):
        for token in (None, SCHOOL, game.token(0)):
            assert game.id.encode() not in api.get(path, token).bytes


def test_what_is_told_to_those_who_run_the_server_names_no_private_game(api: Api, game: Table) -> None:
    api.context.ledger.projections.mark_stuck(game.id, "seat 0 holds a 4")
    for path in ("/readyz", "/healthz", "/metrics"):
        answer = api.get(path).bytes
        assert game.id.encode() not in answer
        assert b"holds a 4" not in answer


def test_its_seats_its_host_and_operators_see_it(game: Table) -> None:
    for token in (game.tokens[0], game.tokens[2], CLUB, OPERATOR):
        assert game.get("", token).json["private"] is True
        assert len(game.get("/events", token).json["items"]) == game.head[0]


def test_a_settled_private_game_stays_private(api: Api, game: Table) -> None:
    assert game.post("/abort", token=OPERATOR).status == 201
    game.settle()
    assert game.get("?view=full", game.tokens[0]).status == 200
    for token in (None, SCHOOL):
        for request in requests_about_a_game(api):
            assert ask(api, game.id, request, token).status == 404, request
