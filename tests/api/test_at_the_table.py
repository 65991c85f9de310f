"""At the table over HTTP: taking back, hand-overs, added time, pauses and signed seats."""

from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events import signatures
from tests.api.client import CLUB, OPERATOR, Answer, Api, Table, new_game

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
PUBLIC = KEY.public_key().public_bytes_raw().hex()
CLOCK = {"turn_seconds": 600, "reserve_seconds": 60}


def until_takeback(game: Table) -> tuple[int, int]:
    """The game goes on until somebody may take something back: who, and to which version."""
    for _ in range(200):
        seat = game.show()["to_act"][0]
        answer = game.act(seat, game.legal(seat)[0])
        assert answer.status == 201, answer
        if answer.json["takeback"] is not None:
            return seat, answer.json["takeback"]
    raise AssertionError("nobody could take anything back")


def codes(*answers: Answer) -> list[tuple[int, str]]:
    return [(answer.status, answer.code) for answer in answers]


# -- taking back --------------------------------------------------------------------------------------------------------


def test_a_seat_takes_back_as_far_as_the_game_says_and_everything_is_as_before(api: Api) -> None:
    game = new_game(api, "babel", token=None)
    seat, to = until_takeback(game)
    assert game.show(seat)["takeback"] == to
    assert game.show(1 - seat)["takeback"] is None
    assert game.show()["takeback"] is None
    then = game.get(f"/replay/{to}", game.token(seat)).json["view"]
    answer = game.post("/takebacks", {"to": to}, game.token(seat), Idempotency_Key="once")
    assert answer.status == 201, answer
    assert answer.json["view"] == then
    assert answer.json["event"]["type"] == "taken_back"
    assert answer.json["event"]["data"] == {"seat": seat, "to": to, "facts": [], "signed": None}
    assert answer.json["decisions"][str(seat)] == answer.json["version"]
    again = game.post("/takebacks", {"to": to}, game.token(seat), Idempotency_Key="once")
    assert (again.json, again.headers["idempotent-replayed"]) == (answer.json, "true")
    assert codes(game.post("/takebacks", {}, game.token(seat))) == [(409, "nothing_to_take_back")]


def test_tagged_games_take_nothing_back_unless_they_say_so(api: Api) -> None:
    assert new_game(api, "babel", tags=["cup"]).created["takebacks"] is False
    assert new_game(api, "babel", tags=["cup"], takebacks=True).created["takebacks"] is True
    game = new_game(api, "babel", takebacks=False)
    assert codes(
        game.post("/takebacks", {}, game.token(0)),
        game.post("/takebacks", {"to": 0}, game.token(0)),
        game.post("/takebacks", {}, CLUB),
        game.post("/takebacks", {}, None),
    ) == [(409, "takebacks_off"), (422, "invalid_request"), (403, "forbidden"), (401, "unauthorized")]


# -- pauses and time ----------------------------------------------------------------------------------------------------


def test_a_pause_that_all_agree_to_stops_the_clocks_until_one_of_them_goes_on(api: Api) -> None:
    game = new_game(api, "babel", clock=CLOCK)
    seat = game.show()["to_act"][0]
    first = game.post("/pause", token=game.token(0))
    assert (first.status, first.json["paused"], first.json["pause_agreed"]) == (201, None, [0])
    again = game.post("/pause", token=game.token(0))
    assert (again.status, again.json["pause_agreed"], again.json["id"]) == (200, [0], game.id)
    both = game.post("/pause", token=game.token(1))
    assert (both.json["paused"]["by"], both.json["deadlines"]) == ("players", {})
    action = {"type": "end_turn"}
    assert codes(
        game.act(seat, action),
        game.post("/pause", token=game.token(0)),
        game.post("/resume", token=CLUB),
        game.post("/takebacks", {}, game.token(seat)),
    ) == [(409, "paused"), (409, "paused"), (403, "forbidden"), (409, "paused")]
    assert game.legal(seat) == []
    resumed = game.post("/resume", token=game.token(1))
    assert (resumed.status, resumed.json["paused"]) == (201, None)
    assert list(resumed.json["deadlines"]) == [str(seat)]
    assert codes(game.post("/resume", token=game.token(1))) == [(409, "not_paused")]


def test_the_host_pauses_alone_and_alone_ends_it(api: Api) -> None:
    game = new_game(api, "babel", clock=CLOCK)
    assert game.post("/pause", token=CLUB).json["paused"]["by"] == "host"
    assert codes(game.post("/resume", token=game.token(0))) == [(403, "forbidden")]
    assert game.post("/resume", token=OPERATOR).status == 201
    plain = new_game(api, "babel")
    assert codes(
        plain.post("/pause", token=CLUB),
        plain.post("/seats/0/time", {"seconds": 9}, CLUB),
        plain.post("/pause"),
    ) == [(409, "no_clock"), (409, "no_clock"), (401, "unauthorized")]


def test_added_time_goes_to_the_reserve_or_to_the_running_turn(api: Api) -> None:
    game = new_game(api, "babel", clock=CLOCK)
    assert game.created["left"] == {"0": 60_000, "1": 60_000}
    answer = game.post("/seats/1/time", {"seconds": 30}, CLUB)
    assert (answer.status, answer.json["left"]) == (201, {"0": 60_000, "1": 90_000})
    turns = new_game(api, "babel", clock={"turn_seconds": 600})
    (seat,) = turns.show()["to_act"]
    assert codes(
        turns.post(f"/seats/{1 - seat}/time", {"seconds": 30}, CLUB),
        turns.post(f"/seats/{seat}/time", {"seconds": 0}, CLUB),
        turns.post(f"/seats/{seat}/time", {"seconds": 30}, turns.token(seat)),
        turns.post("/seats/9/time", {"seconds": 30}, CLUB),
    ) == [(409, "not_to_act"), (422, "invalid_request"), (403, "forbidden"), (422, "invalid_seats")]
    before = turns.show()["deadlines"][str(seat)]
    assert turns.post(f"/seats/{seat}/time", {"seconds": 30}, CLUB).json["deadlines"][str(seat)] > before


# -- handing over -------------------------------------------------------------------------------------------------------


def test_a_host_names_a_substitute_whose_token_alone_holds(api: Api) -> None:
    game = new_game(api, "babel")
    old = game.token(0)
    answer = game.post("/seats/0/handover", {"name": "Dora", "ref": "d-1"}, CLUB, Idempotency_Key="once")
    assert answer.status == 201, answer
    assert codes(game.get("", old)) == [(401, "unauthorized")]
    game.tokens[0] = answer.json["token"]
    assert game.show(0)["you"] == 0
    assert (game.show()["seats"][0]["name"], game.show()["seats"][0]["ref"]) == ("Dora", "d-1")
    again = game.post("/seats/0/handover", {"name": "Dora", "ref": "d-1"}, CLUB, Idempotency_Key="once")
    assert again.json == answer.json
    assert codes(
        game.post("/seats/0/handover", {}, CLUB),
        game.post("/seats/1/handover", {"name": "Eve"}, game.token(1)),
        game.post("/seats/1/handover", {}, game.token(0)),
        game.leave(0, old),
    ) == [(422, "invalid_request"), (422, "invalid_request"), (403, "forbidden"), (401, "unauthorized")]
    game.post("/resignation", token=game.token(1))
    game.settle()
    record = game.get("/record").json
    assert [(each["seat"], each["generation"], each["name"]) for each in record["former_people"]] == [
        (0, 0, "Ada")
    ]
    assert game.get("/audit").json["verdict"] == "pass"
    api.context.store.forget(game.id, 0)
    assert "former_people" not in game.get("/record").json


def test_a_code_lets_another_person_in_once_or_the_same_one_on_another_device(api: Api) -> None:
    game = new_game(api, "babel", private=True)
    code = game.post("/seats/0/handover", {}, game.token(0))
    assert code.status == 201, code
    same = game.post("/seats/0/takeover", {"code": code.json["code"]})
    assert same.json == {"token": game.token(0)}
    assert codes(
        game.post("/seats/0/takeover", {"code": code.json["code"]}),
        game.post("/seats/1/takeover", {"code": code.json["code"]}),
    ) == [(403, "invalid_code"), (404, "game_not_found")]
    fresh = game.post("/seats/0/handover", {}, game.token(0)).json["code"]
    taking, key = {"code": fresh, "name": "Dora"}, "a-key-that-is-long-enough"
    taken = game.post("/seats/0/takeover", taking, Idempotency_Key=key)
    assert taken.status == 201, taken
    assert game.post("/seats/0/takeover", taking, Idempotency_Key=key).json == taken.json
    assert codes(game.post("/seats/0/takeover", taking), game.get("", game.token(0))) == [
        (403, "invalid_code"),
        (404, "game_not_found"),
    ]
    assert game.get("", taken.json["token"]).json["you"] == 0


# -- signed seats -------------------------------------------------------------------------------------------------------


@pytest.fixture
def signing(api: Api) -> Table:
    """A game whose first seat signs, and is to act."""
    game = new_game(api, "babel", [{"name": "Ada", "public_key": PUBLIC}, "Ben"], token=None)
    if game.show()["to_act"] != [0]:
        game.play()
    return game


def signature(game: Table, action: Any, index: int = 0) -> str:
    digest = game.show(0)["decision_hash"]
    return KEY.sign(signatures.action_message(game.id, 0, digest, index, action)).hex()


def test_a_seat_with_a_key_acts_by_its_signature_alone(signing: Table) -> None:
    game = signing
    action, decision = game.legal(0)[0], game.show(0)["decisions"]["0"]
    sig, path = signature(game, action), f"/actions?decision={decision}"
    token, head = game.token(0), game.head
    assert codes(
        game.post(path, action, token),
        game.post("/actions", action, token, Stele_Signature=sig),
        game.post(path, action, token, Stele_Signature=sig[::-1]),
        game.post(path, action, token, Stele_Signature=f"{sig}, {sig}"),
        game.post(f"/actions?decision={decision + 1}", action, token, Stele_Signature=sig),
        game.post("/resignation", token=token),
    ) == [(422, "bad_signature")] * 4 + [(409, "decision_passed"), (422, "bad_signature")]
    assert game.head == head
    answer = game.post(path, action, token, Stele_Signature=sig)
    assert answer.status == 201, answer
    assert answer.json["event"]["data"]["signed"] == {"decision": decision, "index": 0, "sig": sig}
    seen = game.get(f"/events?after={answer.json['version'] - 1}", game.token(1)).json["items"][0]
    assert "signed" not in seen["data"]
    version = game.show()["version"]
    resigning = KEY.sign(signatures.resignation_message(game.id, 0, game.show()["hash"])).hex()
    done = game.post("/resignation", token=token, Stele_Signature=resigning, If_Match=f'"{version}.x"')
    assert done.status == 201, done
    game.settle()
    checks = {check["check"]: check for check in game.get("/audit").json["checks"]}
    assert checks["signatures"]["verdict"] == "pass"
    assert "who created the game" in checks["signatures"]["detail"]
