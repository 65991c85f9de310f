"""Handlers are called directly, or through Flask: both give the same bytes."""

import time
from typing import Any

import pytest

from tests.api.client import Api, Table, new_game

JSON = {"Content_Type": "application/json"}
REQUESTS: dict[str, tuple[str, str, bytes | None, dict[str, str]]] = {
    "a game": ("GET", "", None, {}),
    "a game without its body": ("HEAD", "", None, {}),
    "a game that the caller has": ("GET", "", None, {"If_None_Match": "*"}),
    "legal actions": ("GET", "/actions", None, {}),
    "where the log ends": ("GET", "/head", None, {}),
    "a parameter that there is not": ("GET", "?colour=red", None, {}),
    "a header that is wrong": ("POST", "/actions", b"{}", JSON | {"If_Match": "red"}),
    "a body that is no JSON": ("POST", "/actions", b"{", JSON),
    "a body of another kind": ("POST", "/actions", b"{}", {"Content_Type": "text/plain"}),
    "a refusal in French": ("POST", "/actions", b'{"type":"fly"}', JSON | {"Accept_Language": "fr"}),
    "a question in French": ("POST", "/actions/check", b'{"type":"fly"}', JSON | {"Accept_Language": "fr"}),
    "a request with a name": ("GET", "?include=actions", None, {"X_Request_ID": "mine"}),
    "a page of another origin": ("GET", "", None, {"Origin": "https://play.example.org"}),
    "a seat that is taken": ("POST", "/seats", b'{"name":"Cy"}', JSON),
    "a seat with nobody": ("POST", "/seats", b'{"seat":"0"}', JSON),
    "a seat without JSON": ("POST", "/seats", b"seat 0", {"Content_Type": "text/plain"}),
    "a seal that there is not": ("POST", "/seats/0/entropy", b'{"entropy":"' + b"0" * 64 + b'"}', JSON),
    "a seal with nothing in it": ("POST", "/seats/0/entropy", b"{}", JSON),
}
NEW_GAMES: dict[str, tuple[bytes, dict[str, str]]] = {
    "no game": (b"{}", JSON),
    "no JSON": (b"{", JSON),
    "a body of another kind": (b"{}", {"Content_Type": "text/plain"}),
    "nothing": (b"", {}),
    "a list": (b"[]", JSON),
    "a game that there is not": (b'{"ruleset":"go"}', JSON),
    "options that there are not": (b'{"ruleset":"babel","options":{"fog":true}}', JSON),
    "too many players": (b'{"ruleset":"babel","seats":1,"players":[{"name":"A"},{"name":"B"}]}', JSON),
    "a player without a name": (b'{"ruleset":"babel","players":[{"name":"Ann"},{"name":""}]}', JSON),
    "a member that there is not": (b'{"ruleset":"babel","colour":"red"}', JSON),
    "a position that cannot be": (b'{"ruleset":"babel","position":{"turn":0}}', JSON),
    "in French": (b'{"ruleset":"go"}', JSON | {"Accept_Language": "fr"}),
    "a weak key": (b'{"ruleset":"babel"}', JSON | {"Idempotency_Key": "x"}),
    "done before": (b'{"ruleset":"babel","players":[{"name":"Ann"}]}', JSON | {"Idempotency_Key": "x" * 22}),
}


@pytest.mark.parametrize("token", ["a seat's", "a wrong one"])
@pytest.mark.parametrize("request_", REQUESTS.values(), ids=REQUESTS)
def test_a_handler_that_is_called_directly_answers_as_through_flask(
    make_api: Any, request_: tuple[str, str, bytes | None, dict[str, str]], token: str
) -> None:
    api: Api = make_api(cors_origins=("https://play.example.org",))
    table = new_game(api)
    method, path, body, headers = request_
    bearer = table.token(0) if token == "a seat's" else "x"
    headers = headers | {"Authorization": f"Bearer {bearer}"}
    assert_alike(api, method, table.path + path, body, headers)


@pytest.mark.parametrize("new", NEW_GAMES.values(), ids=NEW_GAMES)
def test_a_new_game_is_answered_alike_directly_and_through_flask(
    api: Api, new: tuple[bytes, dict[str, str]]
) -> None:
    body, headers = new
    api.send("POST", "/v1/games", body, None, **headers)
    assert_alike(api, "POST", "/v1/games", body, headers)


@pytest.mark.parametrize("method", ["GET", "PUT", "OPTIONS", "HEAD", "FLY"])
@pytest.mark.parametrize(
    "path", ["/nowhere", "//v1/games", "/v1/games", "/v1/games/x/actions/check", "/v1/games/"]
)
def test_what_has_no_route_is_answered_alike_directly_and_through_flask(
    make_api: Any, method: str, path: str
) -> None:
    api: Api = make_api(cors_origins=("*",))
    assert_alike(api, method, path, None, {"Origin": "https://x.example"})


def assert_alike(api: Api, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> None:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    directly = api.call(method, path, body, sent)
    through_flask = api.call_through_flask(method, path, body, sent)
    assert directly.lasting == through_flask.lasting


def test_two_slashes_at_the_beginning_of_a_path_lead_nowhere_through_flask_either(api: Api) -> None:
    answers = [
        api.app.test_client().open("/", environ_overrides={"PATH_INFO": path}).status_code
        for path in ("/v1/games", "//v1/games")
    ]
    assert answers == [200, 404]


def test_a_long_poll_through_flask_blocks_until_its_time_is_over(api: Api) -> None:
    table = new_game(api)
    began = time.monotonic()
    answer = api.call_through_flask("GET", f"{table.path}?after={table.head[0]}&wait=1", None, {})
    assert (answer.status, time.monotonic() - began >= 1) == (200, True)


def test_a_live_stream_through_flask_is_refused_with_what_to_do_instead(api: Api) -> None:
    table = new_game(api)
    accept = {"Accept": "text/event-stream"}
    answer = api.call_through_flask("GET", f"{table.path}/events", None, accept)
    assert (answer.status, answer.code) == (406, "not_acceptable")
    assert "`after`" in answer.json["detail"]


def test_an_unforeseen_error_is_noted_and_tells_nothing(api: Api, monkeypatch: Any, caplog: Any) -> None:
    table: Table = new_game(api)

    def fail(*_: object) -> None:
        raise RuntimeError("the hand of seat 1")

    monkeypatch.setattr(api.context.ledger, "get", fail)
    answer = table.get("", table.token(0))
    assert (answer.status, answer.code) == (500, "internal_error")
    assert b"hand" not in answer.body
    assert "RuntimeError" in caplog.text
