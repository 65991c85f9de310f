"""What a game tells of itself: to whom, as of when, and under which tag."""

import time
from typing import Any

import pytest

from events.clocks import DEFAULT_PATIENCE, milliseconds
from events.seeds import seal
from tests.api.client import CLUB, OPERATOR, SCHOOL, Api, Table, new_game

SITUATION = {"status", "to_act", "decisions", "deadlines", "left", "outcome"}
ENTROPY = b"\x0b" * 32


def test_a_caller_learns_which_seat_is_its_own(api: Api) -> None:
    game = new_game(api)
    assert [game.show(seat)["you"] for seat in (0, 2, None)] == [0, 2, None]
    assert game.get("", CLUB).json["you"] is None


def test_a_game_names_its_host_its_tags_and_the_refs_of_its_players(api: Api) -> None:
    game = new_game(api, "babel", [{"name": "Ada", "ref": "player-7"}, "Ben"])
    shown = game.show()
    assert (shown["host"], shown["tags"]) == ("club", [])
    assert [seat["ref"] for seat in shown["seats"]] == ["player-7", None]
    assert new_game(api, token=None).show()["host"] is None


def test_now_is_the_moment_of_the_answer_and_no_part_of_its_tag(api: Api) -> None:
    game = new_game(api)
    first = game.get("")
    time.sleep(0.002)
    second = game.get("")
    assert first.json["now"] < second.json["now"]
    assert first.headers["etag"] == second.headers["etag"]
    assert game.get("", If_None_Match=first.headers["etag"]).status == 304


def test_a_repeated_creation_is_answered_with_the_same_now(api: Api) -> None:
    body, key = {"ruleset": "babel", "seats": 2, "players": [{"name": "Ada"}]}, "creation-1"
    first = api.post("/v1/games", body, CLUB, Idempotency_Key=key)
    game = Table(api, first.json)
    game.post("/seats", {"name": "Ben"})
    assert api.post("/v1/games", body, CLUB, Idempotency_Key=key).body == first.body


def test_a_game_that_was_called_off_says_why(api: Api) -> None:
    game = new_game(api, "babel", ["Ada"], seats=2)
    assert game.show()["abort_reason"] is None
    assert game.post("/abort", token=CLUB).json["abort_reason"] == "by_host"
    assert game.show()["abort_reason"] == "by_host"


def test_seals_and_their_deadlines_are_told_while_it_is_sealing(api: Api) -> None:
    game = new_game(api, players=0, seats=3)
    ada = game.post("/seats", {"name": "Ada", "entropy_commitment": seal(ENTROPY)}).json
    assert game.show()["seals"] == {"0": "sealed"}
    game.post("/seats", {"name": "Ben", "entropy": "tea leaves"})
    assert game.show()["deadlines"] == {}
    game.post("/seats", {"name": "Cleo", "entropy_commitment": seal(bytes(32))})
    shown = game.show()
    full_since = game.get("/events").json["items"][-1]["at"]
    assert shown["seals"] == {"0": "sealed", "1": "none", "2": "sealed"}
    assert shown["deadlines"].keys() == {"0", "2"}
    for due in shown["deadlines"].values():
        assert milliseconds(due) == milliseconds(full_since) + DEFAULT_PATIENCE.seal * 1000
    game.post("/seats/0/entropy", {"entropy": ENTROPY.hex()}, ada["token"])
    assert game.show()["seals"]["0"] == "open"
    assert game.show()["deadlines"].keys() == {"2"}


def test_the_code_of_a_private_game_is_told_to_those_who_may_invite_while_it_is_open(api: Api) -> None:
    game = new_game(api, "babel", ["Ada"], seats=2, private=True)
    code = game.created["join_code"]
    for token in (game.token(0), CLUB, OPERATOR):
        assert game.get("", token).json["join_code"] == code
    assert game.post("/seats", {"name": "Ben", "join_code": code}).status == 201
    for token in (game.token(0), CLUB, OPERATOR):
        assert "join_code" not in game.get("", token).json


def test_a_public_game_has_no_code(api: Api) -> None:
    assert "join_code" not in new_game(api, "babel", ["Ada"], seats=2).get("", CLUB).json


# -- legal actions beside the answer ------------------------------------------------------------------------------------


def test_the_game_comes_with_what_the_caller_may_do_if_it_asks(api: Api) -> None:
    game = new_game(api, "babel")
    assert "actions" not in game.show(0)
    assert game.get("?include=actions", game.token(0)).json["actions"] == game.legal(0) != []
    for token in (game.token(1), None, CLUB, OPERATOR):
        assert game.get("?include=actions", token).json["actions"] == []


def test_an_action_is_answered_with_all_that_a_client_needs_to_go_on(api: Api) -> None:
    game = new_game(api, "babel", clock={"turn_seconds": 60})
    answer = game.post("/actions?include=actions", game.legal(0)[0], game.token(0))
    shown = game.get("?include=actions", game.token(0)).json
    for member in (*SITUATION, "view", "version", "hash", "actions"):
        assert answer.json[member] == shown[member], member
    assert "actions" not in game.act(0, game.legal(0)[0]).json


def test_a_repeated_action_is_answered_as_of_then(api: Api) -> None:
    game = new_game(api, "babel", clock={"turn_seconds": 60})
    action = game.legal(0)[0]
    path, headers = "/actions?include=actions", {"Idempotency_Key": "action-1"}
    first = game.post(path, action, game.token(0), **headers)
    game.play(2)
    assert game.post(path, action, game.token(0), **headers).body == first.body


def test_who_gives_up_learns_how_the_game_stands(api: Api) -> None:
    game = new_game(api, "babel")
    answer = game.post("/resignation", token=game.token(0)).json
    assert (answer["status"], answer["outcome"]["winners"], answer["to_act"]) == ("ended", [1], [])


def test_frames_of_a_replay_come_with_what_could_be_done_then(api: Api) -> None:
    game = new_game(api, "babel")
    actions = game.legal(0)
    version = game.head[0]
    game.play(2)
    frame = game.get(f"/replay/{version}?include=actions", game.token(0)).json
    assert frame["actions"] == actions
    assert "actions" not in game.get(f"/replay/{version}", game.token(0)).json
    assert game.get(f"/replay/{version}?include=actions", game.token(1)).json["actions"] == []
    frames = game.get("/replay?include=actions", game.token(0)).json["items"]
    assert frames[version - 1] == frame


@pytest.mark.parametrize("include", ["labels", "actions,labels"])
def test_each_action_comes_with_a_sentence_in_the_language_that_is_asked_for(api: Api, include: str) -> None:
    game = new_game(api, "babel")
    told = {}
    for lang in ("en", "fr"):
        query = f"?include={include}&lang={lang}"
        shown = game.get(query, game.token(0)).json
        told[lang] = shown["labels"]
        assert shown["actions"] == game.legal(0)
        assert len(shown["labels"]) == len(shown["actions"])
        assert game.get(f"/actions{query}", game.token(0)).json["labels"] == shown["labels"]
        assert game.get(f"/replay/{game.head[0]}{query}", game.token(0)).json["labels"] == shown["labels"]
    assert told["en"] != told["fr"]
    spoken = game.get(f"?include={include}", game.token(0), Accept_Language="fr-CA").json
    assert spoken["labels"] == told["fr"]
    assert game.get(f"?include={include}", game.token(1)).json["labels"] == []
    answer = game.post(f"/actions?include={include}", game.legal(0)[0], game.token(0)).json
    assert len(answer["labels"]) == len(answer["actions"])
    assert "labels" not in game.get("?include=actions", game.token(0)).json


def test_names_in_labels_are_of_the_answers_tag(api: Api) -> None:
    """They may be forgotten without a new version."""
    game = new_game(api, "aton")
    before = [game.get(f"{path}?include=labels", game.token(0)) for path in ("", "/actions", "/replay/4")]
    assert api.context.store.forget(game.id, 1)
    for path, answer in zip(("", "/actions", "/replay/4"), before, strict=True):
        again = game.get(f"{path}?include=labels", game.token(0), If_None_Match=answer.headers["etag"])
        assert again.status == 200


def test_nothing_else_can_be_included(api: Api) -> None:
    game = new_game(api, "babel")
    head = game.head
    for answer in (
        game.get("?include=secrets"),
        game.post("/actions?include=secrets", game.legal(0)[0], game.token(0)),
        game.post("/resignation?include=secrets", token=game.token(0)),
    ):
        assert (answer.status, answer.code) == (422, "invalid_request")
        wrong = answer.json["errors"]["query"]["include"]
        assert wrong == ["Must be one of: actions, labels, actions,labels."]
    assert game.head == head


# -- receipts and tags --------------------------------------------------------------------------------------------------


def test_who_sits_down_gets_a_receipt(api: Api) -> None:
    game = new_game(api, "babel", ["Ada"], seats=2)
    answer = game.post("/seats", {"name": "Ben"}).json
    (taken,) = [
        event for event in game.get("/events").json["items"] if event["seq"] == answer["entry"]["seq"]
    ]
    assert (taken["type"], taken["hash"]) == ("seat_taken", answer["entry"]["hash"])
    assert answer["version"] == taken["seq"] + 1


def tag(game: Table, path: str, token: str | None = None) -> Any:
    return game.get(path, token).headers["etag"].strip('"').partition(".")[2]


def test_a_tag_names_the_callers_role(api: Api) -> None:
    game = new_game(api)
    roles = {
        None: "spectator",
        SCHOOL: "spectator",
        CLUB: "host",
        OPERATOR: "operator",
        game.token(1): "seat1",
    }
    for token, role in roles.items():
        assert [tag(game, path, token) for path in ("", "/actions", "/head")] == [role] * 3
        assert tag(game, "/events", token).startswith(role)


@pytest.mark.parametrize(
    ("path", "other"),
    [
        ("", "?include=actions"),
        ("?include=actions", "?include=labels"),
        ("?include=labels&lang=en", "?include=labels&lang=fr"),
        ("/actions", "/actions?include=labels"),
        ("", "?view=full"),
        ("/events?after=1", "/events?after=2"),
        ("/events?limit=1", "/events?limit=2"),
        ("/replay?from=1", "/replay?from=2"),
        ("/replay?to=1", "/replay?to=2"),
        ("/replay?limit=1", "/replay?limit=2"),
        ("/replay", "/replay?as=1"),
        ("/replay/4", "/replay/4?include=actions"),
        ("/board.svg?as=0", "/board.svg?as=1"),
        ("/board.svg", "/board.svg?lang=fr"),
        ("/board.svg", "/board.svg?theme=dark"),
    ],
)
def test_a_tag_names_what_shapes_the_answer(api: Api, path: str, other: str) -> None:
    game = new_game(api, "babel")
    game.play(1)
    asked = [game.get(each, OPERATOR) for each in (path, other)]
    assert [answer.status for answer in asked] == [200, 200]
    one, another = (answer.headers["etag"] for answer in asked)
    assert one != another
    assert game.get(other, OPERATOR, If_None_Match=one).status == 200
    assert game.get(other, OPERATOR, If_None_Match=another).status == 304
