"""Lists over HTTP: who sees what of the lobby, results and standings."""

from typing import Any

import pytest

from tests.api.client import CLUB, OPERATOR, SCHOOL, Api, new_game
from tests.api.finished import close

ADA, BEN = {"name": "Ada", "ref": "u-1"}, {"name": "Ben", "ref": "u-2"}


def finished(api: Api, token: str = CLUB, **more: Any) -> str:
    game = new_game(api, "babel", [ADA, BEN], token, **more)
    game.post("/resignation", token=game.token(0))
    return close(game).id


def listed(api: Api, path: str, token: str | None = None) -> set[str]:
    answer = api.get(path, token)
    assert answer.status == 200, answer
    return {row.get("id") or row["game"] for row in answer.json["items"]}


def test_hosts_see_their_own_private_games_and_operators_all(api: Api) -> None:
    public, hidden = finished(api), finished(api, private=True)
    other = finished(api, SCHOOL, private=True)
    for path in ("/v1/games", "/v1/results", "/v1/games?status=ended", "/v1/results?player=u-1"):
        assert listed(api, path) == {public}
        assert listed(api, path, CLUB) == {public, hidden}
        assert listed(api, path, SCHOOL) == {other} | (set() if "player" in path else {public})
        assert listed(api, path, OPERATOR) == {public, hidden, other}
    assert listed(api, "/v1/games?host=school", OPERATOR) == {other}
    assert listed(api, "/v1/games?host=school", CLUB) == set()


def test_a_hosts_refs_are_its_own_unless_it_asks_for_anothers(api: Api) -> None:
    club, school = finished(api), finished(api, SCHOOL)
    assert listed(api, "/v1/games?player=u-1") == {club, school}
    assert listed(api, "/v1/games?player=u-1&host=school") == {school}
    assert listed(api, "/v1/games?player=u-1", CLUB) == {club}
    assert listed(api, "/v1/games?player=u-1&host=school", CLUB) == {school}


def test_rows_tell_clock_tags_host_and_who_is_to_act(api: Api) -> None:
    game = new_game(api, "babel", [ADA, BEN], clock={"turn_seconds": 3600})
    api.project(game.id)
    (row,) = api.get("/v1/games?to_act=u-1").json["items"] or api.get("/v1/games?to_act=u-2").json["items"]
    assert row["to_act"] == game.show()["to_act"]
    assert row["deadlines"] == game.show()["deadlines"] != {}
    assert ([seat["ref"] for seat in row["seats"]], row["settled"]) == (["u-1", "u-2"], False)
    assert (row["clock"], row["tags"], row["host"], row["private"]) == (
        {"turn_seconds": 3600},
        [],
        "club",
        False,
    )
    game.post("/resignation", token=game.token(0))
    close(game)
    (ended,) = api.get("/v1/games").json["items"]
    assert (ended["settled"], ended["deadlines"]) == (True, {})
    (row,) = api.get("/v1/results").json["items"]
    assert (row["clock"], row["tags"], row["host"], row["to_act"]) == ({"turn_seconds": 3600}, [], "club", [])


@pytest.mark.parametrize("path", ["/v1/games", "/v1/results"])
def test_a_wrong_token_is_refused_and_a_seats_is_a_spectators(api: Api, path: str) -> None:
    game = new_game(api, "babel", private=True)
    api.project(game.id)
    assert api.get(path, "nonsense").code == "unauthorized"
    assert listed(api, path, game.token(0)) == set()


def test_standings_are_paged_and_name_the_players(api: Api) -> None:
    for _ in range(2):
        finished(api)
    finished(api, private=True)
    best = {
        "host": "club",
        "ref": "u-2",
        "name": "Ben",
        "played": 2,
        "won": 2,
        "won_alone": 2,
        "shared": 0,
        "lost": 0,
        "points": 4,
    }
    worst = {
        "host": "club",
        "ref": "u-1",
        "name": "Ada",
        "played": 2,
        "won": 0,
        "won_alone": 0,
        "shared": 0,
        "lost": 2,
        "points": 0,
    }
    assert api.get("/v1/standings").json == {"items": [best, worst], "next": None}
    first = api.get("/v1/standings?ruleset=babel&host=club&limit=1").json
    assert first["items"] == [best]
    second = api.get(f"/v1/standings?ruleset=babel&host=club&limit=1&cursor={first['next']}").json
    assert second == {"items": [worst], "next": None}
    assert api.get("/v1/standings?tag=cup").json == api.get("/v1/standings?host=school").json
    assert api.get("/v1/standings?tag=cup").json == {"items": [], "next": None}
    assert api.get("/v1/standings?cursor=e30=").code == "invalid_request"


def test_a_name_that_was_forgotten_is_gone_from_the_standings(api: Api) -> None:
    game = finished(api)
    api.context.store.forget(game, 1)
    assert [row["name"] for row in api.get("/v1/standings").json["items"]] == [None, "Ada"]


@pytest.mark.parametrize("path", ["/v1/games", "/v1/results", "/v1/standings"])
def test_a_page_has_at_least_one_item(api: Api, path: str) -> None:
    assert (api.get(f"{path}?limit=1").status, api.get(f"{path}?limit=0").code) == (200, "invalid_request")
