"""The table of routes: what it finds by method and path, and where requests are dealt with."""

import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from apispec import APISpec

from services.api.hooks import ApiHooks
from services.api.routes import TABLE
from services.front.rsgi import QUICK_BODY, incoming, largest_body
from services.http.application import Application
from services.http.messages import SMALL_BODY, Response
from services.http.openapi import add_operations
from services.http.routing import LARGEST_BODY, NOWHERE, Found, Route, Table
from tests.api.client import Api, new_game

GAME = "/v1/games/07-0123456789abcdefghjkmnpqrs"
ARCHITECTURE = Path(__file__).parents[2] / "docs/architecture.md"
STREAM = ("accept", "text/event-stream")


def route_of(method: str, path: str) -> Route:
    route = TABLE.find(method, path).route
    assert route
    return route


def place_of(method: str, path: str, body: bytes = b"", *headers: tuple[str, str]) -> str:
    return incoming([*headers], body, TABLE.find(method, path)).place


@pytest.mark.parametrize(
    "path", ["", "/actions", "/events", "/head", "/seats", "/record", "/replay/7", "/nothing", "/", "//head"]
)
@pytest.mark.parametrize("method", ["GET", "POST", "HEAD", "DELETE"])
def test_the_table_finds_the_route_that_flask_would_find(api: Api, method: str, path: str) -> None:
    found = TABLE.find(method, GAME + path)
    adapter = api.app.url_map.bind("")
    if not adapter.test(GAME + path, method):
        assert found == NOWHERE
    else:
        rule, arguments = adapter.match(GAME + path, method, return_rule=True)
        assert found.route
        assert (found.route.path, found.arguments) == (rule.rule, arguments)


@pytest.mark.parametrize(
    ("path", "arguments"),
    [
        ("/v1/games/x/replay/12", {"game_id": "x", "version": 12}),
        ("/v1/games/x/replay/012/board.svg", {"game_id": "x", "version": 12}),
        ("/play/a/b", {"rest": "a/b"}),
        ("/v1/games/x/replay/-1", None),
        ("/v1/games/x/replay/٣", None),
        ("/v1/games/x/replay/" + "1" * 5000, None),
        ("//v1/games/x", None),
        ("/v1//games", None),
        ("/v1/games/", None),
        ("/v1/games/x/", None),
        ("/play/", None),
    ],
)
def test_what_varies_in_a_path_is_a_part_a_plain_number_or_the_rest(path: str, arguments: Any) -> None:
    found = TABLE.find("GET", path)
    assert found == NOWHERE if arguments is None else found.arguments == arguments


def test_a_fixed_part_goes_before_one_that_varies_and_does_not_hide_what_lies_below_it() -> None:
    table = Table()
    route = table.section("test")

    @route("GET", "/games/<game>/head")
    def head(game: str) -> Any: ...

    @route("GET", "/games/batch")
    def batch() -> Any: ...

    assert table.find("GET", "/games/batch") == Found(table.routes[1], {})
    assert table.find("GET", "/games/batch/head") == Found(table.routes[0], {"game": "batch"})


def test_no_two_routes_have_the_same_method_and_path() -> None:
    table = Table()
    route = table.section("test")
    route("GET", "/twice")(lambda: Response(204, []))
    with pytest.raises(AssertionError, match="GET /twice is there already"):
        route("GET", "/twice")(lambda: Response(204, []))


def test_the_new_route_of_the_page_about_the_house_is_all_that_a_route_takes(api: Api) -> None:
    diff = re.search(r"```diff\n--- (services/api/routes/\S+)\n.*?\n(.*?)```", ARCHITECTURE.read_text(), re.S)
    assert diff
    table = Table({"log": "The log."})
    module = import_module(diff[1].removesuffix(".py").replace("/", "."))
    added = "\n".join(line.removeprefix("+") for line in diff[2].splitlines())
    exec(added, {**vars(module), "route": table.section("log")})
    (new,) = table.routes
    spec = APISpec("Test", "1", "3.1.0")
    add_operations(spec, table, {}, lambda body: {"title": body.__name__})
    assert list(spec.to_dict()["paths"]) == ["/v1/games/{game_id}/pulse"]
    game = new_game(api)
    shown = game.show()
    api.application = Application(table, api.context, ApiHooks(()))
    asked = api.call("GET", f"{game.path}/pulse", None, {})
    assert (asked.status, asked.json) == (200, {"version": shown["version"], "hash": shown["hash"]})
    assert new.name == "show_pulse"


def test_players_go_through_the_loop_and_what_takes_long_apart() -> None:
    assert place_of("POST", f"{GAME}/actions") == "loop"
    assert place_of("GET", GAME) == "loop"
    assert place_of("GET", f"{GAME}/audit") == "slow"
    assert place_of("GET", f"{GAME}/board.svg") == place_of("GET", f"{GAME}/replay/7/board.svg") == "slow"
    assert place_of("GET", "/v1/games") == "threads"


def test_a_body_is_read_only_where_one_is_wanted() -> None:
    assert route_of("POST", "/v1/records").largest_body == LARGEST_BODY
    assert route_of("POST", f"{GAME}/actions").largest_body == SMALL_BODY
    assert route_of("GET", f"{GAME}/actions").largest_body == 0
    assert largest_body("POST", None) == 0
    assert largest_body("OPTIONS", route_of("POST", "/v1/records")) == 0


@pytest.mark.parametrize(
    ("method", "path", "place"),
    [
        ("GET", f"{GAME}/events", "door"),
        ("GET", f"{GAME}/replay", "slow"),
        ("POST", "/v1/records", "slow"),
        ("GET", "/openapi.json", "threads"),
        ("GET", "/nowhere", "loop"),
    ],
)
def test_only_what_can_be_watched_is_let_in_at_the_door(method: str, path: str, place: str) -> None:
    assert place_of(method, path, b"", STREAM) == place


def test_a_long_body_is_not_dealt_with_in_the_loop() -> None:
    assert place_of("POST", f"{GAME}/actions", b" " * QUICK_BODY) == "loop"
    assert place_of("POST", f"{GAME}/actions", b" " * (QUICK_BODY + 1)) == "slow"
