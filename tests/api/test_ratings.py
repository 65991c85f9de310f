"""Ratings over HTTP: a host's players in one ruleset, best first."""

from typing import Any

from services.worker.rating_job import rate_pool
from tests.api.client import CLUB, Api, new_game


def play(api: Api, loser: int, **more: Any) -> None:
    """A game of two players that the club names; one of them gives up."""
    players = [{"name": "Ada", "ref": "a-1"}, {"name": "Ben", "ref": "b-2"}]
    game = new_game(api, "babel", players, CLUB, **more)
    assert game.post("/resignation", token=game.token(loser)).status == 201
    game.settle()
    api.project(game.id)
    for pool in api.context.ratings.stale_pools():
        rate_pool(api.context.ratings, pool)


def ratings(api: Api, query: str = "ruleset=babel&host=club") -> Any:
    return api.get(f"/v1/ratings?{query}").json


def test_ratings_tell_strength_and_how_sure_it_is(api: Api) -> None:
    assert ratings(api) == {"items": [], "next": None}
    play(api, loser=0)
    assert ratings(api)["items"] == [
        {"ref": "b-2", "name": "Ben", "mu": 27.635, "sigma": 8.066, "ordinal": 3.438, "played": 1},
        {"ref": "a-1", "name": "Ada", "mu": 22.365, "sigma": 8.066, "ordinal": -1.833, "played": 1},
    ]
    play(api, loser=1)
    play(api, loser=1)
    assert [(row["ref"], row["played"]) for row in ratings(api)["items"]] == [("a-1", 3), ("b-2", 3)]


def test_a_page_leads_to_the_next(api: Api) -> None:
    play(api, loser=0)
    first = ratings(api, "ruleset=babel&host=club&limit=1")
    second = ratings(api, f"ruleset=babel&host=club&limit=1&cursor={first['next']}")
    assert [page["items"][0]["ref"] for page in (first, second)] == ["b-2", "a-1"]
    assert second["next"] is None


def test_ratings_are_those_of_one_ruleset_and_one_host(api: Api) -> None:
    play(api, loser=0)
    assert ratings(api, "ruleset=babel")["items"] == []
    assert ratings(api, "ruleset=aton&host=club")["items"] == []
    assert ratings(api, "ruleset=babel&host=school")["items"] == []
    answer = api.get("/v1/ratings?host=club")
    assert (answer.status, answer.code) == (422, "invalid_request")
    assert "ruleset" in answer.json["errors"]["query"]
    assert api.get("/v1/ratings?ruleset=babel&tag=cup").status == 422


def test_a_name_that_was_forgotten_is_null(api: Api) -> None:
    play(api, loser=0)
    (game,) = (row["game"] for row in api.get("/v1/results").json["items"])
    api.context.store.client.delete(f"stele:{{{game[:2]}}}:game:{game}:people")
    assert [row["name"] for row in ratings(api)["items"]] == [None, None]
