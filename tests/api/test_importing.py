"""Games that were played elsewhere: audited before they are kept, whole when they leave again, out of results."""

import json
from typing import Any

import pytest

from events.keys import game_id
from replays.audit.verify import read_record
from replays.record import Record, write_record
from services.core.signing import Signer
from tests.api.client import CLUB, OPERATOR, Answer, Api, Table, new_game
from tests.api.conftest import MakeApi
from tests.api.finished import close, settled_game, verdicts
from tests.api.test_signing import OTHER_KEY
from tests.replays.forging import chained, data, entry_of, of

IMPORT = "/v1/records?import=true"
REFS = [{"name": name, "ref": f"ref-{name}"} for name in ("Ada", "Ben", "Cleo")]


@pytest.fixture
def away(make_api: MakeApi) -> Api:
    """Another server, with a key and a store of its own."""
    return make_api(1, signing_key=OTHER_KEY)


def send(api: Api, record: bytes, token: str | None = OPERATOR) -> Answer:
    return api.send("POST", IMPORT, record, token, Content_Type="application/json")


def carried(away: Api, api: Api, **wanted: Any) -> tuple[Table, bytes]:
    """A game settled on one server and imported by another; and its record."""
    game = settled_game(away, **wanted)
    record = game.get("/record", OPERATOR).body
    assert send(api, record).status == 200
    return Table(api, game.created), record


def is_unknown(api: Api, game: str) -> bool:
    return api.get(f"/v1/games/{game}", OPERATOR).code == "game_not_found"


def test_an_imported_game_leaves_again_byte_for_byte(api: Api, away: Api) -> None:
    here, record = carried(away, api)
    assert here.get("/record").body == record
    assert here.get("").json["settled"]


def test_an_imported_game_is_shown_as_where_it_was_played(api: Api, away: Api) -> None:
    here, _ = carried(away, api)
    there = Table(away, here.created)
    for path in ("", "?view=full", "/events", "/events?after=5"):
        assert here.get(path).json | {"now": ""} == there.get(path).json | {"now": ""}


def test_the_audit_of_an_imported_game_says_that_its_key_is_not_known_here(api: Api, away: Api) -> None:
    here, _ = carried(away, api)
    audit = here.get("/audit").json
    assert {name for name, verdict in verdicts(audit).items() if verdict != "pass"} == {"signature"}
    assert audit["verdict"] == "incomplete"
    assert Signer(bytes.fromhex(OTHER_KEY)).key_id in audit["checks"][-1]["detail"]


def test_the_answer_to_an_import_is_the_audit(api: Api, away: Api) -> None:
    audit = send(api, settled_game(away).get("/record").body).json
    assert set(audit) == {"verdict", "checks", "fairness"}
    assert (audit["verdict"], audit["fairness"]) == ("incomplete", "server_only")


def test_imported_games_stay_out_of_results_and_standings(api: Api, away: Api) -> None:
    here, _ = carried(away, api, players=REFS)
    api.project(here.id)
    assert api.get("/v1/results").json["items"] == []
    assert not api.get("/v1/results").json.get("standings")
    assert len(away.get("/v1/results").json["items"]) == 1
    assert [row["id"] for row in api.get("/v1/games").json["items"]] == [here.id]


def test_a_game_that_comes_home_stays_out_of_results_too(api: Api) -> None:
    game = settled_game(api, players=REFS)
    record = game.get("/record").body
    for key in api.context.store.client.scan_iter():
        api.context.store.client.delete(key)
    api.context.keys.announce()
    assert send(api, record).json["verdict"] == "pass"
    api.project(game.id)
    assert api.get("/v1/results").json["items"] == []


def test_an_id_that_exists_is_refused(api: Api, away: Api) -> None:
    here, record = carried(away, api)
    assert send(api, record).code == "game_exists"
    own = settled_game(api)
    refused = send(api, own.get("/record").body)
    assert (refused.status, refused.code) == (409, "game_exists")
    assert own.get("/audit").json["verdict"] == "pass"
    assert here.get("/record").body == record


def test_only_an_operator_may_import(api: Api, away: Api) -> None:
    game = settled_game(away)
    record = game.get("/record").body
    assert (send(api, record, None).status, send(api, record, None).code) == (401, "unauthorized")
    assert (send(api, record, CLUB).status, send(api, record, CLUB).code) == (403, "forbidden")
    assert send(api, record, "wrong").code == "unauthorized"
    assert is_unknown(api, game.id)


def test_without_import_nothing_is_kept(api: Api, away: Api) -> None:
    game = settled_game(away)
    assert api.post("/v1/records", game.get("/record").json, OPERATOR).status == 200
    assert api.post("/v1/records?import=false", game.get("/record").json, OPERATOR).status == 200
    assert is_unknown(api, game.id)
    assert api.post("/v1/records?import=yes", game.get("/record").json, OPERATOR).code == "invalid_request"


def a_wrong_winner(record: Record) -> Record:
    outcome = entry_of(record, "game_settled")["data"]["outcome"]
    outcome["winners"] = [0] if outcome["winners"] == [1] else [1]
    return chained(record)


def a_byte_changed(record: Record) -> Record:
    of("action_taken", salt="0" * 32)(record)
    return record


def another_seed(record: Record) -> Record:
    data("game_settled", seed="0" * 64)(record)
    return chained(record)


def another_name(record: Record) -> Record:
    record["people"][0]["name"] = "Eve"
    return record


def rules_that_are_not_here(record: Record) -> Record:
    data("game_created", ruleset_version=9)(record)
    record["ruleset_version"] = 9
    return chained(record)


def a_foreign_id(record: Record) -> Record:
    return renamed(record, "99-" + record["game"][3:])


def no_id(record: Record) -> Record:
    return renamed(record, "../secrets")


def renamed(record: Record, name: str) -> Record:
    record["game"] = name
    for entry in record["entries"]:
        entry["game"] = name
    return chained(record)


@pytest.mark.parametrize(
    ("forged", "told"),
    [
        (a_byte_changed, "chain"),
        (a_wrong_winner, "outcome"),
        (another_seed, "commitment"),
        (another_name, "schema"),
        (rules_that_are_not_here, "facts"),
    ],
)
def test_a_record_that_does_not_audit_clean_is_not_kept(api: Api, away: Api, forged: Any, told: str) -> None:
    record = forged(settled_game(away).get("/record").json)
    refused = send(api, json.dumps(record).encode())
    assert (refused.status, refused.code) == (422, "invalid_request")
    assert f"`{told}`" in refused.json["detail"]
    assert verdicts(refused.json["audit"])[told] != "pass"
    assert is_unknown(api, record["game"])


@pytest.mark.parametrize("forged", [a_foreign_id, no_id])
def test_a_record_with_an_id_that_no_game_can_have_is_not_kept(api: Api, forged: Any) -> None:
    game = new_game(api)
    game.post("/abort", token=OPERATOR)
    record = forged(close(game).get("/record").json)
    before = set(api.context.store.client.scan_iter())
    refused = send(api, json.dumps(record).encode())
    assert (refused.status, refused.code) == (422, "invalid_request")
    assert set(api.context.store.client.scan_iter()) == before


def test_a_game_that_is_not_settled_is_not_kept(api: Api, away: Api) -> None:
    record = settled_game(away).get("/record").json
    record["entries"].pop()
    assert send(api, json.dumps(chained(record)).encode()).code == "invalid_request"


def test_what_is_no_record_is_refused(api: Api) -> None:
    for nonsense in (
        b"{}",
        b"[]",
        b'{"format": "stele-record/2"}',
        b'{"format": "stele-record/1", "entries": []}',
    ):
        assert send(api, nonsense).code == "invalid_request"
    assert send(api, b"{").status in (400, 422)


def test_an_imported_private_game_stays_private(api: Api, away: Api) -> None:
    here, record = carried(away, api, private=True)
    assert here.get("").code == "game_not_found"
    assert here.get("/record").code == "game_not_found"
    assert here.get("/record", OPERATOR).body == record


def test_a_game_called_off_can_be_imported(api: Api, away: Api) -> None:
    game = new_game(away)
    game.post("/abort", token=OPERATOR)
    record = close(game).get("/record").body
    assert send(api, record).status == 200
    assert api.get(f"/v1/games/{game.id}").json["status"] == "aborted"
    assert api.get(f"/v1/games/{game.id}/record").body == record


def test_requests_of_an_imported_game_are_known(api: Api, away: Api) -> None:
    game = new_game(away, key="a-key-that-nobody-guesses")
    game.post("/abort", token=OPERATOR, Idempotency_Key="calling-it-off")
    record = close(game).get("/record").body
    assert send(api, record).status == 200
    again = api.post(f"/v1/games/{game.id}/abort", token=OPERATOR, Idempotency_Key="calling-it-off")
    assert (again.status, again.headers["idempotent-replayed"]) == (201, "true")


# -- names ------------------------------------------------------------------------------------------------------------


def test_a_forgotten_name_is_gone_and_the_chain_still_verifies(api: Api) -> None:
    game = settled_game(api)
    assert game.get("").json["seats"][1]["name"] == "Ben"
    assert api.context.store.forget(game.id, 1)
    assert not api.context.store.forget(game.id, 1)
    assert [seat["name"] for seat in game.get("").json["seats"]] == ["Ada", "(forgotten)", "Cleo"]
    assert [seat["name"] for seat in api.get("/v1/games").json["items"][0]["seats"]][1] == "(forgotten)"
    record = game.get("/record").body
    assert b"Ben" not in record
    assert [person["seat"] for person in read_record(record)["people"]] == [0, 2]
    assert game.get("/audit").json["verdict"] == "pass"


def test_who_has_a_game_already_hears_that_a_name_is_forgotten(api: Api) -> None:
    game = settled_game(api)
    tag = game.get("").headers["etag"]
    assert game.get("", If_None_Match=tag).status == 304
    api.context.store.forget(game.id, 1)
    again = game.get("", If_None_Match=tag)
    assert (again.status, again.json["seats"][1]["name"]) == (200, "(forgotten)")
    assert game.get("", If_None_Match=again.headers["etag"]).status == 304


def test_a_retry_does_not_bring_a_forgotten_name_back(api: Api) -> None:
    key = "a-key-that-nobody-guesses"
    players = [{"name": "Ada"}, {"name": "Ben"}, {"name": "Cleo"}]
    wanted = {"ruleset": "lanterns", "players": players}
    game = api.post("/v1/games", wanted, CLUB, Idempotency_Key=key).json
    assert api.context.store.forget(game["id"], 1)
    again = api.post("/v1/games", wanted, CLUB, Idempotency_Key=key)
    assert again.headers["idempotent-replayed"] == "true"
    assert again.json["seats"][1]["name"] == "(forgotten)"


def test_a_record_without_a_forgotten_name_is_imported_and_leaves_as_it_came(api: Api, away: Api) -> None:
    game = settled_game(away)
    away.context.store.forget(game.id, 0)
    record = game.get("/record").body
    assert send(api, record).status == 200
    here = Table(api, game.created)
    assert here.get("/record").body == record
    assert here.get("").json["seats"][0]["name"] == "(forgotten)"


def test_a_name_of_an_imported_game_can_be_forgotten(api: Api, away: Api) -> None:
    here, record = carried(away, api)
    assert api.context.store.forget(here.id, 2)
    left = read_record(record)
    left["people"].pop()
    assert here.get("/record").body == write_record(left)


def test_unknown_games_have_no_names_to_forget(api: Api) -> None:
    assert not api.context.store.forget(game_id(), 0)
