"""What players ask all the time is answered without Flask's context, and just as Flask would have answered it."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.api.client import Answer, Api, Table, new_game

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
def test_the_short_way_gives_the_answer_of_the_long_way(
    make_api: Any, request_: tuple[str, str, bytes | None, dict[str, str]], token: str, monkeypatch: Any
) -> None:
    api: Api = make_api(cors_origins=("https://play.example.org",))
    table = new_game(api)
    method, path, body, headers = request_

    def ask() -> Answer:
        return api.send(
            method, table.path + path, body, table.token(0) if token == "a seat's" else "x", **headers
        )

    assert_alike(ask, monkeypatch)


@pytest.mark.parametrize("new", NEW_GAMES.values(), ids=NEW_GAMES)
def test_the_short_way_to_a_new_game_ends_where_the_long_way_does(
    api: Api, new: tuple[bytes, dict[str, str]], monkeypatch: Any
) -> None:
    body, headers = new

    def ask() -> Answer:
        return api.send("POST", "/v1/games", body, None, **headers)

    ask()
    assert_alike(ask, monkeypatch)


def assert_alike(ask: Callable[[], Answer], monkeypatch: Any) -> None:
    short = ask()
    monkeypatch.setattr("services.api.stele.LOOP", frozenset())
    long = ask()
    assert (short.status, sorted(short.headers.items())) == (long.status, sorted(long.headers.items()))
    assert short.lasting[short.lasting.find(b"\n\n") :] == long.lasting[long.lasting.find(b"\n\n") :]


def test_an_unforeseen_error_is_noted_and_tells_nothing(api: Api, monkeypatch: Any, caplog: Any) -> None:
    table: Table = new_game(api)

    def fail(*_: object) -> None:
        raise RuntimeError("the hand of seat 1")

    monkeypatch.setattr(api.context.ledger, "get", fail)
    answer = table.get("", table.token(0))
    assert (answer.status, answer.code) == (500, "internal_error")
    assert b"hand" not in answer.body
    assert "RuntimeError" in caplog.text
