"""Servers with other versions of the rules: a running game keeps its own, and without it there is a clear answer."""

from collections.abc import Callable, Iterator

import pytest

from games.kernel import Registry
from tests.api.client import CLUB, OPERATOR, SEED, Api, Table, build_api, new_game
from tests.api.finished import close, finish, verdicts
from tests.servers import ValkeyServer
from tests.versions import BOTH, FIRST, SECOND

DATABASE = 6
Serve = Callable[[Registry], Api]


@pytest.fixture
def serve(valkey: ValkeyServer) -> Iterator[Serve]:
    """Servers on one store, each with rules of its own: what is seen before, during and after an upgrade."""
    with valkey.client(db=DATABASE) as client:
        client.flushdb()
    started: list[Api] = []

    def start(rulesets: Registry) -> Api:
        started.append(build_api(f"{valkey.url}?db={DATABASE}", rulesets=rulesets))
        return started[-1]

    yield start
    for api in started:
        api.close()


def at(api: Api, game: Table) -> Table:
    """The same table on another server."""
    return Table(api, game.created)


def test_a_running_game_keeps_its_version_through_an_upgrade(serve: Serve) -> None:
    game = new_game(serve(FIRST))
    game.play(4)
    upgraded = serve(BOTH)
    finished = finish(at(upgraded, game)).show()
    assert (finished["ruleset_version"], finished["outcome"]["reason"]) == (1, "rounds_played")
    assert at(upgraded, game).get("/audit").json["verdict"] == "pass"


def test_new_games_take_the_newest_version(serve: Serve) -> None:
    game = new_game(serve(BOTH), seed=SEED)  # of a deal in which somebody comes to two points
    finished = finish(game).show()
    assert (finished["ruleset_version"], finished["outcome"]["reason"]) == (2, "two_points")
    assert game.get("/audit").json["verdict"] == "pass"


def test_a_fork_keeps_the_version_of_its_parent_though_there_is_a_newer_one(serve: Serve) -> None:
    parent = finish(new_game(serve(FIRST)))
    upgraded = at(serve(BOTH), parent)
    named = [{"name": name} for name in ("Ada", "Ben", "Cleo")]
    child = Table(upgraded.api, upgraded.post("/forks", {"version": 8, "players": named}, CLUB).json)
    assert child.show()["ruleset_version"] == 1
    assert finish(child).show()["outcome"]["reason"] == "rounds_played"
    assert child.get("/audit").json["verdict"] == "pass"


@pytest.mark.parametrize(("began", "left"), [(FIRST, SECOND), (SECOND, FIRST)])
def test_a_server_without_the_games_version_says_so_and_changes_nothing(
    serve: Serve, began: Registry, left: Registry
) -> None:
    game = new_game(serve(began))
    game.play(2)
    game.api.project(game.id)
    other = at(serve(left), game)
    head = game.head
    for path in ("", "/events", "/head", "/actions", "/audit", "/record", "/replay", "/forks"):
        refused = other.get(path, game.token(0))
        assert (refused.status, refused.code) == (503, "ruleset_version_missing"), path
    for path in ("/actions", "/resignation", "/abort", "/seats", "/tickets"):
        body = {"name": "Eve"} if path == "/seats" else {"type": "lay", "card": 1}
        token = OPERATOR if path in ("/abort", "/seats") else game.token(0)
        refused = other.post(path, body, token)
        assert (refused.status, refused.code) == (503, "ruleset_version_missing"), path
    assert game.head == head
    assert finish(game).get("/audit").json["verdict"] == "pass"


def test_lists_go_on_without_a_version(serve: Serve) -> None:
    game = new_game(serve(FIRST))
    game.api.project(game.id)
    assert [row["id"] for row in serve(SECOND).get("/v1/games").json["items"]] == [game.id]


def test_a_private_game_stays_hidden_though_its_version_is_missing(serve: Serve) -> None:
    game = new_game(serve(FIRST), private=True)
    other = at(serve(SECOND), game)
    for token in (None, "wrong"):
        assert other.get("", token).code == "game_not_found"
        assert other.post("/seats", {"name": "Eve"}, token).code == "game_not_found"
    for allowed in (game.token(1), CLUB, OPERATOR):
        assert other.get("", allowed).code == "ruleset_version_missing"


def test_a_game_that_is_not_there_is_not_found_whatever_the_versions(serve: Serve) -> None:
    assert serve(SECOND).get("/v1/games/07-" + "0" * 26).code == "game_not_found"
    assert serve(SECOND).post("/v1/games", {"ruleset": "chess"}, CLUB).code == "unknown_ruleset"


def test_a_record_of_a_missing_version_is_audited_as_far_as_it_goes(serve: Serve) -> None:
    record = finish(new_game(serve(FIRST))).get("/record").json
    audit = serve(SECOND).post("/v1/records", record).json
    left = {name for name, verdict in verdicts(audit).items() if verdict != "pass"}
    assert (audit["verdict"], left) == ("incomplete", {"facts", "states", "outcome"})
    assert "not here" in str(audit["checks"][4]["detail"])
    assert serve(BOTH).post("/v1/records", record).json["verdict"] == "pass"


def test_a_game_comes_back_with_its_version(serve: Serve) -> None:
    game = new_game(serve(SECOND))
    game.play(2)
    view = game.show(0)
    assert at(serve(FIRST), game).get("").status == 503
    assert at(serve(BOTH), game).show(0) | {"now": ""} == view | {"now": ""}
    game.post("/abort", token=OPERATOR)
    assert close(game).get("/audit").json["verdict"] == "pass"
