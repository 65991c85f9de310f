"""Bad input: whatever is sent, the answer has the right status, a stable code and a sentence, and nothing changes."""

from base64 import urlsafe_b64encode
from typing import Any

import pytest

from tests.api.client import CLUB, OPERATOR, SEED, Api, Table, new_game
from tests.api.refusals import Case, assert_problem, assert_refused, contents

LAY = {"type": "lay", "card": 1}
BABEL = {"ruleset": "babel"}
TWO = [{"name": "Ada"}, {"name": "Ben"}]


@pytest.fixture(scope="module")
def api(quiet_api: Api) -> Api:
    return quiet_api


@pytest.fixture(scope="module")
def game(api: Api) -> Table:
    """A game of Lanterns in play, in which nothing happens: all three seats are to act."""
    return new_game(api)


def action(case: str, status: int, code: str, body: Any, query: str = "", **headers: str) -> Case:
    """This value, sent as an action of seat 0."""
    return Case(
        case, status, code, lambda _, game: game.post(f"/actions{query}", body, game.token(0), **headers)
    )


def creation(case: str, code: str, body: Any, token: str | None = CLUB, **headers: str) -> Case:
    """This value, sent to create a game; what cannot be created is 422."""
    return Case(case, 422, code, lambda api, _: api.post("/v1/games", body, token, **headers))


def reading(case: str, status: int, code: str, path: str, **headers: str) -> Case:
    """A read of the game."""
    return Case(case, status, code, lambda _, game: game.get(path, game.token(0), **headers))


def listing(case: str, code: str, path: str) -> Case:
    return Case(case, 422, code, lambda api, _: api.get(path))


def cursor(text: bytes) -> str:
    return f"/v1/games?cursor={urlsafe_b64encode(text).decode()}"


ACTIONS = [
    action("no object", 422, "malformed_action", 7),
    action("null", 422, "malformed_action", None),
    action("text", 422, "malformed_action", "lay"),
    action("no type", 422, "unknown_action", {"card": 1}),
    action("an unknown type", 422, "unknown_action", {"type": "fly"}),
    action("a type of another game", 422, "unknown_action", {"type": "pass"}),
    action("a type that is no text", 422, "unknown_action", {"type": ["lay"]}),
    action("a member too many", 422, "malformed_action", {**LAY, "extra": 1}),
    action("a member missing", 422, "malformed_action", {"type": "lay"}),
    action("a member of the wrong type", 422, "malformed_action", {"type": "lay", "card": "1"}),
    action("true for a number", 422, "malformed_action", {"type": "lay", "card": True}),
    action("a list for a number", 422, "malformed_action", {"type": "lay", "card": [1]}),
    action("null for a number", 422, "malformed_action", {"type": "lay", "card": None}),
    action("a card not in hand", 409, "card_not_in_hand", {"type": "lay", "card": 99}),
    action("the largest integer", 409, "card_not_in_hand", {"type": "lay", "card": 2**53 - 1}),
    action("an empty list", 422, "invalid_request", []),
    action("33 actions", 422, "invalid_request", [LAY] * 33),
    action("a list in a list", 422, "malformed_action", [[LAY]]),
    action("a list of numbers", 422, "malformed_action", [1, 2]),
    action("a list that begins badly", 422, "unknown_action", [{"type": "fly"}, LAY]),
    action("a dry run of a list", 422, "invalid_request", [LAY], "?dry_run=true"),
    action("a dry run that is neither", 422, "invalid_request", LAY, "?dry_run=maybe"),
    action("a decision that has passed", 409, "decision_passed", LAY, "?decision=1"),
    action("a decision of the future", 409, "decision_passed", LAY, "?decision=9007199254740991"),
    action("a decision that is no number", 422, "invalid_request", LAY, "?decision=first"),
    action("a decision in other digits", 422, "invalid_request", LAY, "?decision=%D9%A3"),
    action("a negative decision", 422, "invalid_request", LAY, "?decision=-1"),
    action("a decision of 5000 digits", 422, "invalid_request", LAY, f"?decision={'9' * 5000}"),
    action("a decision and nothing", 422, "invalid_request", LAY, "?decision="),
    action("another version", 412, "version_conflict", LAY, If_Match='"3.seat0"'),
    action("a version of the future", 412, "version_conflict", LAY, If_Match='"99.seat0"'),
    action("a version that is none", 422, "invalid_request", LAY, If_Match='"latest"'),
    action("several versions, none of them right", 412, "version_conflict", LAY, If_Match='"1.x", "2.x"'),
    action("a list without a version", 422, "invalid_request", LAY, If_Match=" , "),
    action("a version of 5000 digits", 422, "invalid_request", LAY, If_Match=f'"{"9" * 5000}"'),
    action("a version beyond the largest", 422, "invalid_request", LAY, If_Match=f'"{"9" * 30}.x"'),
    action("a key with spaces", 422, "invalid_request", LAY, Idempotency_Key="my key"),
    action("a key of 256 characters", 422, "invalid_request", LAY, Idempotency_Key="k" * 256),
    action("an empty key", 422, "invalid_request", LAY, Idempotency_Key=""),
    action("a key that is not ASCII", 422, "invalid_request", LAY, Idempotency_Key="clé"),
]

CREATIONS = [
    creation("nothing", "invalid_request", None),
    creation("a list", "invalid_request", [BABEL]),
    creation("text", "invalid_request", "babel"),
    creation("no ruleset", "invalid_request", {}),
    creation("an unknown ruleset", "unknown_ruleset", {"ruleset": "chess"}),
    creation("a ruleset that is no text", "invalid_request", {"ruleset": 1}),
    creation("an unknown member", "invalid_request", {**BABEL, "colour": "red"}),
    creation("an unknown option", "invalid_options", {**BABEL, "options": {"colour": "red"}}),
    creation("an option of the wrong type", "invalid_options", {**BABEL, "options": {"component_set": 1}}),
    creation("an unknown component set", "invalid_options", {**BABEL, "options": {"component_set": "x"}}),
    creation("options that are no object", "invalid_request", {**BABEL, "options": [1]}),
    creation("too many seats", "invalid_seats", {**BABEL, "seats": 5}),
    creation("too few seats", "invalid_seats", {"ruleset": "lanterns", "seats": 2}),
    creation("more players than seats", "invalid_seats", {**BABEL, "seats": 2, "players": [*TWO, *TWO]}),
    creation("no seats", "invalid_request", {**BABEL, "seats": 0}),
    creation("true for seats", "invalid_request", {**BABEL, "seats": True}),
    creation("text for seats", "invalid_request", {**BABEL, "seats": "2"}),
    creation("a thousand players", "invalid_request", {**BABEL, "players": [{"name": "A"}] * 1000}),
    creation("a player that is no object", "invalid_request", {**BABEL, "players": ["Ada", "Ben"]}),
    creation("a player without a name", "invalid_request", {**BABEL, "players": [{}, {"name": "B"}]}),
    creation("an empty name", "invalid_request", {**BABEL, "players": [{"name": ""}]}),
    creation("a name of 65 characters", "invalid_request", {**BABEL, "players": [{"name": "a" * 65}]}),
    *(
        creation(
            f"a name that shows nothing: {name!a}", "invalid_request", {**BABEL, "players": [{"name": name}]}
        )
        for name in (
            " ",
            "\u3000\u00a0",
            "\u200b",
            "\u200d\ufeff",
            "\u2800",
            "\u3164",
            "\u0301",
            "\u00ad ",
            "\U000e0041",
        )
    ),
    creation("a name with a line break", "invalid_request", {**BABEL, "players": [{"name": "a\nb"}]}),
    creation("a name that turns the text", "invalid_request", {**BABEL, "players": [{"name": "a\u202eb"}]}),
    creation("a name that isolates it", "invalid_request", {**BABEL, "players": [{"name": "\u2067ab"}]}),
    creation("a name with a mark", "invalid_request", {**BABEL, "players": [{"name": "a\u200fb"}]}),
    creation("a name with a C1 control", "invalid_request", {**BABEL, "players": [{"name": "a\x9bb"}]}),
    creation(
        "a bot with such a name",
        "invalid_request",
        {**BABEL, "players": [{"bot": "random", "name": "\u2028"}]},
    ),
    creation("neither a name nor a bot", "invalid_request", {**BABEL, "players": [{"entropy": "x"}]}),
    creation("an unknown bot", "invalid_request", {**BABEL, "players": [{"bot": "deep blue"}]}),
    creation(
        "a bot with entropy", "invalid_request", {**BABEL, "players": [{"bot": "greedy", "entropy": "x"}]}
    ),
    creation(
        "too much entropy", "invalid_request", {**BABEL, "players": [{"name": "A", "entropy": "é" * 33}]}
    ),
    creation("a ref with spaces", "invalid_request", {**BABEL, "players": [{"name": "A", "ref": "a b"}]}),
    creation("a clock without time", "invalid_request", {**BABEL, "clock": {}}),
    creation("a clock of no time", "invalid_request", {**BABEL, "clock": {"turn_seconds": 0}}),
    creation("a clock of ages", "invalid_request", {**BABEL, "clock": {"turn_seconds": 10**15}}),
    creation("a short seed", "invalid_request", {**BABEL, "seed": "abc"}),
    creation("a seed in capitals", "invalid_request", {**BABEL, "seed": "AB" * 32}),
    creation("a seed with a line break", "invalid_request", {**BABEL, "seed": SEED + "\n"}),
    creation(
        "entropy in a seeded game",
        "invalid_request",
        {**BABEL, "seed": SEED, "players": [{"name": "A", "entropy": "x"}, {"name": "B"}]},
    ),
    creation("private perhaps", "invalid_request", {**BABEL, "private": "yes"}),
    creation("a position that is no object", "invalid_request", {**BABEL, "position": [1]}),
    creation("a position with an unknown zone", "invalid_position", {**BABEL, "position": {"moat": []}}),
    creation(
        "a position with a card too many",
        "invalid_position",
        {**BABEL, "position": {"players": [{"hand": ["persian"] * 14}, {}]}},
    ),
    creation(
        "a position in which cards are lost",
        "invalid_position",
        {"ruleset": "lanterns", "position": {"deck": []}},
    ),
    creation("a weak key of nobody", "weak_idempotency_key", BABEL, None, Idempotency_Key="k" * 21),
    creation("a bad key", "invalid_request", BABEL, Idempotency_Key="a b"),
]

READS = [
    reading("another view", 422, "invalid_request", "?view=everything"),
    reading("the full view of a seat", 403, "forbidden", "?view=full"),
    reading("a wait that is no number", 422, "invalid_request", "?after=1&wait=long"),
    reading("a wait of an hour", 422, "invalid_request", "?after=1&wait=3600"),
    reading("after a version that is no number", 422, "invalid_request", "?after=x&wait=1"),
    reading("events after nothing", 422, "invalid_request", "/events?after="),
    reading("too many events", 422, "invalid_request", "/events?limit=1001"),
    reading("half an event", 422, "invalid_request", "/events?after=1.5"),
    reading(
        "a stream from nowhere",
        422,
        "invalid_request",
        "/events",
        Accept="text/event-stream",
        Last_Event_ID="x",
    ),
    reading(
        "a stream from 5000 digits",
        422,
        "invalid_request",
        "/events",
        Accept="text/event-stream",
        Last_Event_ID="9" * 5000,
    ),
    reading("no version of a replay", 404, "not_found", "/replay/999"),
    reading("a replay as nobody", 422, "invalid_request", "/replay?as=9"),
    reading("a replay as another", 403, "forbidden", "/replay?as=1"),
    reading("the record of a game in play", 409, "not_settled", "/record"),
    reading("the audit of a game in play", 409, "not_settled", "/audit"),
    reading("a page that is not there", 404, "not_found", "/moves"),
    listing("an unknown status", "invalid_request", "/v1/games?status=lost"),
    listing("too many games", "invalid_request", "/v1/games?limit=100000"),
    listing("a limit that is none", "invalid_request", "/v1/games?limit=all"),
    listing("a cursor of nobody", "invalid_request", "/v1/games?cursor=next"),
    listing("a cursor that is not ASCII", "invalid_request", "/v1/games?cursor=%C3%A9%FF"),
    listing("an infinite cursor", "invalid_request", cursor(b'[Infinity,"x"]')),
    listing("a cursor beyond all floats", "invalid_request", cursor(b'[1e400,"x"]')),
    listing("a bomb for a cursor", "invalid_request", cursor(b"[" * 20_000)),
    listing("half a cursor", "invalid_request", cursor(b"[1]")),
    listing("a cursor of results", "invalid_request", "/v1/results?cursor=e30="),
]


@pytest.mark.parametrize("case", ACTIONS, ids=str)
def test_an_action_that_makes_no_sense_is_refused(api: Api, game: Table, case: Case) -> None:
    assert_refused(api, game, case)


@pytest.mark.parametrize("case", CREATIONS, ids=str)
def test_a_game_that_cannot_be_is_not_created(api: Api, game: Table, case: Case) -> None:
    assert_refused(api, game, case)


@pytest.mark.parametrize("case", READS, ids=str)
def test_a_question_that_makes_no_sense_is_refused(api: Api, game: Table, case: Case) -> None:
    assert_refused(api, game, case)


def test_wrong_members_are_named(api: Api) -> None:
    wanted = {"ruleset": 1, "colour": "red", "players": [{"name": "A"}, {"name": ""}]}
    body = assert_problem(api.post("/v1/games", wanted, CLUB), 422, "invalid_request")
    assert body["errors"]["json"].keys() == {"ruleset", "colour", "players"}
    assert body["errors"]["json"]["players"].keys() == {"1"}


def test_a_version_conflict_tells_both_versions(game: Table) -> None:
    body = game.act(0, LAY, If_Match='"2.seat0"').json
    assert (body["expected"], body["version"]) == (2, game.head[0])


def test_a_passed_decision_tells_the_present_one(game: Table) -> None:
    body = game.post("/actions?decision=1", LAY, game.token(0)).json
    assert body["decision"] == game.show()["decisions"]["0"]


def test_the_decision_of_a_list_is_that_of_its_first_action(api: Api) -> None:
    game = new_game(api)
    decision = game.show()["decisions"]["0"]
    legal = game.legal(0)[0]
    assert game.post(f"/actions?decision={decision}", [legal], game.token(0)).status == 201
    assert game.post(f"/actions?decision={decision}", [legal], game.token(0)).code == "decision_passed"


def test_someone_elses_turn_is_refused_and_tells_nothing(api: Api) -> None:
    game = new_game(api, "babel")
    answer = game.act(1, {"type": "end_turn"})
    body = assert_problem(answer, 409, "not_your_turn")
    assert set(body) == {"type", "title", "status", "detail", "code"}


def test_a_game_that_has_not_started_takes_no_actions(api: Api) -> None:
    game = new_game(api, "lanterns", 2, seats=3)
    for path, body in (("/actions", LAY), ("/resignation", None)):
        before = contents(api)
        assert_problem(game.post(path, body, game.token(0)), 409, "game_not_started")
        assert contents(api) == before


def test_a_game_that_is_over_takes_nothing_more(api: Api) -> None:
    game = new_game(api)
    assert game.post("/abort", token=OPERATOR).status == 201
    before = contents(api)
    for path, body, token in (
        ("/actions", LAY, game.token(0)),
        ("/resignation", None, game.token(0)),
        ("/abort", None, OPERATOR),
    ):
        assert_problem(game.post(path, body, token), 409, "game_over")
    assert contents(api) == before


def test_a_key_that_came_with_another_request_is_refused(api: Api) -> None:
    game = new_game(api)
    key = {"Idempotency_Key": "a-key-that-is-used-only-once"}
    action = game.legal(0)[0]
    assert game.act(0, action, **key).status == 201
    before = contents(api)
    for path, body in (("/actions", {**LAY, "card": 99}), ("/actions", [action]), ("/resignation", None)):
        assert_problem(game.post(path, body, game.token(0), **key), 422, "idempotency_key_reused")
    assert contents(api) == before


def test_a_key_renews_the_token_of_one_seat_only(api: Api) -> None:
    """Else a host could be told a token that a player uses, without a trace in the log."""
    game = new_game(api)
    key = {"Idempotency_Key": "a-key-that-is-used-only-once"}
    first = game.post("/seats/0/token", token=CLUB, **key)
    assert game.post("/seats/0/token", token=CLUB, **key).body == first.body
    before = contents(api)
    answer = game.post("/seats/1/token", token=CLUB, **key)
    assert_problem(answer, 422, "idempotency_key_reused")
    assert game.tokens[1].encode() not in answer.body
    assert contents(api) == before


def test_a_key_creates_one_game_only(api: Api) -> None:
    key = {"Idempotency_Key": "a-key-that-is-used-only-once"}
    assert api.post("/v1/games", BABEL, CLUB, **key).status == 201
    before = contents(api)
    assert_problem(api.post("/v1/games", {"ruleset": "aton"}, CLUB, **key), 422, "idempotency_key_reused")
    assert contents(api) == before


@pytest.mark.parametrize(
    ("seat", "status", "code"),
    [
        (0, 409, "seat_taken"),
        (2, 422, "invalid_seats"),
        (64, 422, "invalid_request"),
        (-1, 422, "invalid_request"),
    ],
)
def test_a_seat_that_is_not_free_is_not_taken(api: Api, seat: int, status: int, code: str) -> None:
    game = new_game(api, "babel", 1, seats=2)
    before = contents(api)
    assert_problem(game.post("/seats", {"name": "Zoe", "seat": seat}), status, code)
    assert contents(api) == before


def test_a_full_game_seats_nobody(api: Api, game: Table) -> None:
    before = contents(api)
    assert_problem(game.post("/seats", {"name": "Zoe"}), 409, "game_full")
    assert contents(api) == before


def test_a_game_without_seals_opens_none(api: Api, game: Table) -> None:
    before = contents(api)
    answer = game.post("/seats/0/entropy", {"entropy": "ab" * 32}, game.token(0))
    assert_problem(answer, 409, "not_sealing")
    assert contents(api) == before


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "TRACE", "BREW"])
def test_methods_that_a_route_does_not_have_are_refused_with_those_it_has(
    api: Api, game: Table, method: str
) -> None:
    answer = api.send(method, game.path)
    assert_problem(answer, 405, "method_not_allowed")
    assert {"GET", "HEAD", "OPTIONS"} == set(answer.headers["allow"].replace(" ", "").split(","))


def test_made_up_methods_are_not_counted_one_by_one(api: Api) -> None:
    """Else whoever makes up enough of them fills the server's memory."""
    for number in range(3):
        assert api.send(f"BREW{number}", "/v1/games").status == 405
    assert b"BREW" not in api.get("/metrics").body


def test_head_and_options_tell_no_more_than_they_should(game: Table) -> None:
    got, head = game.get("", game.token(0)), game.api.send("HEAD", game.path, None, game.token(0))
    assert (head.status, head.headers, head.body) == (200, got.headers, b"")
    options = game.api.send("OPTIONS", game.path)
    assert (options.status, options.body) == (200, b"")


@pytest.mark.parametrize("number", ["٤", "۴", "４", "+4", "4.0", "-4", "0x4"])
def test_a_number_in_an_address_is_written_in_plain_digits(api: Api, number: str) -> None:
    game = new_game(api, "babel")
    for path in ("/replay/{}", "/replay/{}/board.svg"):
        assert game.get(path.format(4)).status == 200
        assert_problem(game.get(path.format(number)), 404, "not_found")


@pytest.mark.parametrize(
    "path",
    [
        "/v1",
        "/v2/games",
        "/v1/games/",
        "/v1//games",
        "//v1/games",
        "/v1/games/../games",
        "/v1/games/%2e%2e/%2e%2e/etc/passwd",
        "/docs/../openapi.json",
        "/docs/index.css",
        "/v1/games/\x00",
        f"/v1/rulesets/{'a' * 5000}/x",
    ],
)
def test_paths_that_lead_nowhere_are_problems_too(api: Api, path: str) -> None:
    answer = api.get(path)
    assert_problem(answer, 404, answer.code)
    assert answer.code in ("not_found", "game_not_found")


def test_an_unknown_ruleset_is_not_found(api: Api) -> None:
    assert_problem(api.get("/v1/rulesets/chess"), 404, "unknown_ruleset")


def test_what_is_thrown_inside_is_told_to_the_log_alone(
    api: Api, game: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        raise RuntimeError("seat 1 holds a 4")

    monkeypatch.setattr(type(api.context.rulesets.latest("lanterns")), "view", fail)
    answer = game.get()
    assert_problem(answer, 500, "internal_error")
    assert b"holds" not in answer.bytes
