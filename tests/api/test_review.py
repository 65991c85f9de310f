"""The review of a game over HTTP: who may begin it, how far it is, what it says, and how it ends."""

import json
from typing import Any

import msgspec
import pytest

from events.canonical import canonical
from services.bodies.review import ReviewBody
from services.worker.queue import WorkQueue
from services.worker.review_job import continue_review
from tests.api.client import CLUB, OPERATOR, SCHOOL, Api, Table, new_game
from tests.api.conftest import MakeApi
from tests.api.finished import settled_game
from tests.servers import ValkeyServer


@pytest.fixture
def game(api: Api) -> Table:
    return given_up(api)


def given_up(api: Api, **wanted: Any) -> Table:
    """A game of a few moves, settled."""
    game = new_game(api, **wanted)
    for _ in range(4):
        seat = game.show(0)["to_act"][0]
        assert game.act(seat, game.legal(seat)[0]).status == 201
    for seat in (0, 1):
        assert game.post("/resignation", token=game.token(seat)).status == 201
    game.settle()
    api.project(game.id)
    return game


@pytest.fixture
def work(api: Api, valkey: ValkeyServer) -> Any:
    """Does what a worker does: makes the review of a game."""

    def make(game: Table) -> None:
        with valkey.client() as queue:
            assert not continue_review(api.context.ledger, WorkQueue(queue), game.id)

    return make


def test_a_review_is_begun_followed_and_read(api: Api, game: Table, work: Any) -> None:
    begun = game.post("/review", token=game.token(0))
    assert (begun.status, begun.json) == (202, {"status": "waiting", "progress": 0})
    assert (game.get("/review").status, game.get("/review").json["status"]) == (202, "waiting")
    work(game)
    made = game.get("/review")
    assert (made.status, made.json["status"], made.json["progress"]) == (200, "done", 100)
    assert (made.json["game"], made.json["version"]) == (game.id, game.show()["version"])
    assert len(made.json["decisions"]) == 4
    decision = made.json["decisions"][0]
    assert sum(decision["before"]) == sum(decision["after"]) == 1000
    again = game.post("/review", token=game.token(0))
    assert (again.status, again.body) == (200, made.body)


def test_to_begin_a_review_twice_is_to_begin_it_once(api: Api, game: Table) -> None:
    for token in (game.token(0), game.token(0), CLUB, OPERATOR):
        assert game.post("/review", token=token).status == 202
    assert list(api.context.reviews.under_way()) == [game.id]


def test_seats_the_host_and_operators_begin_and_end_it_and_nobody_else(game: Table) -> None:
    for method in ("POST", "DELETE"):
        for token, code in ((None, "unauthorized"), (SCHOOL, "forbidden")):
            assert game.api.send(method, f"{game.path}/review", None, token).code == code
    for token in (game.token(0), game.token(2), CLUB, OPERATOR):
        assert game.post("/review", token=token).status == 202
        assert game.api.delete(f"{game.path}/review", token).status == 204
        assert game.get("/review").code == "no_review"


def test_where_no_review_was_begun_it_is_said_how_to_begin_one(game: Table) -> None:
    answer = game.get("/review")
    assert (answer.status, answer.code) == (404, "no_review")
    assert "POST" in answer.json["detail"]
    assert "POST" in game.get("/review", Accept_Language="fr").json["detail"]


def test_a_review_that_is_there_can_be_dropped_and_made_again(game: Table, work: Any) -> None:
    game.post("/review", token=CLUB)
    work(game)
    first = game.get("/review").body
    assert game.api.delete(f"{game.path}/review", CLUB).status == 204
    assert game.get("/review").status == 404
    assert game.api.delete(f"{game.path}/review", CLUB).status == 204, "to end what is not there is no fault"
    game.post("/review", token=CLUB)
    work(game)
    assert game.get("/review").body == first


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_a_game_that_is_not_settled_has_no_review(api: Api, method: str) -> None:
    game = new_game(api)
    answer = api.send(method, f"{game.path}/review", None, OPERATOR)
    assert (answer.status, answer.code) == (409, "not_settled")


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_a_game_that_never_began_has_nothing_to_review(api: Api, method: str) -> None:
    game = new_game(api, players=0, seats=3)
    assert game.post("/abort", token=OPERATOR).status == 201
    game.settle()
    answer = api.send(method, f"{game.path}/review", None, OPERATOR)
    assert (answer.status, answer.code) == (409, "nothing_to_review")
    assert "review" not in game.show()["links"]


def test_a_settled_game_leads_to_its_review(api: Api, game: Table) -> None:
    assert game.show()["links"]["review"] == f"{game.path}/review"
    assert "review" not in new_game(api).show()["links"]


def test_a_review_has_an_etag_and_is_compressed_if_everyone_may_see_it(
    api: Api, game: Table, work: Any
) -> None:
    game.post("/review", token=CLUB)
    assert "etag" not in game.get("/review").headers
    work(game)
    made = game.get("/review")
    assert game.get("/review", If_None_Match=made.headers["etag"]).status == 304
    packed = game.get("/review", Accept_Encoding="gzip")
    assert packed.headers["content-encoding"] == "gzip"
    assert len(packed.body) < len(made.body)


def test_the_review_of_a_private_game_is_for_those_who_may_read_its_record(api: Api, work: Any) -> None:
    game = given_up(api, private=True)
    assert game.post("/review", token=game.token(1)).status == 202
    work(game)
    code = game.created["join_code"]
    for token, query in ((None, ""), (SCHOOL, ""), (None, f"?join_code={code}")):
        for path in ("/record", "/review"):
            assert game.get(path + query, token).code == "game_not_found"
    for token in (game.token(0), CLUB, OPERATOR):
        seen = game.get("/review", token, Accept_Encoding="gzip")
        assert (seen.status, "content-encoding" in seen.headers) == (200, False)


def test_a_failed_review_is_told_and_begun_anew_when_asked_for(api: Api, game: Table) -> None:
    game.post("/review", token=CLUB)
    run = api.context.reviews.run(game.id)
    assert run
    tag = f"1:{api.context.store.head(game.id).hash}"
    assert api.context.reviews.fail(game.id, run, tag, "it would not be made")
    failed = game.get("/review")
    assert (failed.status, failed.json) == (200, {"status": "failed", "progress": 0})
    assert game.post("/review", token=CLUB).json["status"] == "waiting"


def test_only_so_many_reviews_are_under_way_for_one_and_for_all(make_api: MakeApi) -> None:
    api = make_api(reviews_at_once=3, reviews_per_caller=1)
    games = [given_up(api) for _ in range(5)]
    by_players = [game.post("/review", token=game.token(0)) for game in games[:2]]
    assert [answer.status for answer in by_players] == [202, 429]
    assert by_players[1].code == "rate_limited"
    assert int(by_players[1].headers["retry-after"]) > 0
    assert [game.post("/review", token=CLUB).status for game in games[1:3]] == [202, 429]
    assert games[2].post("/review", token=OPERATOR).status == 202
    assert games[3].post("/review", token=OPERATOR).status == 429, "three are under way"
    assert games[0].post("/review", token=CLUB).status == 202, "it is under way already"
    assert games[0].api.delete(f"{games[0].path}/review", CLUB).status == 204
    assert games[3].post("/review", token=games[3].token(0)).status == 202


def test_a_review_takes_no_parameters_and_no_nonsense(game: Table) -> None:
    assert game.get("/review?depth=9").code == "invalid_request"
    assert game.post("/review?depth=9", token=CLUB).code == "invalid_request"
    assert (
        game.api.send("POST", f"{game.path}/review", b"{", CLUB, Content_Type="application/json").status
        == 400
    )
    assert game.get("/review").status == 404


def test_a_whole_review_stands_in_its_schema(game: Table, work: Any) -> None:
    game.post("/review", token=CLUB)
    work(game)
    body = game.get("/review").body
    assert json.loads(canonical(msgspec.json.decode(body, type=ReviewBody))) == json.loads(body)


def test_a_finished_game_is_reviewed_to_its_end(api: Api, work: Any) -> None:
    game = settled_game(api)
    game.post("/review", token=CLUB)
    work(game)
    winners = game.show()["outcome"]["winners"]
    chances = game.get("/review").json["curve"][-1]["chances"]
    assert [seat for seat, chance in enumerate(chances) if chance] == winners
