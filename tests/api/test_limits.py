"""Nobody asks for more than is given to one: seats by their pace, strangers by what they create and join."""

import json
import secrets
from collections.abc import Iterator
from http.client import HTTPConnection
from ipaddress import ip_network
from typing import Any

import pytest

from services.api.limits import TRACKED_SEATS, RateLimiter, caller_address
from tests.api.client import CLUB, OPERATOR, Answer, Api, new_game
from tests.api.conftest import MakeApi
from tests.api.live import live_api
from tests.round_trips import count_round_trips
from tests.servers import PATIENCE, ValkeyServer

DATABASE = 10
PACE = 10
"""Requests a second: so few that the slowest machine asks for more."""
GAME = {"ruleset": "babel", "players": [{"name": "Ada"}, {"name": "Ben"}]}


# -- over a real socket -----------------------------------------------------------------------------------------------


class Caller:
    """Someone who calls a server from this machine, perhaps through a proxy."""

    def __init__(self, port: int, forwarded: str | None = None) -> None:
        self.connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        self.headers = {"X-Forwarded-For": forwarded} if forwarded else {}

    def send(self, method: str, path: str, body: Any = None, token: str | None = None, **more: str) -> Answer:
        headers = self.headers | {name.replace("_", "-"): value for name, value in more.items()}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        if body is not None:
            headers["Content-Type"] = "application/json"
        self.connection.request(method, path, None if body is None else json.dumps(body), headers)
        response = self.connection.getresponse()
        return Answer(response.status, response.getheaders(), response.read())

    def create(self, **more: str) -> Answer:
        return self.send("POST", "/v1/games", GAME, **more)


@pytest.fixture(scope="module")
def port(valkey: ValkeyServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """A server with its own limits, behind a proxy on this machine."""
    with valkey.client(db=DATABASE) as client:
        client.flushdb()
    settings = {"STELE_TRUSTED_PROXIES": "127.0.0.1", "STELE_REQUESTS_PER_SECOND": str(PACE)}
    directory = tmp_path_factory.mktemp("limits")
    with live_api(f"{valkey.url}?db={DATABASE}", directory, unlimited=False, **settings) as port:
        yield port


@pytest.fixture
def call(port: int) -> Iterator[Any]:
    """Makes callers."""
    callers: list[Caller] = []

    def begin(forwarded: str | None = None) -> Caller:
        callers.append(Caller(port, forwarded))
        return callers[-1]

    yield begin
    for caller in callers:
        caller.connection.close()


def check_told(answer: Answer, name: str, most: int, window: str) -> None:
    """The refusal says in every way that the contract names when to come back."""
    assert (answer.status, answer.code) == (429, "rate_limited"), answer
    assert answer.headers["content-type"] == "application/problem+json"
    wait = int(answer.headers["retry-after"])
    assert 1 <= wait <= 60
    assert answer.headers["ratelimit"] == f'"{name}";r=0;t={wait}'
    assert answer.headers["ratelimit-policy"] == f'"{name}";q={most}{window}'


def test_strangers_create_twenty_games_a_minute_from_one_address(call: Any) -> None:
    stranger, other = call("203.0.113.7"), call("203.0.113.8")
    key = secrets.token_hex(16)
    first = stranger.create(Idempotency_Key=key)
    for _ in range(19):
        assert stranger.create().status == 201
    refused = stranger.create()
    check_told(refused, "creations", 20, ";w=60")
    assert "20 games a minute" in refused.json["detail"]
    assert "Trop de" in stranger.create(Accept_Language="fr").json["detail"]
    assert other.create().status == 201
    again = stranger.create(Idempotency_Key=key)
    assert (again.status, again.json["id"]) == (201, first.json["id"]), (
        "a retry is answered as the first time"
    )
    for token in (CLUB, OPERATOR):
        assert stranger.create(token=token).status == 201


def test_what_a_client_writes_into_the_header_itself_is_not_believed(call: Any) -> None:
    for nth in range(20):
        assert call(f"198.51.100.{nth}, 203.0.113.9").create().status == 201
    check_told(call("198.51.100.77, 203.0.113.9").create(), "creations", 20, ";w=60")


def test_strangers_take_sixty_seats_a_minute_from_one_address(call: Any) -> None:
    stranger, host = call("203.0.113.10"), call()
    answers = []
    for _ in range(31):
        game = host.send("POST", "/v1/games", {"ruleset": "babel"}, CLUB).json["id"]
        answers += [
            stranger.send("POST", f"/v1/games/{game}/seats", {"name": name}) for name in ("Ada", "Ben")
        ]
    assert [answer.status for answer in answers[:60]] == [201] * 60
    check_told(answers[60], "joins", 60, ";w=60")


def test_a_seat_that_asks_too_often_is_told_to_wait_and_others_are_not(call: Any) -> None:
    host, hasty = call(), call()
    game = host.send("POST", "/v1/games", GAME, CLUB).json
    path, tokens = f"/v1/games/{game['id']}/head", [seat["token"] for seat in game["seats"]]
    answers = [hasty.send("GET", path, token=tokens[0]) for _ in range(10 * PACE)]
    refused = [answer for answer in answers if answer.status != 200]
    check_told(refused[0], "seat", PACE, ";w=1")
    assert {answer.status for answer in answers[:PACE]} == {200}
    assert hasty.send("GET", path, token=tokens[1]).status == 200
    assert hasty.send("GET", path).status == 200


def test_a_header_that_cannot_be_read_does_not_hide_where_a_request_comes_from(call: Any) -> None:
    assert call("203.0.113.11, caf\xe9").create().code == "malformed_header"


# -- in the process ---------------------------------------------------------------------------------------------------


def test_strangers_have_fifty_unfinished_games_and_may_begin_more_when_some_have_ended(
    make_api: MakeApi,
) -> None:
    api = make_api(unfinished_games=5)
    games = [new_game(api, "babel", token=None) for _ in range(5)]
    refused = api.post("/v1/games", GAME)
    check_told(refused, "unfinished", 5, "")
    assert api.post("/v1/games", GAME, CLUB).status == 201
    for game in games[:2]:
        api.project(game.id)
        assert game.post("/resignation", token=game.token(0)).status == 201
        api.project(game.id)
    assert [api.post("/v1/games", GAME).status for _ in range(3)] == [201, 201, 429]


def test_a_new_game_takes_the_place_of_the_oldest_that_nobody_has_joined(
    make_api: MakeApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    api = make_api(unfinished_games=3)
    joined, oldest, newer = (new_game(api, "babel", players=1, seats=2, token=None) for _ in range(3))
    assert joined.post("/seats", {"name": "Cleo"}).status == 201
    for game in (joined, oldest, newer):
        api.project(game.id)
    assert api.post("/v1/games", GAME).status == 429, "none is displaced in its first minute"
    monkeypatch.setattr("services.api.limits.MINUTE", 0)
    assert api.post("/v1/games", GAME).status == 201
    assert [game.show()["status"] for game in (joined, oldest, newer)] == ["playing", "aborted", "open"]
    oldest.settle()
    assert oldest.get("/audit").json["verdict"] == "pass"
    api.project(oldest.id)
    assert [api.post("/v1/games", GAME).status for _ in range(2)] == [201, 429], (
        "the newer one, then no other"
    )


def test_a_creation_that_failed_takes_no_place_for_long(
    make_api: MakeApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    api = make_api(unfinished_games=2)
    for _ in range(2):
        assert api.post("/v1/games", {**GAME, "options": {"nonsense": 1}}).status == 422
    monkeypatch.setattr("services.api.limits.MINUTE", 0)
    assert [api.post("/v1/games", GAME).status for _ in range(3)] == [201, 201, 429]


def test_forks_are_creations_too(make_api: MakeApi) -> None:
    api = make_api(creations_per_minute=1)
    game = new_game(api, "babel")
    game.play()
    game.post("/resignation", token=game.token(0))
    game.settle()
    assert [game.post("/forks", {"version": 5}).status for _ in range(2)] == [201, 429]
    assert game.post("/forks", {"version": 5}, CLUB).status == 201


def test_who_has_left_a_seat_cannot_use_up_the_pace_of_who_sits_there_now(make_api: MakeApi) -> None:
    api = make_api(requests_per_second=1)
    game = api.post("/v1/games", {"ruleset": "babel", "seats": 2}, CLUB).json["id"]
    api.compares = False
    before, after = (sit_down_at_the_first_seat(api, game) for _ in range(2))
    for _ in range(3):
        api.get(f"/v1/games/{game}", before)
    assert api.get(f"/v1/games/{game}", before).status == 429
    assert api.get(f"/v1/games/{game}", after).status == 200


def sit_down_at_the_first_seat(api: Api, game: str) -> str:
    """The token of a new sitter, after whoever sits there was made to leave."""
    api.delete(f"/v1/games/{game}/seats/0", CLUB)
    return str(api.post(f"/v1/games/{game}/seats", {"name": "Ada", "seat": 0}).json["token"])


def test_an_action_costs_no_round_trip_more(make_api: MakeApi, monkeypatch: pytest.MonkeyPatch) -> None:
    trips = []
    for limit in (0, 100):
        api = make_api(requests_per_second=limit, joins_per_minute=limit)
        game = new_game(api, "babel")
        seat = game.show()["to_act"][0]
        action = game.legal(seat)[0]
        with monkeypatch.context() as patch:
            counted = count_round_trips(patch)
            assert game.act(seat, action).status == 201
            trips.append(len(counted))
    assert trips == [1, 1]


def test_a_counter_always_expires_even_one_that_was_left_without_an_expiry(make_api: MakeApi) -> None:
    api = make_api(creations_per_minute=20)
    assert api.post("/v1/games", GAME).status == 201
    store: Any = api.context.store.client
    (counter,) = store.keys("stele:{limits}:creations:*")
    assert 0 < store.ttl(counter) <= 60
    store.persist(counter)  # as an INCR leaves a counter that expired just before it
    assert api.post("/v1/games", GAME).status == 201
    assert 0 < store.ttl(counter) <= 60


def test_no_address_is_kept_as_it_is(make_api: MakeApi) -> None:
    api = make_api(creations_per_minute=5, unfinished_games=5)
    assert api.post("/v1/games", GAME).status == 201
    keys: Any = api.context.store.client.keys("stele:{limits}:*")
    assert len(keys) == 2
    for key in keys:
        assert b"127.0.0.1" not in key
        assert api.context.store.client.ttl(key) > 0


def test_a_pace_lets_a_second_s_worth_through_at_once_and_then_one_by_one() -> None:
    now = [100.0]
    pace = RateLimiter(10, lambda: now[0])
    assert [pace.wait("a") for _ in range(10)] == [0.0] * 10
    assert pace.wait("a") == pytest.approx(0.1)
    assert pace.wait("b") == 0.0
    now[0] += 0.1
    assert pace.wait("a") == 0.0
    assert pace.wait("a") > 0.0
    now[0] += 5
    assert [pace.wait("a") for _ in range(11)][-1] > 0.0


def test_callers_without_number_do_not_fill_the_memory() -> None:
    now = [0.0]
    pace = RateLimiter(1, lambda: now[0])
    for nth in range(5 * TRACKED_SEATS):
        now[0] += 1e-6
        pace.wait(nth)
    assert len(pace._free_at) <= TRACKED_SEATS


@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        ("203.0.113.5", "", "203.0.113.5"),
        ("203.0.113.5", "198.51.100.1", "203.0.113.5"),
        ("127.0.0.1", "", "127.0.0.1"),
        ("127.0.0.1", "198.51.100.1", "198.51.100.1"),
        ("127.0.0.1", "1.2.3.4, 198.51.100.1", "198.51.100.1"),
        ("127.0.0.1", "1.2.3.4, 198.51.100.1, 10.1.1.1", "198.51.100.1"),
        ("127.0.0.1", "10.1.1.1", "10.1.1.1"),
        ("127.0.0.1", "nonsense", "127.0.0.1"),
        ("127.0.0.1", "1.2.3.4, unknown", "127.0.0.1"),
        ("127.0.0.1", "1.2.3.4, unknown, 10.1.1.1", "10.1.1.1"),
        ("127.0.0.1", "1.2.3.4,", "127.0.0.1"),
        ("127.0.0.1", "198.51.100.1:4711", "198.51.100.1"),
        ("127.0.0.1", "[2001:db8::1]:4711", "2001:db8::/56"),
        ("[::ffff:127.0.0.1]", "198.51.100.1", "198.51.100.1"),
        ("2001:db8:0:1:2:3:4:5", "", "2001:db8::/56"),
        ("", "", "here"),
    ],
)
def test_an_address_is_believed_as_far_as_trusted_proxies_vouch_for_it(
    peer: str, forwarded: str, address: str
) -> None:
    proxies = [ip_network("127.0.0.1"), ip_network("10.0.0.0/8")]
    assert caller_address(peer, forwarded, proxies) == address
