"""Signatures say who wrote a log, and heads that were kept during play say that it was not written anew."""

import json
from pathlib import Path
from typing import Any

import pytest

from events.store import Head as StoreHead
from replays.audit.audit import Audit, audit
from replays.audit.heads import Trust, read_witness
from replays.audit.verify import Fault, check_signature, head_message, read_keys, read_record, run_check
from replays.record import Record, write_record
from services.core.signing import Signer
from tests.events.logs import TOYS
from tests.replays.forging import GOOD, chained, entry_of, plain, sealed

VECTORS = Path(__file__).parents[2] / "docs/test-vectors"
OURS = Signer(b"\x01" * 32)
THEIRS = Signer(b"\x02" * 32)
KEYS = {OURS.key_id: OURS.public}
PINNED = Trust(KEYS)
OPEN = Trust(KEYS, only_these=False)

each_record = pytest.mark.parametrize("record", [make() for make in GOOD.values()], ids=GOOD)


def signed(record: Record, by: Signer = OURS) -> Record:
    """The record with its head signed."""
    head = StoreHead(record["head"]["seq"], record["head"]["hash"])
    return record | {"head": by.signed(record["game"], head)}


def kept(record: Record, seq: int, by: Signer | None = None) -> dict[str, Any]:
    """A head as a player may have kept it during play."""
    digest = record["entries"][seq - 1]["hash"]
    head = {"game": record["game"], "version": seq, "hash": digest}
    return head | ({} if by is None else without_seq(by.signed(record["game"], StoreHead(seq, digest))))


def without_seq(head: dict[str, Any]) -> dict[str, Any]:
    return {member: value for member, value in head.items() if member != "seq"}


def rewritten(record: Record) -> Record:
    """The same game with other salts, every hash made anew."""
    for entry in record["entries"]:
        entry["salt"] = "f" * 32
    return chained(record)


def last(audited: Audit) -> dict[str, Any]:
    return audited.checks[-1]


# -- 9. signature -----------------------------------------------------------------------------------------------------


@each_record
def test_a_signature_by_a_trusted_key_passes(record: Record) -> None:
    audited = audit(signed(record), TOYS, trust=PINNED)
    assert (audited.verdict, last(audited)["check"], last(audited)["verdict"]) == (
        "pass",
        "signature",
        "pass",
    )


def test_without_a_word_on_trust_the_check_is_left_out() -> None:
    assert "signature" not in {check["check"] for check in audit(signed(plain()), TOYS).checks}


def test_a_signature_by_another_key_fails_at_the_last_entry() -> None:
    record = signed(plain(), THEIRS)
    audited = audit(record, TOYS, trust=PINNED)
    assert audited.verdict == "fail"
    assert (last(audited)["verdict"], last(audited)["entry"]) == ("fail", len(record["entries"]))


def test_of_another_key_an_auditor_with_an_open_mind_says_that_it_does_not_know_it() -> None:
    audited = audit(signed(plain(), THEIRS), TOYS, trust=OPEN)
    assert (audited.verdict, last(audited)["verdict"]) == ("incomplete", "not_checked")
    assert THEIRS.key_id in str(last(audited)["detail"])


def test_a_trusted_key_under_which_another_signed_fails_however_open_the_mind() -> None:
    record = signed(plain(), THEIRS)
    record["head"]["key_id"] = OURS.key_id
    for trust in (PINNED, OPEN):
        assert last(audit(record, TOYS, trust=trust))["verdict"] == "fail"


@pytest.mark.parametrize("trust", [PINNED, OPEN, Trust({})])
def test_without_a_signature_there_is_nothing_to_check(trust: Trust) -> None:
    audited = audit(plain(), TOYS, trust=trust)
    assert (audited.verdict, last(audited)["verdict"]) == ("incomplete", "not_checked")


def test_without_keys_a_signature_cannot_be_checked() -> None:
    assert last(audit(signed(plain()), TOYS, trust=Trust({})))["verdict"] == "not_checked"


def test_the_signature_of_an_earlier_head_fails() -> None:
    record = plain()
    early = OURS.signed(record["game"], StoreHead(3, record["entries"][2]["hash"]))
    record["head"] |= {"signature": early["signature"], "key_id": OURS.key_id}
    assert last(audit(record, TOYS, trust=PINNED))["verdict"] == "fail"


def test_the_signature_of_another_game_fails() -> None:
    record = plain()
    other = OURS.signed("07-" + "1" * 26, StoreHead(record["head"]["seq"], record["head"]["hash"]))
    record["head"] |= other
    assert last(audit(record, TOYS, trust=PINNED))["verdict"] == "fail"


@pytest.mark.parametrize("signature", ["", "zz", "00" * 64, "0" * 127, "A" * 128, " " * 128, "é" * 128])
def test_what_is_no_signature_fails(signature: str) -> None:
    record = signed(plain())
    record["head"]["signature"] = signature
    assert run_check("signature", check_signature, record, KEYS).verdict == "fail"


def test_behind_a_broken_form_no_signature_is_read() -> None:
    record = signed(plain()) | {"head": {"seq": 1}}
    audited = audit(read_record(json.dumps(record).encode()), TOYS, trust=PINNED, witness=[])
    assert [check["verdict"] for check in audited.checks[-2:]] == ["not_checked", "not_checked"]


def test_without_ed25519_a_signature_is_not_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr("replays.audit.verify.importlib.import_module", missing)
    assert run_check("signature", check_signature, signed(plain()), KEYS).verdict == "not_checked"


def test_keys_are_read_from_a_servers_list_and_from_hex() -> None:
    listed = {"keys": [{"public_key": OURS.public.hex(), "key_id": "another"}]}
    assert read_keys(json.dumps(listed).encode()) == KEYS
    assert read_keys(f"{OURS.public.hex()}\n".encode()) == KEYS
    assert read_keys(b'{"keys": []}') == {}


@pytest.mark.parametrize(
    "source",
    [b"", b"{", b"[]", b"7", b"{}", b'{"keys": 1}', b'{"keys": [{"public_key": "00"}]}', b"\xff", b"0" * 63],
)
def test_what_is_no_key_is_refused(source: bytes) -> None:
    with pytest.raises(Fault, match="neither a list of keys"):
        read_keys(source)


def test_the_worked_signature_is_what_a_server_signs_and_an_auditor_checks() -> None:
    vector = json.loads((VECTORS / "head.json").read_text())
    signer = Signer(bytes.fromhex(vector["private_key"]))
    assert (signer.public.hex(), signer.key_id) == (vector["public_key"], vector["key_id"])
    signed_head = signer.signed(vector["game"], StoreHead(vector["seq"], vector["hash"]))
    assert signed_head["signature"] == vector["signature"]
    assert head_message(vector["game"], vector["seq"], vector["hash"]).decode() == vector["message"]
    assert vector["hash"] == json.loads((VECTORS / "log.json").read_text())["entry_hash"]
    check_signature({"game": vector["game"], "head": signed_head}, {signer.key_id: signer.public})


# -- 10. witness ------------------------------------------------------------------------------------------------------


def test_without_a_witness_the_check_is_left_out() -> None:
    assert "witness" not in {check["check"] for check in audit(plain(), TOYS).checks}


@each_record
def test_every_head_of_a_true_record_is_in_its_chain(record: Record) -> None:
    heads = [kept(record, seq) for seq in range(1, len(record["entries"]) + 1)]
    audited = audit(record, TOYS, witness=heads)
    assert (audited.verdict, last(audited)["check"]) == ("pass", "witness")


@each_record
def test_a_game_rewritten_and_signed_again_is_caught_by_one_kept_head(record: Record) -> None:
    head = kept(record, 3, OURS)
    forged = signed(rewritten(read_record(write_record(record))))
    alone = audit(forged, TOYS, trust=PINNED)
    assert alone.verdict == "pass"
    audited = audit(forged, TOYS, trust=PINNED, witness=[head])
    assert audited.verdict == "fail"
    assert [check["check"] for check in audited.checks if check["verdict"] == "fail"] == ["witness"]
    assert last(audited)["entry"] == 3
    assert "it is signed by the server" in str(last(audited)["detail"])


def test_a_kept_head_without_a_signature_is_told_to_be_the_word_of_its_keeper() -> None:
    head = kept(plain(), 5)
    for worthless in (head, head | {"signature": "00" * 64, "key_id": OURS.key_id}):
        audited = audit(rewritten(plain()), TOYS, trust=PINNED, witness=[worthless])
        assert (last(audited)["verdict"], last(audited)["entry"]) == ("fail", 5)
        assert "the word of who kept it" in str(last(audited)["detail"])


def test_a_head_beyond_the_end_shows_that_entries_were_cut_off() -> None:
    record = plain()
    head = kept(record, len(record["entries"])) | {"version": len(record["entries"]) + 1}
    audited = audit(record, TOYS, witness=[head])
    assert (last(audited)["verdict"], last(audited)["entry"]) == ("fail", len(record["entries"]))


def test_the_first_of_several_heads_that_are_not_there_is_named() -> None:
    record = plain()
    heads = [kept(record, seq) for seq in (9, 4, 7, 4)]
    forged = plain()
    entry_of(forged, "action_taken")["salt"] = "f" * 32
    changed = entry_of(forged, "action_taken")["seq"]
    audited = audit(chained(forged), TOYS, witness=[kept(record, changed - 1), *heads])
    assert last(audited)["entry"] == min(seq for seq in (9, 4, 7) if seq >= changed)


def test_heads_of_other_games_are_passed_over() -> None:
    other = kept(sealed(), 2) | {"game": "07-" + "1" * 26}
    audited = audit(plain(), TOYS, witness=[other, kept(plain(), 2)])
    assert last(audited)["verdict"] == "pass"
    assert last(audit(plain(), TOYS, witness=[other]))["verdict"] == "not_checked"
    assert last(audit(plain(), TOYS, witness=[]))["verdict"] == "not_checked"


def test_heads_are_read_as_the_api_gives_them() -> None:
    one, two = kept(plain(), 2, OURS), {"seq": 3, "hash": "0" * 64}
    assert read_witness(json.dumps([one, two]).encode()) == [one, two]
    assert read_witness(json.dumps(one, indent=1).encode()) == [one]
    assert read_witness(f"{json.dumps(one)}\n\n{json.dumps(two)}\n".encode()) == [one, two]


@pytest.mark.parametrize(
    "source",
    [
        b"",
        b"{",
        b"7",
        b"[7]",
        b"[{}]",
        b'{"version": "2", "hash": "00"}',
        b'{"version": -1}',
        b"\xff",
        b"[" * 99999,
    ],
)
def test_what_is_no_head_is_refused(source: bytes) -> None:
    with pytest.raises(Fault):
        read_witness(source)
