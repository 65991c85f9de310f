"""Many games created at once: all or none, and once, however often they are sent."""

import json
from typing import Any

import pytest
from redis.exceptions import ConnectionError as StoreAway

from services.core.ledger import Ledger
from tests.api.client import CLUB, OPERATOR, Answer, Api

TWO = [{"name": "Ada", "ref": "a-1"}, {"name": "Ben"}]


def game(key: str, **more: Any) -> dict[str, Any]:
    return {"ruleset": "babel", "players": TWO, "key": key, **more}


def batch(api: Api, *items: Any, token: str | None = CLUB) -> Answer:
    return api.post("/v1/games/batch", {"items": list(items)}, token)


def test_a_host_creates_many_games_each_as_if_it_were_alone(api: Api) -> None:
    answer = batch(api, game("r1-t1", tags=["cup"]), {"ruleset": "aton", "key": "r1-t2", "seats": 2})
    assert answer.status == 200, answer
    first, second = answer.json["items"]
    assert ([first["status"], second["status"]], second["seats"]) == ([201, 201], [])
    assert [api.get(f"/v1/games/{first['id']}", seat["token"]).json["you"] for seat in first["seats"]] == [
        0,
        1,
    ]
    assert api.get(f"/v1/games/{second['id']}").json["status"] == "open"
    alone = {name: value for name, value in game("r1-t1", tags=["cup"]).items() if name != "key"}
    again = api.post("/v1/games", alone, CLUB, Idempotency_Key="r1-t1")
    assert (again.json["id"], again.headers["idempotent-replayed"]) == (first["id"], "true")


def test_if_one_would_be_refused_none_is_created_and_each_refused_one_is_named(api: Api) -> None:
    before = api.get("/v1/games", CLUB).json
    assert batch(api, game("taken")).status == 200
    answer = batch(
        api,
        game("fine"),
        game("unknown", ruleset="chess"),
        game("options", options={"nonsense": 1}),
        game("taken", private=True),
        game("fine"),
        {"ruleset": "babel", "seats": 2},
        game("clock", clock={"turn_seconds": 0}),
        "no game",
        game("crowd", players=[*TWO, {"name": "Cleo"}]),
        game("seed", seed="1"),
    )
    assert (answer.status, answer.code) == (422, "invalid_request")
    refused = answer.json["errors"]["json"]["items"]
    assert {index: each["code"] for index, each in refused.items()} == {
        "1": "unknown_ruleset",
        "2": "invalid_options",
        "3": "idempotency_key_reused",
        "4": "idempotency_key_reused",
        "5": "invalid_request",
        "6": "invalid_request",
        "7": "invalid_request",
        "8": "invalid_seats",
        "9": "invalid_request",
    }
    assert refused["6"]["errors"] == {
        "clock": {"turn_seconds": refused["6"]["errors"]["clock"]["turn_seconds"]}
    }
    assert api.post("/v1/games", {"ruleset": "babel"}, CLUB, Idempotency_Key="fine").status == 201
    assert api.get("/v1/games", CLUB).json == before


def test_a_retry_completes_what_a_fault_cut_short(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    items = [game(f"r1-t{number}") for number in range(4)]
    create = Ledger.create
    made: list[str] = []

    def create_two(ledger: Ledger, game_id: str, *arguments: Any, **more: Any) -> Any:
        if len(made) == 2:
            raise StoreAway("the store is away")
        made.append(game_id)
        return create(ledger, game_id, *arguments, **more)

    monkeypatch.setattr(Ledger, "create", create_two)
    assert batch(api, *items).code == "store_unavailable"
    monkeypatch.setattr(Ledger, "create", create)
    answer = batch(api, *items)
    assert [item["id"] for item in answer.json["items"][:2]] == made
    assert batch(api, *items).json == answer.json
    assert [api.get(f"/v1/games/{item['id']}").json["version"] for item in answer.json["items"]] == [4] * 4


def test_who_may_not_and_what_is_too_much(api: Api) -> None:
    assert [
        (a.status, a.code) for a in (batch(api, game("a"), token=None), batch(api, game("a"), token="x"))
    ] == [
        (401, "unauthorized"),
        (401, "unauthorized"),
    ]
    assert batch(api, game("a"), token=OPERATOR).status == 200
    for items in ([], [game(str(number)) for number in range(201)], {"0": game("a")}):
        assert api.post("/v1/games/batch", {"items": items}, CLUB).code == "invalid_request"
    assert api.post("/v1/games/batch", {"items": [game("a")], "more": 1}, CLUB).code == "invalid_request"
    padding = " " * 300_000
    large = json.dumps({"items": [game("large")]}).encode() + padding.encode()
    sent = api.send("POST", "/v1/games/batch", large, CLUB, Content_Type="application/json")
    assert sent.status == 200
    sent = api.send(
        "POST", "/v1/games/batch", large + 3 * padding.encode(), CLUB, Content_Type="application/json"
    )
    assert (sent.status, sent.code) == (413, "body_too_large")
