"""What players ask all the time is answered without Flask's context, and just as Flask would have answered it."""

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

    short = ask()
    monkeypatch.setattr("services.api.stele.SHORT", frozenset())
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
