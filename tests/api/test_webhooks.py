"""Webhooks over HTTP: registered by hosts and operators, each its own."""

import hashlib
import hmac
from base64 import b64encode

import pytest

from tests.api.client import CLUB, OPERATOR, SCHOOL, TOKEN_KEY, Api, new_game

URL = "https://example.org/hooks"


def test_a_webhook_is_registered_listed_tested_and_removed(api: Api) -> None:
    made = api.post("/v1/webhooks", {"url": URL, "types": ["turn"], "tag": "cup"}, CLUB)
    assert made.status == 201, made
    body = made.json
    mac = hmac.new(TOKEN_KEY.encode(), b"stele-webhook-1\0" + body["id"].encode(), hashlib.sha256).digest()
    assert body.pop("secret") == "whsec_" + b64encode(mac).decode()
    assert made.headers["location"] == f"/v1/webhooks/{body['id']}"
    assert (body["url"], body["types"], body["tag"], body["host"], body["state"]) == (
        URL,
        ["turn"],
        "cup",
        "club",
        "active",
    )
    for token in (CLUB, OPERATOR):
        assert api.get("/v1/webhooks", token).json == {"items": [body], "next": None}
    path = f"/v1/webhooks/{body['id']}"
    assert api.post(f"{path}/test", token=CLUB).status == 202
    for method, where in (("DELETE", path), ("POST", f"{path}/test")):
        assert api.send(method, where, token=SCHOOL).status == 404
    assert api.get("/v1/webhooks", SCHOOL).json["items"] == []
    assert api.send("DELETE", path, token=CLUB).status == 204
    assert api.send("DELETE", path, token=CLUB).status == 404
    assert api.get("/v1/webhooks", CLUB).json["items"] == []


def test_a_retry_gets_the_same_webhook_and_its_secret(api: Api) -> None:
    first = api.post("/v1/webhooks", {"url": URL}, CLUB, Idempotency_Key="once")
    again = api.post("/v1/webhooks", {"url": URL}, CLUB, Idempotency_Key="once")
    assert (again.status, again.json, again.headers["idempotent-replayed"]) == (201, first.json, "true")
    other = api.post("/v1/webhooks", {"url": URL + "/other"}, CLUB, Idempotency_Key="once")
    assert other.code == "idempotency_key_reused"
    assert len(api.get("/v1/webhooks", CLUB).json["items"]) == 1


def test_others_may_not(api: Api) -> None:
    game = new_game(api, "babel")
    for token in (None, game.token(0), "nonsense"):
        assert api.post("/v1/webhooks", {"url": URL}, token).code == "unauthorized"
        assert api.get("/v1/webhooks", token).code == "unauthorized"


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"url": "http://127.0.0.1/"},
        {"url": "http://[::ffff:10.0.0.1]/"},
        {"url": "http://100.64.0.1/"},
        {"url": "file:///etc/passwd"},
        {"url": URL, "types": ["nonsense"]},
        {"url": URL, "types": []},
        {"url": URL, "tag": "\u202ecup"},
        {"url": URL, "tag": "\x1b[2J"},
        {"url": URL, "more": 1},
    ],
)
def test_bad_registrations_are_refused(api: Api, body: object) -> None:
    assert api.post("/v1/webhooks", body, CLUB).code == "invalid_request"
    assert api.get("/v1/webhooks", CLUB).json["items"] == []


def test_a_host_has_so_many_webhooks_and_no_more(api: Api) -> None:
    for _ in range(16):
        assert api.post("/v1/webhooks", {"url": URL}, CLUB).status == 201
    assert api.post("/v1/webhooks", {"url": URL}, CLUB).code == "too_many_webhooks"
    assert api.post("/v1/webhooks", {"url": URL}, SCHOOL).status == 201
