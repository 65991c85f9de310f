"""Which way requests go: the front knows it from the first line, and Flask would have gone the same way."""

import pytest

from services.api.lanes import LARGE, LOOP, NOWHERE, SLOW, WATCHED, Signs
from services.front.ways import LARGEST_BODY, QUICK_BODY, SMALL_BODY, place_of
from tests.api.client import Api

GAME = "/v1/games/07-0123456789abcdefghjkmnpqrs"


@pytest.fixture
def signs(api: Api) -> Signs:
    return Signs(api.app)


def test_every_route_that_is_named_exists(api: Api) -> None:
    assert LOOP | SLOW | {*LARGE, *WATCHED} <= {rule.endpoint for rule in api.app.url_map.iter_rules()}
    assert not LOOP & SLOW


@pytest.mark.parametrize(
    "path", ["", "/actions", "/events", "/head", "/seats", "/record", "/replay/7", "/nothing", "/"]
)
@pytest.mark.parametrize("method", ["GET", "POST", "HEAD", "DELETE"])
def test_a_route_is_the_one_that_flask_would_find(api: Api, signs: Signs, method: str, path: str) -> None:
    route = signs(method, GAME + path).route
    adapter = api.app.url_map.bind("")
    if not adapter.test(GAME + path, method):
        assert route is None
    else:
        assert route == adapter.match(GAME + path, method, return_rule=True)


def test_players_go_through_the_loop_and_what_takes_long_apart(signs: Signs) -> None:
    assert signs("POST", f"{GAME}/actions").lane == "loop"
    assert signs("GET", GAME).lane == "loop"
    assert signs("GET", f"{GAME}/audit").lane == "slow"
    assert signs("GET", f"{GAME}/board.svg").lane == signs("GET", f"{GAME}/replay/7/board.svg").lane == "slow"
    assert signs("GET", "/v1/games").lane == "threads"


def test_a_body_is_read_only_where_one_is_wanted(signs: Signs) -> None:
    assert signs("POST", "/v1/records").largest_body == LARGEST_BODY
    assert signs("POST", f"{GAME}/actions").largest_body == SMALL_BODY
    assert signs("GET", f"{GAME}/actions").largest_body == 0
    assert signs("POST", "/nowhere") == NOWHERE
    assert signs("OPTIONS", "/v1/records").largest_body == 0


@pytest.mark.parametrize(
    ("method", "path", "place"),
    [
        ("GET", f"{GAME}/events", "door"),
        ("GET", f"{GAME}/replay", "slow"),
        ("POST", "/v1/records", "slow"),
        ("GET", "/openapi.json", "threads"),
        ("GET", "/nowhere", "threads"),
    ],
)
def test_only_what_can_be_watched_is_let_in_at_the_door(
    signs: Signs, method: str, path: str, place: str
) -> None:
    assert place_of(signs(method, path), "text/event-stream", b"") == place


def test_a_long_body_is_not_dealt_with_in_the_loop(signs: Signs) -> None:
    acting = signs("POST", f"{GAME}/actions")
    assert place_of(acting, "", b" " * QUICK_BODY) == "loop"
    assert place_of(acting, "", b" " * (QUICK_BODY + 1)) == "slow"
