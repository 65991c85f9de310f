"""Notifications over HTTP: a seat registers a browser, and takes it off again."""

from collections.abc import Iterator
from typing import Any

import pytest

from projections.pushes import occasion_of
from services.core.web_push import PushKey, from_base64url
from tests.api.client import CLUB, OPERATOR, Answer, Api, Table, new_game
from tests.api.conftest import MakeApi
from tests.worker.browser import Browser
from tests.worker.receiver import receiving


@pytest.fixture
def browser() -> Iterator[Browser]:
    with receiving() as service:
        yield Browser(service)


@pytest.fixture
def api(make_api: MakeApi) -> Api:
    return make_api(webhook_allow_private=1, push_key="5c" * 32)


@pytest.fixture
def game(api: Api) -> Table:
    return new_game(api, "babel", ("Ada", "Ben"))


def put(game: Table, body: Any, seat: int = 0, token: str | None = None, **headers: str) -> Answer:
    path = f"{game.path}/seats/{seat}/notifications"
    return game.api.put(path, body, token or game.token(0), **headers)


def delete(game: Table, seat: int = 0, token: str | None = None) -> Answer:
    return game.api.delete(f"{game.path}/seats/{seat}/notifications", token or game.token(0))


def test_a_seat_registers_its_browser_and_takes_it_off_again(api: Api, game: Table, browser: Browser) -> None:
    assert (put(game, {"push": browser.subscription}).json) == {"after_seconds": 30}
    wanted = {"push": browser.subscription, "after_seconds": 5}
    for _ in range(2):
        answer = put(game, wanted, Accept_Language="fr")
        assert (answer.status, answer.json) == (200, {"after_seconds": 5})
    (registration,) = api.context.pushes.of_game(game.id).values()
    assert registration == browser.registration(5, "fr")
    assert delete(game).status == 204
    assert delete(game).status == 204, "to take off what is not there is no fault"
    assert api.context.pushes.of_game(game.id) == {}


def test_a_registration_has_the_game_looked_at_at_once(api: Api, game: Table, browser: Browser) -> None:
    api.project(game.id)
    seat = game.show()["to_act"][0]
    put(game, {"push": browser.subscription, "after_seconds": 0}, seat, game.token(seat))
    assert game.id in api.context.ledger.projections.dirty()
    api.project(game.id)
    assert [due.seat for due in api.context.pushes.due(1e12)] == [seat]
    put(game, {"push": browser.subscription, "after_seconds": 0}, seat, game.token(seat))
    api.project(game.id)
    assert len(list(api.context.pushes.due(1e12))) == 1


def test_a_seat_registers_for_itself_alone(game: Table, browser: Browser) -> None:
    body = {"push": browser.subscription}
    assert put(game, body, 1).code == delete(game, 1).code == "forbidden"
    assert put(game, body, 0, CLUB).code == delete(game, 0, OPERATOR).code == "forbidden"
    path = f"{game.path}/seats/0/notifications"
    assert game.api.put(path, body).code == game.api.delete(path).code == "unauthorized"
    assert put(game, body, 7).code == "forbidden"


def test_what_is_no_subscription_is_refused(game: Table, browser: Browser) -> None:
    good = browser.subscription
    bodies: list[Any] = [
        {},
        {"push": {}},
        {"push": {**good, "endpoint": "ftp://push.example.org/1"}},
        {"push": {**good, "endpoint": "https://push.example.org/\u00e9"}},
        {"push": {**good, "keys": {**good["keys"], "auth": "AAAA"}}},
        {"push": {**good, "keys": {**good["keys"], "p256dh": good["keys"]["auth"]}}},
        {"push": good, "after_seconds": -1},
        {"push": good, "after_seconds": 86401},
        {"push": good, "colour": "red"},
    ]
    for wrong in bodies:
        assert (put(game, wrong).status, put(game, wrong).code) == (422, "invalid_request"), wrong


def test_only_addresses_on_the_public_internet_are_called_by_https(
    make_api: MakeApi, browser: Browser
) -> None:
    game = new_game(make_api(), "babel", ("Ada", "Ben"))
    for endpoint in ("https://127.0.0.1/1", "http://push.example.org/1", browser.service.url):
        answer = put(game, {"push": {**browser.subscription, "endpoint": endpoint}})
        assert answer.code == "invalid_request", endpoint
    assert (
        put(game, {"push": {**browser.subscription, "endpoint": "https://push.example.org/1"}}).status == 200
    )


def test_where_nothing_can_happen_any_more_nobody_is_told(game: Table, browser: Browser) -> None:
    assert game.post("/resignation", token=game.token(1)).status == 201
    assert put(game, {"push": browser.subscription}).code == "game_over"
    assert put(game, {"push": browser.subscription}, 1, game.token(1)).code == "seat_withdrawn"


def test_a_private_game_is_not_given_away(api: Api, browser: Browser) -> None:
    game = new_game(api, "babel", ("Ada", "Ben"), private=True)
    path = f"{game.path}/seats/0/notifications"
    assert game.api.put(path, {"push": browser.subscription}).code == "game_not_found"
    assert game.api.delete(path, "0.0.x").code == "game_not_found"


def test_the_key_of_the_server_is_public(api: Api) -> None:
    key = api.get("/v1/push-key").json["key"]
    assert key == PushKey("5c" * 32).public
    assert len(from_base64url(key)) == 65


def test_a_page_of_another_origin_may_register(make_api: MakeApi) -> None:
    api = make_api(cors_origins=("https://play.example.org",))
    path = "/v1/games/00-xvp07ck455byg7gws9sa6q9z20/seats/0/notifications"
    answer = api.send("OPTIONS", path, Origin="https://play.example.org")
    assert "PUT" in answer.headers["access-control-allow-methods"]


def test_an_occasion_tells_nothing_but_whose_turn_it_is(game: Table, api: Api) -> None:
    """The page of due messages holds what spectators see: no card, no token."""
    of = api.context.ledger.get(game.id).game
    seat = of.to_act[0]
    spectators = game.show()["view"]
    assert occasion_of(of, seat) == f"turn:{spectators['active_seat']}:{spectators['turn']}:-"
