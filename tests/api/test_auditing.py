"""Audits over HTTP are made once for each end of a log, and shown to whom they concern."""

from typing import Any

import pytest

from events.canonical import canonical
from events.keys import keys_of
from replays.audit.audit import Audit
from services.core.records import audit_game
from tests.api.client import OPERATOR, Api, new_game
from tests.api.finished import settled_game, verdicts


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The games that were audited, once for each time."""
    counted: list[str] = []

    def counting(*arguments: Any, **named: Any) -> Audit:
        counted.append(arguments[-1])
        return audit_game(*arguments, **named)

    monkeypatch.setattr("services.api.routes.audit.audit_game", counting)
    return counted


def test_the_audit_of_a_settled_game_is_made_once(api: Api, made: list[str]) -> None:
    game, other = settled_game(api), settled_game(api)
    assert game.get("/audit").body == game.get("/audit").body
    other.get("/audit")
    assert made == [game.id, other.id]


def test_the_audit_of_a_live_game_is_made_anew_when_it_goes_on(api: Api, made: list[str]) -> None:
    game = new_game(api)
    for _ in range(2):
        assert verdicts(game.get("/audit", OPERATOR).json)["outcome"] == "not_checked"
        game.get("/audit", OPERATOR)
        game.play()
    assert made == [game.id] * 2


def test_an_audit_that_was_made_for_an_operator_is_shown_to_nobody_else(api: Api) -> None:
    game = new_game(api)
    assert game.get("/audit", OPERATOR).status == 200
    for token in (None, game.token(0)):
        assert game.get("/audit", token).code == "not_settled"
        assert game.get("/record", token).code == "not_settled"
    assert game.get("/record", OPERATOR).code == "not_settled"


def test_a_store_that_was_tampered_with_is_caught(api: Api) -> None:
    game = settled_game(api)
    client, stream = api.context.store.client, keys_of(game.id).stream
    rows: Any = client.xrange(stream)
    client.delete(stream)
    for number, fields in rows:
        if number == b"7-0":
            fields[b"e"] = fields[b"e"].replace(b'"salt":"0', b'"salt":"f')
        client.xadd(stream, fields, id=number)
    audit = game.get("/audit").json
    assert (audit["verdict"], audit["checks"][0]["verdict"], audit["checks"][0]["entry"]) == (
        "fail",
        "fail",
        7,
    )
    assert canonical(audit)
