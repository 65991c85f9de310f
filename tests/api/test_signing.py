"""The server signs where its logs end, and lists every key it ever signed with."""

import json
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from replays.audit.verify import check_signature, key_id, read_keys
from services.core.settings import CannotStart, Settings
from services.core.signing import Keyring, Signer, make_signer
from tests.api.client import OPERATOR, SIGNING_KEY, Api, build_api, new_game
from tests.api.conftest import MakeApi
from tests.api.finished import settled_game, verdicts
from tests.servers import ValkeyServer

OTHER_KEY = "0d" * 32
CHECKS = [
    *("chain", "schema", "commitment", "random", "facts", "states", "components", "outcome", "clocks"),
    *("settlement", "signature"),
]


def keys_of(api: Api) -> list[Any]:
    return list(api.get("/.well-known/stele-keys.json").json["keys"])


def test_the_head_of_a_running_game_is_signed(api: Api) -> None:
    game = new_game(api)
    head = game.get("/head").json
    assert set(head) == {"game", "version", "hash", "signature", "key_id"}
    assert (head["game"], head["version"], head["hash"]) == (game.id, *game.head)
    (key,) = keys_of(api)
    assert head["key_id"] == key["key_id"] == key_id(bytes.fromhex(key["public_key"]))
    message = f"stele-head-1\n{game.id}\n{head['version']}\n{head['hash']}\n".encode()
    public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(key["public_key"]))
    public.verify(bytes.fromhex(head["signature"]), message)


def test_each_entry_gives_a_head_of_its_own(api: Api) -> None:
    game = new_game(api)
    before = game.get("/head").json
    game.play()
    after = game.get("/head").json
    assert after["version"] == before["version"] + 1
    assert after["signature"] != before["signature"]


def test_the_head_of_a_private_game_is_signed_for_those_who_may_see_it_alone(api: Api) -> None:
    game = new_game(api, private=True)
    assert game.get("/head").code == "game_not_found"
    assert game.get("/head", game.token(0)).json["signature"]


def test_a_record_carries_a_signed_head_that_the_listed_keys_check(api: Api) -> None:
    game = settled_game(api)
    record = game.get("/record").json
    keys = read_keys(api.get("/.well-known/stele-keys.json").body)
    check_signature(record, keys)
    assert record["head"]["seq"] == len(record["entries"])


def test_the_audit_of_a_game_and_of_its_record_check_the_signature(api: Api) -> None:
    game = settled_game(api)
    audit = game.get("/audit").json
    assert list(verdicts(audit)) == CHECKS
    assert audit["verdict"] == "pass"
    assert api.post("/v1/records", game.get("/record").json).json == audit


def test_the_audit_of_a_live_game_checks_the_signature_too(api: Api) -> None:
    audit = new_game(api).get("/audit", OPERATOR).json
    assert verdicts(audit)["signature"] == "pass"


def test_of_a_signature_by_a_key_that_is_not_known_here_nothing_is_said(api: Api) -> None:
    game = settled_game(api)
    record = game.get("/record").json
    stranger = Signer(bytes.fromhex(OTHER_KEY))
    record["head"] = stranger.signed(game.id, api.context.store.head(game.id))
    audit = api.post("/v1/records", record).json
    assert {name: verdict for name, verdict in verdicts(audit).items() if verdict != "pass"} == {
        "signature": "not_checked"
    }
    assert audit["verdict"] == "incomplete"


def test_a_signature_under_the_name_of_our_key_is_caught(api: Api) -> None:
    game = settled_game(api)
    record = game.get("/record").json
    forged = Signer(bytes.fromhex(OTHER_KEY)).signed(game.id, api.context.store.head(game.id))
    record["head"]["signature"] = forged["signature"]
    assert verdicts(api.post("/v1/records", record).json)["signature"] == "fail"


def test_a_record_without_a_signature_is_not_held_to_be_complete(api: Api) -> None:
    record = settled_game(api).get("/record").json
    record["head"] |= {"signature": None, "key_id": None}
    audit = api.post("/v1/records", record).json
    assert (audit["verdict"], audit["checks"][-1]["verdict"]) == ("incomplete", "not_checked")


def test_a_changed_key_leaves_the_old_one_listed_and_its_records_good(
    valkey: ValkeyServer, make_api: MakeApi
) -> None:
    old = make_api()
    game = settled_game(old)
    record = game.get("/record").json
    new = build_api(f"{valkey.url}?db=0", signing_key=OTHER_KEY)
    present, retired = keys_of(new)
    assert [present["retired"], retired["retired"]] == [False, True]
    assert retired["public_key"] == Signer(bytes.fromhex(SIGNING_KEY)).public.hex()
    assert new.post("/v1/records", record).json["verdict"] == "pass"
    assert new.get(f"{game.path}/record").json["head"]["key_id"] == present["key_id"]
    assert new.get(f"{game.path}/audit").json["verdict"] == "pass"
    new.close()


def test_a_key_that_comes_back_is_present_again(valkey: ValkeyServer, make_api: MakeApi) -> None:
    first = make_api()
    second = build_api(f"{valkey.url}?db=0", signing_key=OTHER_KEY)
    again = build_api(f"{valkey.url}?db=0")
    assert [key["retired"] for key in keys_of(again)] == [False, True]
    assert keys_of(again)[0] == keys_of(first)[0]
    for api in (second, again):
        api.close()


def test_the_list_of_keys_tells_no_private_key(api: Api) -> None:
    answer = api.get("/.well-known/stele-keys.json")
    assert SIGNING_KEY.encode() not in answer.body
    assert set(json.loads(answer.body)["keys"][0]) == {
        *("key_id", "algorithm", "public_key", "since", "retired"),
    }


# -- where the key comes from -----------------------------------------------------------------------------------------


def test_the_key_is_made_on_first_start_and_kept(tmp_path: Path) -> None:
    first, second = (make_signer(Settings(data_dir=tmp_path / "data")) for _ in range(2))
    assert first.public == second.public
    key_file = tmp_path / "data" / "signing.key"
    assert key_file.stat().st_mode & 0o777 == 0o600
    assert make_signer(Settings(data_dir=tmp_path / "other")).public != first.public


def test_a_key_that_is_given_goes_before_the_one_kept(tmp_path: Path) -> None:
    make_signer(Settings(data_dir=tmp_path))
    signer = make_signer(Settings(data_dir=tmp_path, signing_key=SIGNING_KEY))
    assert signer.public == Signer(bytes.fromhex(SIGNING_KEY)).public


def test_a_spoiled_key_file_is_told(tmp_path: Path) -> None:
    path = tmp_path / "signing.key"
    path.write_text("not a key\n")
    path.chmod(0o600)
    with pytest.raises(CannotStart, match=r"signing\.key must be 64 lower-case hex digits"):
        make_signer(Settings(data_dir=tmp_path))


def test_a_key_is_announced_once(valkey: ValkeyServer) -> None:
    with valkey.client(db=3) as client:
        client.flushdb()
        ring = Keyring(Signer(bytes.fromhex(SIGNING_KEY)), client)
        ring.announce()
        listed = ring.listed()
        ring.announce()
        assert ring.listed() == listed
