"""Acting over HTTP: legal actions, lists, versions, decisions, dry runs, retries, giving up."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.api.client import CLUB, OPERATOR, Api, Table, new_game
from tests.api.conftest import MakeApi
from tests.events.logs import Watch, ticking_scribe
from tests.round_trips import count_round_trips


@pytest.fixture
def game(api: Api) -> Table:
    return new_game(api, "babel", seed="07" * 32)


def test_an_action_answers_with_its_version_hash_event_and_view(game: Table) -> None:
    action = game.legal(0)[0]
    answer = game.act(0, action)
    assert answer.status == 201
    assert (answer.json["version"], answer.json["hash"]) == game.head
    assert answer.json["event"]["data"]["action"] == action
    assert answer.json["view"] == game.show(0)["view"]


def test_an_action_of_a_game_that_is_known_takes_one_round_trip_however_long_its_log(
    game: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    game.play(1)
    game.api.compares = False
    trips = count_round_trips(monkeypatch)
    for number in range(30):
        seat = game.show()["to_act"][0]
        action = game.legal(seat)[0]
        trips.clear()
        assert game.act(seat, action, Idempotency_Key=f"move-{number}").status == 201
        assert len(trips) == 1
        trips.clear()
        game.show(seat)
        assert len(trips) == 1


def test_legal_actions_are_those_of_the_caller(game: Table) -> None:
    mine = game.get("/actions", game.token(0)).json
    assert (mine["seat"], mine["decision"], mine["version"]) == (0, 4, 4)
    assert mine["actions"]
    assert game.get("/actions", game.token(1)).json == {
        "version": 4,
        "decision": None,
        "seat": 1,
        "actions": [],
    }
    assert game.get("/actions").json == {"version": 4, "decision": None, "seat": None, "actions": []}


def test_if_match_refuses_an_action_meant_for_another_version(game: Table) -> None:
    action = game.legal(0)[0]
    stale = game.act(0, action, If_Match='"3.seat0"')
    assert (stale.status, stale.code) == (412, "version_conflict")
    assert (stale.json["expected"], stale.json["version"]) == (3, 4)
    assert game.act(0, action, If_Match='"4.whatever"').status == 201


def test_if_match_may_list_versions_of_which_one_must_be_right(game: Table) -> None:
    action = game.legal(0)[0]
    stale = game.act(0, action, If_Match='"2.seat0", "3.seat0"')
    assert (stale.code, stale.json["expected"], stale.json["version"]) == ("version_conflict", 3, 4)
    assert game.act(0, action, If_Match='"4.seat0", "so"').code == "invalid_request"
    assert game.act(0, action, If_Match='"3.seat0" , W/"4.seat0",').status == 201


def test_a_decision_that_has_passed_is_refused(game: Table) -> None:
    action = game.legal(0)[0]
    assert game.post("/actions?decision=3", action, game.token(0)).code == "decision_passed"
    assert game.post("/actions?decision=4", action, game.token(0)).status == 201
    assert game.post("/actions?decision=4", game.legal(0)[0], game.token(0)).code == "decision_passed"


def test_another_seats_action_leaves_a_decision_open(api: Api) -> None:
    game = new_game(api, "lanterns")
    assert game.show()["decisions"] == {"0": 5, "1": 5, "2": 5}
    assert game.act(1, game.legal(1)[0]).status == 201
    assert game.show()["decisions"] == {"0": 5, "2": 5}
    assert game.post("/actions?decision=5", game.legal(0)[0], game.token(0)).status == 201


def test_a_list_is_played_up_to_the_first_refusal_and_what_was_accepted_stands(game: Table) -> None:
    first = game.legal(0)[0]
    answer = game.act(
        0, [first, {"type": "migrate", "from": "medes", "to": "persians"}, {"type": "end_turn"}]
    )
    assert answer.status == 201
    assert [event["seq"] for event in answer.json["events"]] == [5]
    assert answer.json["stopped"]["index"] == 1
    assert answer.json["stopped"]["code"] == "too_few_cards"
    assert game.head[0] == answer.json["version"] == 5


def test_a_list_whose_first_action_is_refused_is_that_refusal(game: Table) -> None:
    before = game.head
    assert game.act(0, [{"type": "end_turn"}, game.legal(0)[0]]).code == "start_card_must_be_built"
    assert game.head == before


def test_a_dry_run_tells_what_would_happen_and_appends_nothing(game: Table) -> None:
    before = game.head
    assert game.post("/actions?dry_run=true", game.legal(0)[0], game.token(0)).json == {"legal": True}
    refused = game.post("/actions?dry_run=true", {"type": "end_turn"}, game.token(0))
    assert (refused.status, refused.json["legal"], refused.json["code"]) == (
        200,
        False,
        "start_card_must_be_built",
    )
    assert game.head == before


def test_a_retry_gives_the_first_answer_again_however_late(game: Table) -> None:
    action = game.legal(0)[0]
    first = game.act(0, action, Idempotency_Key="one")
    for _ in range(3):
        assert game.act(0, game.legal(0)[0]).status == 201
    again = game.act(0, action, Idempotency_Key="one")
    assert again.status == 201
    assert again.body == first.body
    assert again.headers["idempotent-replayed"] == "true"
    assert "idempotent-replayed" not in first.headers
    assert game.head[0] == 8


def test_a_retried_list_tells_again_where_it_stopped(game: Table) -> None:
    actions = [game.legal(0)[0], {"type": "end_turn"}]
    first = game.act(0, actions, Idempotency_Key="list")
    assert first.json["stopped"]["code"] == "start_card_must_be_built"
    assert game.act(0, actions, Idempotency_Key="list").body == first.body


def test_a_key_belongs_to_its_caller_its_body_and_its_call(game: Table) -> None:
    action = game.legal(0)[0]
    game.act(0, action, Idempotency_Key="one")
    assert game.act(0, {"type": "end_turn"}, Idempotency_Key="one").code == "idempotency_key_reused"
    resigned = game.post("/resignation", token=game.token(0), Idempotency_Key="two")
    assert resigned.status == 201
    assert game.post("/actions", None, game.token(0), Idempotency_Key="two").code == "idempotency_key_reused"
    assert game.post("/resignation", token=game.token(1), Idempotency_Key="one").code == "game_over"


def test_a_refusal_is_not_remembered(game: Table) -> None:
    assert game.act(0, {"type": "end_turn"}, Idempotency_Key="try").code == "start_card_must_be_built"
    assert game.act(0, game.legal(0)[0], Idempotency_Key="try").status == 201


def test_a_creation_is_retried_by_its_key(api: Api) -> None:
    key = "a-key-that-nobody-will-guess"
    body = {"ruleset": "babel", "players": [{"name": "Ada"}, {"name": "Ben"}]}
    first = api.post("/v1/games", body, Idempotency_Key=key)
    again = api.post("/v1/games", body, Idempotency_Key=key)
    assert first.status == again.status == 201
    assert first.body == again.body
    assert again.headers["idempotent-replayed"] == "true"
    assert api.post("/v1/games", {"ruleset": "aton"}, Idempotency_Key=key).code == "idempotency_key_reused"
    assert api.post("/v1/games", body, CLUB, Idempotency_Key=key).json["id"] != first.json["id"]
    assert api.post("/v1/games", body, Idempotency_Key="short").code == "weak_idempotency_key"


def test_sitting_down_is_retried_by_its_key(api: Api) -> None:
    game = new_game(api, "babel", players=0)
    first = game.post("/seats", {"name": "Ada"}, Idempotency_Key="k" * 22)
    again = game.post("/seats", {"name": "Ada"}, Idempotency_Key="k" * 22)
    assert (first.status, again.body) == (201, first.body)
    assert [seat["name"] for seat in game.show()["seats"]] == ["Ada", None]


def test_a_renewed_token_replaces_the_old_one_even_for_retries(game: Table) -> None:
    action = game.legal(0)[0]
    game.act(0, action, Idempotency_Key="one")
    renewed = game.post("/seats/0/token", token=CLUB, Idempotency_Key="renew")
    assert renewed.status == 201
    assert game.post("/seats/0/token", token=CLUB, Idempotency_Key="renew").body == renewed.body
    assert game.act(0, action, Idempotency_Key="one").code == "unauthorized"
    assert game.get("", game.token(0)).code == "unauthorized"
    again = game.post("/actions", action, renewed.json["token"], Idempotency_Key="one")
    assert again.headers["idempotent-replayed"] == "true"


def test_giving_up_ends_a_game_of_two_and_leaves_the_seat_its_eyes(game: Table) -> None:
    done = game.post("/resignation", token=game.token(1), Idempotency_Key="enough")
    assert done.json["view"]["outcome"]["winners"] == [0]
    assert game.post("/resignation", token=game.token(1), Idempotency_Key="enough").body == done.body
    assert game.post("/resignation", token=game.token(1)).code == "seat_withdrawn"
    assert game.act(1, {"type": "end_turn"}).code == "seat_withdrawn"
    assert game.show(1)["view"]["players"][1]["hand"] is not None


def test_giving_up_in_a_game_of_three_leaves_it_going(api: Api) -> None:
    game = new_game(api, "lanterns")
    assert game.post("/resignation", token=game.token(2)).status == 201
    shown = game.show(2)
    assert (shown["status"], shown["seats"][2]["withdrawn"]) == ("playing", "resigned")
    assert game.get("/actions", game.token(2)).json["actions"] == []


def test_nobody_acts_for_a_bot(api: Api) -> None:
    game = new_game(api, "babel", ["Ada", {"bot": "greedy"}])
    seat = {"seat": 1, "name": "greedy bot", "ref": None, "bot": "greedy", "withdrawn": None}
    assert game.show()["seats"][1] == seat
    assert 1 not in game.tokens
    token = api.context.authenticator.seat_token(game.id, 1, 0)
    assert game.post("/actions", {"type": "end_turn"}, token).code == "seat_is_bot"
    assert game.post("/seats/1/token", token=OPERATOR).code == "seat_is_bot"


def test_twenty_callers_at_once_play_one_action_once(game: Table) -> None:
    action = game.legal(0)[0]

    def send(number: int) -> Any:
        return game.act(0, action, Idempotency_Key="same")

    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(send, range(20)))
    assert {answer.body for answer in answers} == {answers[0].body}
    assert game.head[0] == 5


def test_simultaneous_choices_of_all_seats_are_all_accepted(api: Api) -> None:
    game = new_game(api, "lanterns")
    choices = [(seat, game.legal(seat)[0]) for seat in range(3)]
    with ThreadPoolExecutor(3) as pool:
        answers = list(pool.map(lambda choice: game.act(*choice), choices))
    assert [answer.status for answer in answers] == [201] * 3
    assert game.show()["view"]["round"] == 2


def test_a_move_after_the_deadline_is_refused_whether_or_not_a_worker_has_noticed(make_api: MakeApi) -> None:
    watch = Watch()
    game = new_game(make_api(entry_factory=ticking_scribe(watch)), "babel", clock={"turn_seconds": 60})
    action, head = game.legal(0)[0], game.head
    watch.wind(61)
    assert (game.act(0, action).status, game.act(0, action).code) == (409, "deadline_passed")
    assert game.post("/actions?dry_run=true", action, game.token(0)).status == 200, "asking is not bound"
    assert game.head == head
    assert game.post("/resignation", token=game.token(0)).status == 201, "nor is giving up"
