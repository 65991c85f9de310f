"""Creating games with tags, named bots and total clocks; asking whether an action would be accepted."""

from typing import Any

import pytest

from events.clocks import milliseconds
from tests.api.client import CLUB, OPERATOR, Api, Table, build_api, new_game
from tests.api.conftest import MakeApi
from tests.events.logs import Watch, ticking_scribe
from tests.servers import ValkeyServer

TOTAL = {"total_seconds": 600, "increment_seconds": 5}


def create(api: Api, token: str | None = CLUB, **members: Any) -> Any:
    return api.post("/v1/games", {"ruleset": "babel", **members}, token)


# -- tags ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("token", [CLUB, OPERATOR])
def test_a_host_or_an_operator_tags_games(api: Api, token: str) -> None:
    tags = ["cup-2026", "round.1", "z_" + "9" * 62]
    game = new_game(api, "babel", token=token, tags=tags)
    assert game.created["tags"] == game.show()["tags"] == tags
    assert game.get("/events").json["items"][0]["data"]["tags"] == tags


def test_nobody_else_does(api: Api) -> None:
    assert create(api, None, tags=["cup"]).status == 401
    assert create(api, None, tags=[]).json["tags"] == []


def test_tags_are_absent_from_the_log_where_there_are_none(api: Api) -> None:
    game = new_game(api, "babel", tags=[])
    assert "tags" not in game.get("/events").json["items"][0]["data"]


@pytest.mark.parametrize(
    "tags",
    [["Cup"], [""], ["a" * 65], ["a b"], ["a\n"], ["é"], ["a", "a"], [7], "a", list("abcdefghi")],
    ids=str,
)
def test_tags_that_are_none_are_refused(quiet_api: Api, tags: Any) -> None:
    answer = create(quiet_api, tags=tags)
    assert (answer.status, answer.code) == (422, "invalid_request")
    assert "tags" in answer.json["errors"]["json"]


# -- bots with names ----------------------------------------------------------------------------------------------------


def test_a_bot_may_have_a_name_and_a_ref(api: Api) -> None:
    game = new_game(api, "babel", ["Ada", {"bot": "greedy", "name": "Hal", "ref": "bot-9"}])
    seat = game.show()["seats"][1]
    assert (seat["name"], seat["bot"], seat["ref"]) == ("Hal", "greedy", "bot-9")
    assert set(game.tokens) == {0}
    assert game.get("", token=game.token(0)).json["seats"][1]["name"] == "Hal"


def test_a_bot_without_a_name_is_called_by_its_level(api: Api) -> None:
    assert new_game(api, "babel", ["Ada", {"bot": "greedy"}]).show()["seats"][1]["name"] == "greedy bot"


def test_a_seated_player_names_a_bot_but_gives_it_no_ref(api: Api) -> None:
    game = new_game(api, "babel", ["Ada"], token=None, seats=2)
    refused = game.post("/seats", {"bot": "random", "ref": "r"}, game.token(0))
    assert (refused.status, refused.code) == (403, "forbidden")
    assert game.post("/seats", {"bot": "random", "name": "Hal"}, game.token(0)).status == 201
    assert game.show()["seats"][1]["name"] == "Hal"
    assert game.post("/seats", {"name": "Me again"}, game.token(0)).code == "forbidden"


# -- clocks -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def timed(make_api: MakeApi, watch: Watch) -> Table:
    """A game with ten minutes for each, and five seconds more after each turn."""
    return new_game(make_api(entry_factory=ticking_scribe(watch)), "lanterns", clock=TOTAL)


def test_a_total_clock_tells_what_is_left_and_when_it_ends(timed: Table, watch: Watch) -> None:
    shown = timed.show()
    assert shown["clock"] == TOTAL
    assert shown["left"] == {"0": 600_000, "1": 600_000, "2": 600_000}
    asked = milliseconds(timed.get("/events").json["items"][-1]["at"])
    assert all(milliseconds(due) == asked + 600_000 for due in shown["deadlines"].values())
    watch.wind(60)
    timed.play(1)
    left = timed.show()["left"]
    assert 540_000 <= left["0"] <= 545_000


def test_an_increment_is_none_unless_it_is_given(api: Api) -> None:
    game = new_game(api, "lanterns", clock={"total_seconds": 60})
    assert game.show()["clock"] == {"total_seconds": 60, "increment_seconds": 0}
    assert new_game(api, clock={"turn_seconds": 60}).show()["left"] == {}


def test_a_deadline_binds_when_acting_but_not_when_asking(timed: Table, watch: Watch) -> None:
    seat = timed.show()["to_act"][0]
    action = timed.legal(seat)[0]
    watch.wind(601)
    head = timed.head
    late = timed.act(seat, action)
    assert (late.status, late.code) == (409, "deadline_passed")
    assert timed.post("/actions/check", action, timed.token(seat)).json == {"legal": True}
    assert timed.show()["left"][str(seat)] == 600_000, "as of the latest entry"
    assert timed.head == head
    assert timed.post("/resignation", token=timed.token(seat)).status == 201


@pytest.mark.parametrize(
    "clock",
    [
        {},
        {"turn_seconds": 60, "total_seconds": 600},
        {"turn_seconds": 60, "increment_seconds": 5},
        {"increment_seconds": 5},
        {"turn_seconds": 0},
        {"total_seconds": 0},
        {"total_seconds": 10_000_001},
        {"total_seconds": 60, "increment_seconds": -1},
        {"total_seconds": 60, "increment_seconds": 10_000_001},
        {"total_seconds": "60"},
        {"total_seconds": 60, "delay": 3},
    ],
    ids=str,
)
def test_a_clock_that_is_none_or_two_is_refused(quiet_api: Api, clock: Any) -> None:
    answer = create(quiet_api, clock=clock)
    assert (answer.status, answer.code) == (422, "invalid_request")
    assert "clock" in answer.json["errors"]["json"]


# -- asking -------------------------------------------------------------------------------------------------------------


def test_whether_an_action_would_be_accepted_is_a_call_of_its_own(api: Api) -> None:
    game = new_game(api, "babel")
    head, token = game.head, game.token(0)
    assert game.post("/actions/check", game.legal(0)[0], token).json == {"legal": True}
    wrong = {"type": "travel", "site": "nowhere"}
    for action in (wrong, {"type": "end_turn"}, {"type": "what"}):
        checked = game.post("/actions/check", action, token)
        assert (checked.status, checked.json["legal"]) == (200, False)
        assert checked.body == game.post("/actions?dry_run=true", action, token).body
    assert game.post("/actions/check?decision=1", game.legal(0)[0], token).json["code"] == "decision_passed"
    assert game.post("/actions/check", [game.legal(0)[0]], token).code == "invalid_request"
    assert game.post("/actions/check", wrong).status == 401
    assert game.head == head


# -- games of the first terms -------------------------------------------------------------------------------------------


def test_nothing_new_is_written_into_a_game_of_the_first_terms(
    valkey: ValkeyServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with valkey.client(db=7) as client:
        client.flushdb()
    api = build_api(f"{valkey.url}?db=7")
    monkeypatch.setattr("events.entries.TERMS", 1)
    old = new_game(api, "lanterns", ["Ada"], token=None, seats=3)
    playing = new_game(api, "babel")
    heads = old.head, playing.head
    refused = [
        old.leave(0, old.token(0)),
        old.post("/abort", token=old.token(0)),
        old.post("/seats", {"bot": "random", "name": "Hal"}, old.token(0)),
        playing.post("/adjudication", {"winners": [0], "why": "so"}, CLUB),
    ]
    assert [(answer.status, answer.code) for answer in refused] == [(409, "old_terms")] * 4
    assert (old.head, playing.head) == heads
    assert old.post("/seats", {"bot": "random"}, old.token(0)).status == 201
    api.close()
