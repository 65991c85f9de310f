"""The WebSocket: the same calls, refusals and retries as over HTTP, and every version pushed once."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from events.batch import EntryFactory
from services.front.sockets import is_origin_allowed
from tests.api.client import CLUB, OPERATOR, Api, Table, build_api, new_game
from tests.api.live import live_api
from tests.servers import ValkeyServer
from tests.sockets import Closed, Socket

DATABASE = 9


@pytest.fixture(scope="module")
def api(valkey: ValkeyServer) -> Iterator[Api]:
    """The API in this process, to make games with; the server under test is on the same store."""
    with valkey.client(db=DATABASE) as client:
        client.flushdb()
    api = build_api(f"{valkey.url}?db={DATABASE}", entry_factory=EntryFactory())
    yield api
    api.close()


@pytest.fixture(scope="module")
def port(api: Api, valkey: ValkeyServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    with live_api(
        f"{valkey.url}?db={DATABASE}",
        tmp_path_factory.mktemp("api"),
        STELE_CORS_ORIGINS="https://club.example",
        STELE_FOLLOWS_PER_SOCKET="3",
    ) as port:
        yield port


@pytest.fixture
def game(api: Api) -> Table:
    return new_game(api, "babel")


@pytest.fixture
def socket(port: int) -> Iterator[Socket]:
    with Socket(port) as socket:
        yield socket


def first_move(game: Table) -> tuple[int, Any]:
    seat = game.show()["to_act"][0]
    return seat, game.legal(seat)[0]


def problem(answer: dict[str, Any]) -> tuple[int, str]:
    return answer["status"], answer["problem"]["code"]


# -- following ----------------------------------------------------------------------------------------------------------


def test_a_follow_gives_the_game_as_get_does_and_then_the_present_frame(game: Table, socket: Socket) -> None:
    answer = socket.ask("follow", game=game.id, token=game.token(0), include=["actions"])
    shown = game.get("?include=actions", game.token(0)).json
    assert answer["status"] == 200
    assert answer["ok"] | {"now": ""} == shown | {"now": ""}
    frame = socket.frame(answer["as"], shown["version"])
    assert frame["view"] == shown["view"]
    assert frame["actions"] == shown["actions"]


def test_a_follow_says_what_may_be_done_in_words_in_the_language_of_the_follow(
    game: Table, socket: Socket
) -> None:
    shown = game.get("?include=labels&lang=fr", game.token(0)).json
    for include in (["labels"], ["labels", "actions"], ["actions", "labels"]):
        answer = socket.ask("follow", game=game.id, token=game.token(0), include=include, lang="fr")
        assert answer["ok"]["labels"] == shown["labels"]
        assert socket.frame(answer["as"], shown["version"])["labels"] == shown["labels"]


def test_every_version_after_the_one_named_comes_once_and_in_order(game: Table, socket: Socket) -> None:
    game.play(2)
    followed = socket.follow(game.id, after=1)
    game.play(3)
    last = game.head[0]
    socket.frame(followed, last)
    versions = [json.loads(text)["frame"]["version"] for text in socket.raw if '"frame"' in text]
    assert versions == list(range(2, last + 1))


def test_a_follower_far_behind_starts_with_the_present_version(api: Api, socket: Socket) -> None:
    game = new_game(api, "babel")
    while game.head[0] < 70:
        game.play(1)
    version = game.head[0]
    followed = socket.follow(game.id, after=1)
    socket.frame(followed, version)
    assert [text for text in socket.raw if '"frame"' in text][1:] == []


def test_a_pair_without_frames_is_pushed_nothing(game: Table, socket: Socket) -> None:
    quiet, loud = socket.follow(game.id, frames=False), socket.follow(game.id)
    game.play(1)
    socket.frame(loud, game.head[0])
    assert not [text for text in socket.raw if text.startswith(f'{{"as":{quiet},"frame"')]


def test_after_unfollow_nothing_comes_and_the_number_is_unknown(game: Table, socket: Socket) -> None:
    first, second = socket.follow(game.id), socket.follow(game.id)
    version = game.head[0]
    socket.frame(first, version)
    assert socket.ask("unfollow", as_=first) | {"re": 0} == {"re": 0, "status": 200, "ok": {}}
    game.play(1)
    socket.frame(second, version + 1)
    assert not [each for each in socket.unread if each.get("as") == first]
    assert problem(socket.ask("head", as_=first)) == (422, "invalid_request")


def test_no_more_games_are_followed_than_the_setting_says(game: Table, socket: Socket) -> None:
    numbers = [socket.follow(game.id, frames=False) for _ in range(3)]
    assert problem(socket.ask("follow", game=game.id)) == (429, "rate_limited")
    socket.ask("unfollow", as_=numbers[0])
    socket.follow(game.id)


def test_a_position_above_the_head_is_refused(game: Table, socket: Socket) -> None:
    answer = socket.ask("follow", game=game.id, after=game.head[0] + 1)
    assert problem(answer) == (409, "rewound")


@pytest.mark.parametrize("token", ["0.0.x", "", "é", CLUB[:-1]])
def test_a_wrong_token_is_refused(game: Table, socket: Socket, token: str) -> None:
    assert problem(socket.ask("follow", game=game.id, token=token)) == (401, "unauthorized")


def test_a_private_game_needs_a_token_or_its_code(api: Api, socket: Socket) -> None:
    game = new_game(api, "babel", ["Ada"], seats=2, private=True)
    assert problem(socket.ask("follow", game=game.id)) == (404, "game_not_found")
    assert problem(socket.ask("follow", game=game.id, join_code="no")) == (404, "game_not_found")
    guest = socket.follow(game.id, join_code=game.created["join_code"])
    assert socket.ask("head", as_=guest)["ok"]["version"] == game.head[0]
    assert problem(socket.ask("act", as_=guest, action={"type": "x"}))[0] == 404


# -- acting -------------------------------------------------------------------------------------------------------------


def test_an_act_answers_as_the_call_does(api: Api, socket: Socket) -> None:
    one, other = (new_game(api, "babel", seed="5e" * 32) for _ in range(2))
    seat, action = first_move(one)
    answer = socket.ask("act", as_=socket.follow(one.id, one.token(seat)), action=action)
    over_http = other.act(seat, action).json
    assert answer["status"] == 201
    assert answer["ok"].keys() == over_http.keys()
    assert answer["ok"]["view"] == over_http["view"]
    assert answer["ok"]["hash"] == one.head[1]


def test_a_minimal_answer_has_version_and_hash_alone(game: Table, socket: Socket) -> None:
    seat, action = first_move(game)
    answer = socket.ask("act", as_=socket.follow(game.id, game.token(seat)), action=action, answer="minimal")
    version, digest = game.head
    assert answer["ok"] == {"version": version, "hash": digest}


def test_several_actions_are_played_up_to_the_first_refusal(game: Table, socket: Socket) -> None:
    seat, action = first_move(game)
    number = socket.follow(game.id, game.token(seat))
    answer = socket.ask("act", as_=number, actions=[action, {"type": "nonsense"}])
    assert answer["ok"]["stopped"]["code"] == "unknown_action"
    assert len(answer["ok"]["events"]) == 1


def test_a_key_gives_the_first_answer_again_on_the_socket_and_over_http(game: Table, socket: Socket) -> None:
    seat, action = first_move(game)
    number = socket.follow(game.id, game.token(seat))
    first = socket.ask("act", as_=number, action=action, key="k1")
    again = socket.ask("act", as_=number, action=action, key="k1")
    assert again["ok"] == first["ok"]
    assert game.act(seat, action, Idempotency_Key="k1").json == first["ok"]
    assert problem(socket.ask("act", as_=number, action={"type": "x"}, key="k1")) == (
        422,
        "idempotency_key_reused",
    )


def test_acts_of_one_follow_are_carried_out_in_the_order_sent(game: Table, socket: Socket) -> None:
    seat, action = first_move(game)
    number = socket.follow(game.id, game.token(seat), frames=False)
    before = game.head[0]
    asked = [socket.start("act", as_=number, action=action)]
    asked += [
        socket.start("act", as_=number, action={"type": f"nonsense-{n}"}, if_match=str(before))
        for n in range(20)
    ]
    answers = [socket.answer(each) for each in asked]
    assert answers[0]["status"] == 201
    assert {problem(each) for each in answers[1:]} == {(412, "version_conflict")}


def test_conditions_and_refusals_are_those_of_the_call(game: Table, socket: Socket) -> None:
    seat, action = first_move(game)
    mine = socket.follow(game.id, game.token(seat), lang="fr")
    assert problem(socket.ask("act", as_=mine, action=action, decision=1)) == (409, "decision_passed")
    assert problem(socket.ask("act", as_=mine, action=action, if_match='"1.x"')) == (412, "version_conflict")
    refused = socket.ask("act", as_=mine, action={"type": "nonsense"})["problem"]
    assert refused == game.act(seat, {"type": "nonsense"}, Accept_Language="fr").json
    assert problem(socket.ask("act", as_=mine, action={"type": "x"}, key="é")) == (422, "invalid_request")
    spectator = socket.follow(game.id)
    assert problem(socket.ask("act", as_=spectator, action=action)) == (401, "unauthorized")
    assert socket.ask("head", as_=spectator)["status"] == 200
    assert game.head[0] == game.created["version"]


def test_check_actions_and_head_answer_as_the_calls_do(game: Table, socket: Socket) -> None:
    seat, action = first_move(game)
    number = socket.follow(game.id, game.token(seat), frames=False)
    assert socket.ask("check", as_=number, action=action)["ok"] == {"legal": True}
    assert socket.ask("check", as_=number, action=action, decision=1)["ok"]["code"] == "decision_passed"
    assert socket.ask("actions", as_=number)["ok"] == game.get("/actions", game.token(seat)).json
    assert socket.ask("head", as_=number)["ok"] == game.get("/head").json


def test_a_seat_takes_back_what_it_did(game: Table, socket: Socket) -> None:
    seat = game.show()["to_act"][0]
    before = game.show(seat)
    number = socket.follow(game.id, game.token(seat), frames=False)
    assert problem(socket.ask("take_back", as_=number)) == (409, "nothing_to_take_back")
    socket.ask("act", as_=number, action=game.legal(seat)[0])
    assert game.show(seat)["takeback"] == before["version"]
    answer = socket.ask("take_back", as_=number, to=before["version"], key="t")
    assert (answer["status"], answer["ok"]["view"]) == (201, before["view"])
    assert socket.ask("take_back", as_=number, to=before["version"], key="t")["ok"] == answer["ok"]


def test_a_seat_resigns(game: Table, socket: Socket) -> None:
    number = socket.follow(game.id, game.token(0), frames=False)
    answer = socket.ask("resign", as_=number, answer="minimal", key="r")
    assert (answer["status"], answer["ok"]["version"]) == (201, game.head[0])
    assert game.show()["status"] == "ended"


def test_a_host_hears_its_feed(api: Api, socket: Socket) -> None:
    assert problem(socket.ask("feed", token="no")) == (401, "unauthorized")
    assert problem(socket.ask("feed", token=CLUB, types=["nothing"])) == (422, "invalid_request")
    assert socket.ask("feed", token=CLUB, types=["game_created"]) | {"re": 0} == {
        "re": 0,
        "status": 200,
        "ok": {},
    }
    game = new_game(api, "babel")
    api.project(game.id)
    told = socket.next(lambda message: "event" in message)
    assert (told["event"]["game"], told["event"]["type"]) == (game.id, "game_created")
    with Socket(socket.port) as later:
        later.ask("feed", token=CLUB, after=told["cursor"], types="game_created")
        another = new_game(api, "babel")
        api.project(another.id)
        assert later.next(lambda message: "event" in message)["event"]["game"] == another.id
    assert problem(socket.ask("feed", token=OPERATOR)) == (422, "invalid_request")


# -- what is not understood ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "sent",
    [
        {"op": "head"},
        {"op": "nonsense"},
        {},
        {"op": "act", "as": 1},
        {"op": "act", "as": 1, "action": {}, "actions": []},
        {"op": "act", "as": 1, "actions": {}},
        {"op": "act", "as": "1", "action": {}},
        {"op": "follow"},
        {"op": "follow", "game": 1},
        {"op": "follow", "game": "x", "after": -1.5},
        {"op": "follow", "game": "x", "surprise": True},
    ],
)
def test_an_object_that_is_no_request_is_refused_by_its_id(socket: Socket, sent: dict[str, Any]) -> None:
    socket.send({"id": "me", **sent})
    assert problem(socket.answer("me")) == (422, "invalid_request")
    socket.send({"id": "ping", "op": "head", "as": 1})
    assert socket.answer("ping")["status"] == 422


@pytest.mark.parametrize("number", [0, -1, 1.5, 10**30, "", "é\n"])
def test_an_id_is_repeated_as_it_was_sent(socket: Socket, number: Any) -> None:
    socket.send({"id": number, "op": "head", "as": 1})
    assert socket.answer(number)["status"] == 422


@pytest.mark.parametrize("number", ["null", "[1]", "{}", "true"])
def test_another_id_is_refused(socket: Socket, number: str) -> None:
    socket.send(f'{{"id":{number},"op":"head","as":1}}')
    assert problem(socket.answer(None)) == (422, "invalid_request")


@pytest.mark.parametrize(
    "message",
    [
        "[]",
        "1",
        "nonsense",
        '{"id":1,"op":"\\ud800"}',
        "",
        b'{"id":1}',
        "x" * 65_537,
        '"' + "é" * 33_000 + '"',
    ],
)
def test_what_is_no_object_or_too_large_ends_the_connection(socket: Socket, message: str | bytes) -> None:
    socket.send(message)
    assert socket.closing() == "bad_message"


# -- opening ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1"])
def test_pages_of_strange_origins_open_no_socket(port: int, origin: str) -> None:
    with pytest.raises(InvalidStatus) as refused, Socket(port, Origin=origin):
        pass
    assert refused.value.response.status_code == 403


@pytest.mark.parametrize("origin", ["https://club.example", "http://127.0.0.1:{port}"])
def test_pages_of_the_server_and_of_the_settings_open_one(port: int, game: Table, origin: str) -> None:
    with Socket(port, Origin=origin.format(port=port)) as socket:
        socket.follow(game.id)


def test_other_addresses_open_no_socket(port: int) -> None:
    with pytest.raises(InvalidStatus) as refused, Socket(port, path="/v1/games"):
        pass
    assert refused.value.response.status_code == 404


def test_a_request_without_an_upgrade_is_refused(api: Api) -> None:
    answer = api.get("/v1/socket")
    assert (answer.status, answer.code) == (426, "upgrade_required")


def test_minimal_answers_over_http(game: Table) -> None:
    seat, action = first_move(game)
    answer = game.act(seat, action, Prefer="return=minimal", Idempotency_Key="once")
    version, digest = game.head
    assert (answer.status, answer.json) == (201, {"version": version, "hash": digest})
    assert answer.headers["preference-applied"] == "return=minimal"
    full = game.act(seat, action, Idempotency_Key="once", Prefer="return=representation, return=minimal")
    assert "view" in full.json
    again = game.act(seat, action, Idempotency_Key="once", Prefer='respond-async, Return = "minimal"; x=1')
    assert again.json == answer.json
    assert again.headers["idempotent-replayed"] == "true"


class ScopeWith:
    """A request with these headers."""

    authority = None

    def __init__(self, **headers: str) -> None:
        self.headers = headers


@pytest.mark.parametrize(
    ("origin", "host", "allowed"),
    [
        ("http://h:1", "h:1", True),
        ("https://H", "h", True),
        ("http://h:1", "h:2", False),
        ("http://h.evil", "h", False),
        ("http://evil@h", "h", False),
        ("null", "null", False),
    ],
)
def test_an_origin_has_the_host_of_the_request(origin: str, host: str, allowed: bool) -> None:
    scope: Any = ScopeWith(origin=origin, host=host)
    assert is_origin_allowed(scope, ()) is allowed
    assert is_origin_allowed(scope, ("*",))


def test_sockets_can_be_limited_by_address(
    valkey: ValkeyServer, api: Api, game: Table, tmp_path: Path
) -> None:
    url = f"{valkey.url}?db={DATABASE}"
    with live_api(url, tmp_path, STELE_SOCKETS_PER_ADDRESS="2") as port, Socket(port), Socket(port) as second:
        with pytest.raises(InvalidStatus) as refused, Socket(port):
            pass
        assert refused.value.response.status_code == 429
        second.follow(game.id, game.token(0))  # who has brought a token counts no more
        with Socket(port) as third:
            third.follow(game.id)
            with pytest.raises((InvalidStatus, Closed)), Socket(port):
                pass
