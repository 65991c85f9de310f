"""Sealed entropy over HTTP: committed when sitting down, opened once all sit, and nobody can choose the deal."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

import pytest

from events.seeds import game_seed, seal
from games.chance import Chance
from services.worker.clock_job import expire_game
from tests.api.client import CLUB, OPERATOR, SEED, Answer, Api, Table, new_game
from tests.api.conftest import MakeApi
from tests.api.finished import close, finish
from tests.events.logs import Watch, ticking_scribe

ADAS, BENS, OTHER = (bytes([number]) * 32 for number in (11, 22, 33))
STRONG_KEY = "a-key-that-nobody-guesses"


def sit(game: Table, **wanted: Any) -> Answer:
    """Someone without a token sits down; the table remembers the seat's token."""
    answer = game.post("/seats", {"name": "Somebody", **wanted})
    if answer.status == 201:
        game.tokens[answer.json["seat"]] = answer.json["token"]
    return answer


def open_seal(game: Table, seat: int, entropy: bytes, by: int | None = None, **headers: str) -> Answer:
    token = game.token(seat if by is None else by)
    return game.post(f"/seats/{seat}/entropy", {"entropy": entropy.hex()}, token, **headers)


def open_game(api: Api, **wanted: Any) -> Table:
    """A game that nobody sits at yet."""
    return new_game(api, players=0, seats=3, **wanted)


def sealing(api: Api, **wanted: Any) -> Table:
    """Everyone sits: two with seals, the third with open entropy."""
    game = open_game(api, **wanted)
    sit(game, entropy_commitment=seal(ADAS))
    sit(game, entropy="tea leaves")
    assert sit(game, entropy_commitment=seal(BENS)).status == 201
    return game


def types(game: Table) -> list[str]:
    return [event["type"] for event in game.get("/events").json["items"]]


# -- the course of things -----------------------------------------------------------------------------------------------


def test_with_a_closed_seal_a_full_game_waits_in_status_sealing(api: Api) -> None:
    game = open_game(api)
    for number in range(3):
        assert game.show()["status"] == "open"
        sit(game, **({"entropy_commitment": seal(ADAS)} if number == 1 else {}))
    shown = game.show(1)
    assert (shown["status"], shown["view"], shown["to_act"], shown["decisions"]) == ("sealing", None, [], {})
    assert shown["version"] == 4


def test_the_last_seal_opened_starts_the_game_in_one_append(api: Api) -> None:
    game = sealing(api)
    first = open_seal(game, 2, BENS)
    assert (first.status, first.json["seat"], first.json["version"]) == (201, 2, 5)
    assert game.show()["status"] == "sealing"
    last = open_seal(game, 0, ADAS)
    assert (last.status, last.json["version"]) == (201, 7)
    assert game.show()["status"] == "playing"
    assert types(game)[-3:] == ["entropy_revealed", "entropy_revealed", "game_started"]
    revealed, started = game.get("/events").json["items"][-2:]
    assert revealed["actor"] == started["actor"] == {"seat": 0}
    assert revealed["data"] == {"seat": 0, "entropy": ADAS.hex()}


def test_a_sealed_game_is_played_settled_and_audited_clean(api: Api) -> None:
    game = sealing(api)
    open_seal(game, 0, ADAS)
    open_seal(game, 2, BENS)
    audit = finish(game).get("/audit").json
    assert (audit["verdict"], audit["fairness"]) == ("pass", "sealed")


def test_nothing_is_played_while_a_seal_is_closed(api: Api) -> None:
    game = sealing(api)
    before = game.head
    assert game.act(0, {"type": "lay", "card": 1}).code == "game_not_started"
    assert game.post("/resignation", token=game.token(0)).code == "game_not_started"
    assert sit(game).code == "game_full"
    assert game.legal(0) == []
    assert game.head == before


def test_a_sealing_game_stands_among_the_open_ones(api: Api) -> None:
    game = sealing(api)
    api.project(game.id)
    rows = api.get("/v1/games?status=open").json["items"]
    assert [(row["id"], row["status"]) for row in rows] == [(game.id, "sealing")]


# -- refusals -----------------------------------------------------------------------------------------------------------


def test_a_seal_cannot_be_opened_before_every_seat_is_taken(api: Api) -> None:
    game = open_game(api)
    sit(game, entropy_commitment=seal(ADAS))
    sit(game)
    refused = open_seal(game, 0, ADAS)
    assert (refused.status, refused.code) == (409, "not_sealing")
    assert ADAS.hex() not in json.dumps(game.get("/events").json)


def test_what_does_not_match_the_commitment_is_refused_and_changes_nothing(api: Api) -> None:
    game = sealing(api)
    before = game.head
    refused = open_seal(game, 0, OTHER)
    assert (refused.status, refused.code) == (409, "seal_mismatch")
    assert game.head == before
    assert open_seal(game, 0, ADAS).status == 201


@pytest.mark.parametrize("close_to_it", [seal(ADAS), hashlib.sha256(ADAS).hexdigest(), (BENS).hex()])
def test_neither_the_commitment_nor_a_plain_hash_nor_anothers_bytes_open_a_seal(
    api: Api, close_to_it: str
) -> None:
    game = sealing(api)
    assert open_seal(game, 0, bytes.fromhex(close_to_it)).code == "seal_mismatch"


def test_a_seal_is_opened_by_its_own_seat_alone(api: Api) -> None:
    game = sealing(api)
    assert open_seal(game, 0, ADAS, by=2).code == "forbidden"
    body = {"entropy": ADAS.hex()}
    assert game.post("/seats/0/entropy", body).code == "unauthorized"
    for token in (CLUB, OPERATOR):
        assert game.post("/seats/0/entropy", body, token).code == "forbidden"
    assert game.post("/seats/9/entropy", body, game.token(0)).code == "forbidden"
    assert game.show()["version"] == 4


def test_a_seal_is_opened_once_and_only_if_there_is_one(api: Api) -> None:
    game = sealing(api)
    assert open_seal(game, 1, OTHER).code == "not_sealing"
    assert open_seal(game, 0, ADAS).status == 201
    assert open_seal(game, 0, ADAS).code == "not_sealing"
    assert open_seal(game, 2, BENS).status == 201
    assert open_seal(game, 2, BENS).code == "not_sealing"


@pytest.mark.parametrize("entropy", ["", "00", "0" * 63, "0" * 65, "G" * 64, "AB" * 32, 7, None, "é" * 64])
def test_entropy_that_is_not_32_bytes_in_hex_is_refused(api: Api, entropy: Any) -> None:
    game = sealing(api)
    assert game.post("/seats/0/entropy", {"entropy": entropy}, game.token(0)).code == "invalid_request"


@pytest.mark.parametrize("commitment", ["", "00", "0" * 65, "AB" * 32, 7, None])
def test_a_commitment_that_is_no_hash_is_refused(api: Api, commitment: Any) -> None:
    game = open_game(api)
    assert sit(game, entropy_commitment=commitment).code == "invalid_request"


def test_entropy_is_open_or_sealed_and_never_a_bots(api: Api) -> None:
    game = open_game(api)
    assert sit(game, entropy="tea", entropy_commitment=seal(ADAS)).code == "invalid_request"
    bot = game.post("/seats", {"bot": "random", "entropy_commitment": seal(ADAS)}, CLUB)
    assert bot.code == "invalid_request"


def test_players_named_when_a_game_is_created_bring_no_seals(api: Api) -> None:
    players = [{"name": "Ada", "entropy_commitment": seal(ADAS)}]
    refused = api.post("/v1/games", {"ruleset": "lanterns", "seats": 3, "players": players}, CLUB)
    assert (refused.status, refused.code) == (422, "invalid_request")
    assert "entropy_commitment" in json.dumps(refused.json["errors"])


def test_a_seeded_game_takes_no_seal(api: Api) -> None:
    game = open_game(api, seed=SEED)
    assert sit(game, entropy_commitment=seal(ADAS)).code == "invalid_request"
    assert sit(game, entropy="tea").code == "invalid_request"
    assert sit(game).status == 201


# -- retries and tokens ---------------------------------------------------------------------------------------------------


def test_a_retry_of_an_opening_gives_the_first_answer_again(api: Api) -> None:
    game = sealing(api)
    first = open_seal(game, 0, ADAS, Idempotency_Key="opening")
    open_seal(game, 2, BENS)
    again = open_seal(game, 0, ADAS, Idempotency_Key="opening")
    assert (again.status, again.json, again.headers["idempotent-replayed"]) == (201, first.json, "true")
    assert open_seal(game, 0, OTHER, Idempotency_Key="opening").code == "idempotency_key_reused"


def test_a_retry_of_the_opening_that_started_the_game_appends_nothing(api: Api) -> None:
    game = sealing(api)
    open_seal(game, 0, ADAS)
    first = open_seal(game, 2, BENS, Idempotency_Key="last")
    head = game.head
    assert open_seal(game, 2, BENS, Idempotency_Key="last").json == first.json
    assert game.head == head


def test_a_seal_can_be_opened_with_a_renewed_token_and_not_with_the_old_one(api: Api) -> None:
    game = sealing(api)
    renewed = game.post("/seats/0/token", token=CLUB).json["token"]
    assert open_seal(game, 0, ADAS).code == "unauthorized"
    game.tokens[0] = renewed
    assert open_seal(game, 0, ADAS).json["token"] == renewed
    open_seal(game, 2, BENS)
    assert finish(game).get("/audit").json["verdict"] == "pass"


# -- what it is worth ------------------------------------------------------------------------------------------------------


def test_a_last_joiner_who_sees_everything_and_knows_the_servers_seed_cannot_compute_the_deal(
    api: Api,
) -> None:
    game = sealing(api)
    seen = json.dumps([game.get("/events", game.token(2)).json, game.show(2)])
    assert ADAS.hex() not in seen
    server_seed = api.context.ledger.get(game.id).server_seed
    open_seal(game, 0, ADAS)
    open_seal(game, 2, BENS)
    dealt = api.context.store.read(game.id)[-1].data.random
    cards = sorted(dealt[0].result)
    guesses = (seal(ADAS), seal(ADAS).encode().hex(), "")
    for guess in guesses:
        guessed = game_seed(server_seed, game.id, [bytes.fromhex(guess), b"tea leaves", BENS])
        assert list(Chance(guessed).shuffle("deck/0", cards)) != list(dealt[0].result)
    right = game_seed(server_seed, game.id, [ADAS, b"tea leaves", BENS])
    assert list(Chance(right).shuffle("deck/0", cards)) == list(dealt[0].result)


def test_other_sealed_bytes_give_another_deal_of_the_same_game(make_api: MakeApi, monkeypatch: Any) -> None:
    monkeypatch.setattr("services.api.routes.games.new_seed", lambda: bytes(32))
    deals = []
    for brought in (ADAS, OTHER, ADAS):
        game = open_game(make_api(), key=STRONG_KEY)
        sit(game, entropy_commitment=seal(brought))
        sit(game)
        sit(game)
        open_seal(game, 0, brought)
        deals.append((game.id, game.get("?view=full", OPERATOR).json["view"]))
    assert deals[0] == deals[2]
    assert deals[0][0] == deals[1][0]
    assert deals[0][1] != deals[1][1]


FAIRNESS: Mapping[str, tuple[list[dict[str, Any]], str]] = {
    "nobody brings anything": ([{}, {}, {}], "server_only"),
    "someone brings text": ([{}, {"entropy": "tea"}, {}], "open"),
    "someone brings a seal": ([{"entropy": "tea"}, {"entropy_commitment": seal(ADAS)}, {}], "sealed"),
}


@pytest.mark.parametrize(("sitters", "worth"), FAIRNESS.values(), ids=FAIRNESS)
def test_what_the_chances_are_worth_is_told_in_the_game_and_in_its_audit(
    api: Api, sitters: list[dict[str, Any]], worth: str
) -> None:
    game = open_game(api)
    for sitter in sitters:
        sit(game, **sitter)
    if worth == "sealed":
        open_seal(game, 1, ADAS)
    assert game.show()["fairness"] == worth
    assert finish(game).get("/audit").json["fairness"] == worth


def test_what_the_creating_caller_brings_is_worth_no_more_than_the_servers_word(api: Api) -> None:
    players = [{"name": "Ada", "entropy": "tea"}, "Ben", "Cleo"]
    assert new_game(api, players=players).show()["fairness"] == "server_only"
    game = open_game(api)
    body = {"name": "Ada", "entropy_commitment": seal(ADAS)}
    assert game.post("/seats", body, CLUB).status == 201
    assert game.show()["fairness"] == "server_only"
    assert sit(game, entropy_commitment=seal(BENS)).status == 201
    assert game.show()["fairness"] == "sealed"


def test_seeded_and_positioned_games_say_so(api: Api) -> None:
    assert new_game(api, seed=SEED).show()["fairness"] == "seeded"
    assert new_game(api, "babel", position={}).show()["fairness"] is None


# -- withheld -----------------------------------------------------------------------------------------------------------------


def test_a_seal_that_stays_closed_calls_the_game_off_and_the_log_still_audits_clean(
    make_api: MakeApi,
) -> None:
    watch = Watch()
    api = make_api(entry_factory=ticking_scribe(watch), seal_ttl=60)
    game = sealing(api)
    open_seal(game, 0, ADAS)
    watch.wind(50)
    assert not expire_game(api.context.ledger, game.id)
    watch.wind(11)
    assert expire_game(api.context.ledger, game.id)
    shown = close(game).show()
    assert (shown["status"], shown["settled"], shown["outcome"]) == ("aborted", True, None)
    assert open_seal(game, 2, BENS).code == "not_sealing"
    events = game.get("/events").json["items"]
    assert events[-2]["data"] == {"reason": "entropy_withheld", "limit": 60}
    assert events[-2]["actor"] == {"system": "clock"}
    assert game.get("/audit").json["verdict"] == "pass"
    assert BENS.hex() not in json.dumps(game.get("/record").json)
    assert api.get("/v1/results").json["items"] == []


def test_a_seal_opened_in_time_stops_the_clock(make_api: MakeApi) -> None:
    watch = Watch()
    api = make_api(entry_factory=ticking_scribe(watch), seal_ttl=60)
    game = sealing(api)
    open_seal(game, 0, ADAS)
    open_seal(game, 2, BENS)
    watch.wind(10_000)
    assert not expire_game(api.context.ledger, game.id)
    assert game.show()["status"] == "playing"
