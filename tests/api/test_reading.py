"""Reading a game: events in pages and lines, heads, tickets, waiting, what is settled."""

import json
from collections.abc import Iterator
from itertools import islice

import pytest
from redis.exceptions import ConnectionError as RedisConnectionError

from events.entries import Carved
from events.store import EventStore
from tests.api.client import CLUB, OPERATOR, Api, new_game
from tests.api.finished import close


def test_events_come_in_pages(api: Api) -> None:
    game = new_game(api, "babel")
    game.play(3)
    first = game.get("/events?limit=4").json
    assert [event["seq"] for event in first["items"]] == [1, 2, 3, 4]
    second = game.get(f"/events?limit=4&after={first['next']}").json
    assert [event["seq"] for event in second["items"]] == [5, 6, 7]
    assert second["next"] is None


def test_events_come_line_by_line(api: Api) -> None:
    game = new_game(api, "babel")
    answer = game.get("/events", Accept="application/x-ndjson")
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    lines = [json.loads(line) for line in answer.body.splitlines()]
    assert lines == game.get("/events").json["items"]


@pytest.mark.parametrize(
    ("failure", "code"),
    [(RedisConnectionError("gone"), "store_unavailable"), (RuntimeError("a secret"), "internal_error")],
    ids=["the store goes away", "something breaks"],
)
def test_a_list_that_breaks_off_ends_with_a_problem(
    api: Api, monkeypatch: pytest.MonkeyPatch, failure: Exception, code: str
) -> None:
    game = new_game(api, "babel")
    walk = EventStore.walk

    def broken_walk(store: EventStore, game: str, after: int = 0) -> Iterator[Carved]:
        yield from islice(walk(store, game, after), 2)
        raise failure

    monkeypatch.setattr(EventStore, "walk", broken_walk)
    answer = game.get("/events", Accept="application/x-ndjson")
    assert answer.status == 200
    *events, last = [json.loads(line) for line in answer.body.splitlines()]
    assert [event["seq"] for event in events] == [1, 2]
    assert last["code"] == code
    assert b"secret" not in answer.body


def test_a_list_that_fails_at_once_is_answered_with_the_problem(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = new_game(api, "babel")

    def broken_walk(store: EventStore, game: str, after: int = 0) -> Iterator[Carved]:
        raise RedisConnectionError("gone")

    monkeypatch.setattr(EventStore, "walk", broken_walk)
    answer = game.get("/events", Accept="application/x-ndjson")
    assert (answer.status, answer.json["code"]) == (503, "store_unavailable")


@pytest.mark.parametrize("path", ["/events", "/replay"])
@pytest.mark.parametrize("form", ["application/json", "application/x-ndjson"])
def test_a_cache_is_told_that_the_form_depends_on_what_is_accepted(api: Api, path: str, form: str) -> None:
    game = new_game(api, "babel")
    answer = game.get(path, Accept=form)
    assert {each.strip() for each in answer.headers["vary"].split(",")} == {"Accept", "Authorization"}
    if form == "application/json":
        again = game.get(path, Accept=form, If_None_Match=answer.headers["etag"])
        assert (again.status, again.headers["vary"]) == (304, answer.headers["vary"])


def test_an_event_shows_only_what_its_viewer_may_see(api: Api) -> None:
    game = new_game(api, "lanterns", seed="07" * 32)
    game.act(0, game.legal(0)[0])
    for viewer in (None, 0, 1):
        event = game.get("/events?after=5", game.token(viewer)).json["items"][0]
        assert not {"salt", "state", "req"} & set(event)
        assert "random" not in event["data"]
        shown = event["data"]["facts"][0]["card"]
        assert (shown is None) == (viewer != 0)
        assert ("card" in event["data"]["action"]) == (viewer == 0)


def test_everything_opens_when_a_game_is_settled(api: Api) -> None:
    game = new_game(api, "babel", position={"turn": 3})
    game.post("/resignation", token=game.token(0))
    assert game.get("/record").code == "not_settled"
    close(game)
    shown = game.show()
    assert shown["settled"]
    assert "position" in shown["origin"]
    assert game.get("?view=full").json["view"]["players"][0]["hand"] is not None
    events = game.get("/events").json["items"]
    assert all({"salt", "state", "req", "hash"} <= set(event) for event in events)
    assert events[-1]["data"]["seed"]
    assert game.get("/record").json["format"] == "stele-record/1"
    assert {check["check"]: check["verdict"] for check in game.get("/audit").json["checks"]}[
        "facts"
    ] == "pass"


def test_a_stream_of_a_settled_game_that_was_seen_to_its_end_is_not_begun_again(api: Api) -> None:
    game = new_game(api, "babel")
    game.post("/resignation", token=game.token(0))
    seen = {"Accept": "text/event-stream", "Last_Event_ID": str(game.head[0])}
    assert game.get("/events", **seen).status == 200
    close(game)
    assert game.get("/events", **seen).status == 200
    seen["Last_Event_ID"] = str(game.head[0])
    assert (game.get("/events", **seen).status, game.get("/events", **seen).body) == (204, b"")


def test_an_uploaded_record_is_audited_and_not_kept(api: Api) -> None:
    game = new_game(api, "babel")
    game.post("/resignation", token=game.token(0))
    close(game)
    record = game.get("/record").json
    assert api.post("/v1/records", record).json["verdict"] == "pass"
    record["entries"][3]["data"]["facts"][1]["turn"] = 2
    assert api.post("/v1/records", record).json["verdict"] == "fail"
    assert api.post("/v1/records", {"format": "another"}).code == "invalid_request"


def test_the_head_is_where_the_log_ends(api: Api) -> None:
    game = new_game(api, "babel")
    head = game.get("/head").json
    assert (head["version"], head["hash"]) == game.head


def test_a_ticket_reads_for_its_viewer_and_does_nothing_else(api: Api) -> None:
    game = new_game(api, "lanterns", private=True)
    ticket = game.post("/tickets", token=game.token(1)).json["ticket"]
    assert game.get(f"?ticket={ticket}").json["view"] == game.show(1)["view"]
    assert game.get(f"/events?ticket={ticket}").status == 200
    assert game.get(f"?ticket={ticket}x").status in (401, 404)
    assert new_game(api, "lanterns").get(f"?ticket={ticket}").code == "unauthorized"
    assert game.post(f"/actions?ticket={ticket}", game.legal(1)[0]).code == "invalid_request"
    game.post("/seats/1/token", token=CLUB)
    assert game.get(f"?ticket={ticket}").status in (401, 404)


def test_results_and_standings_count_settled_fresh_games_once(api: Api) -> None:
    players = [{"name": "Ada", "ref": "u-1"}, {"name": "Ben", "ref": "u-2"}]
    game = new_game(api, "babel", players)
    seeded = new_game(api, "babel", players, seed="07" * 32)
    for one in (game, seeded):
        one.post("/resignation", token=one.token(0))
        close(one)
        api.project(one.id)
        api.project(one.id)
    results = api.get("/v1/results").json
    assert [row["game"] for row in results["items"]] == [game.id]
    assert results["standings"] == [
        {"player": "u-2", "host": "club", "ruleset": "babel", "played": 1, "won": 1, "shared": 0},
        {"player": "u-1", "host": "club", "ruleset": "babel", "played": 1, "won": 0, "shared": 0},
    ]
    assert api.get("/v1/results?player=u-3").json == {
        "items": [],
        "next": None,
        "standings": [],
        "missing": [],
    }


def test_metrics_count_requests_by_route_and_never_by_game(api: Api) -> None:
    game = new_game(api, "babel")
    game.play()
    metrics = api.get("/metrics").body.decode()
    assert 'stele_requests_total{method="POST",route="/v1/games/<game_id>/actions",status="201"}' in metrics
    assert game.id not in metrics
    assert "stele_dirty" in metrics


def test_readiness_tells_what_waits(api: Api) -> None:
    new_game(api, "babel")
    ready = api.get("/readyz").json
    assert ready["ready"]
    assert ready["checks"]["dirty"] == 1
    assert ready["checks"]["stuck"] == 0


def test_the_whole_log_of_an_ended_game_is_open_to_operators_only_after_settlement(api: Api) -> None:
    game = new_game(api, "babel")
    game.post("/resignation", token=game.token(0))
    assert not {"salt", "state"} & set(game.get("/events", OPERATOR).json["items"][0])
    assert game.get("/audit").code == "not_settled"
    assert game.get("/audit", OPERATOR).status == 200
