"""A record is the whole of a game in one document: the same bytes wherever it goes, and every moment of it at hand."""

import json
from typing import Any

import pytest

from events.canonical import canonical
from events.entries import read_carved
from events.game import fold, fold_on, unfold
from replays.audit.verify import MAX_DEPTH, Fault, read_record
from replays.record import entries_of, to_record, write_record
from tests.events.logs import PEOPLE, TOYS, Log, created, game_at, named, person
from tests.replays.forging import GOOD, plain

each_record = pytest.mark.parametrize("record", [make() for make in GOOD.values()], ids=GOOD)


@each_record
def test_a_record_is_read_and_written_byte_for_byte(record: Any) -> None:
    written = write_record(record)
    assert write_record(read_record(written)) == written
    assert read_record(json.dumps(record, indent=2).encode()) == record


@each_record
def test_the_entries_of_a_record_are_the_entries_of_the_log(record: Any) -> None:
    carved = entries_of(record)
    assert [each.hash for each in carved] == [entry["hash"] for entry in record["entries"]]
    assert to_record(carved, {})["entries"] == record["entries"]
    assert [read_carved(each.raw, each.hash).raw for each in carved] == [each.raw for each in carved]


def test_a_record_has_the_members_of_the_contract() -> None:
    log = Log(created(), people={1: PEOPLE[1], 0: PEOPLE[0]})
    log.plays_on()
    log.settles()
    record = log.record
    assert set(record) == {"format", "game", "ruleset", "ruleset_version", "entries", "people", "head"}
    assert (record["format"], record["game"]) == ("stele-record/1", log.game.id)
    assert (record["ruleset"], record["ruleset_version"]) == ("lanterns", 1)
    assert [entry["seq"] for entry in record["entries"]] == list(range(1, log.game.version + 1))
    latest = log.latest
    assert record["head"] == {"seq": latest.seq, "hash": latest.hash, "signature": None, "key_id": None}
    for shown, carved in zip(record["entries"], log.entries, strict=True):
        assert canonical(shown) == canonical(json.loads(carved.raw) | {"hash": carved.hash})


def test_people_stand_beside_the_entries_by_seat() -> None:
    sitters = (named("Ågnes 🏛"), named("Ben"), named("Cleo"))
    log = Log(created(sitters=sitters), people={2: person("Cleo"), 0: person("Ågnes 🏛")})
    people = log.record["people"]
    assert people == [
        {"seat": 0, "name": "Ågnes 🏛", "nonce": "0" * 32},
        {"seat": 2, "name": "Cleo", "nonce": "0" * 32},
    ]
    assert read_record(write_record(log.record))["people"] == people


def test_a_head_that_is_given_is_kept_with_its_signature() -> None:
    log = Log(created())
    head = {"seq": log.latest.seq, "hash": log.latest.hash, "signature": "c2ln", "key_id": "k1"}
    assert to_record(log.entries, {}, head)["head"] == head


@each_record
def test_unfolding_gives_the_game_after_every_entry(record: Any) -> None:
    entries = entries_of(record)
    game = None
    for carved, (entry, after) in zip(entries, unfold(entries, TOYS), strict=True):
        game = fold(game, carved, TOYS)
        assert (entry, after, after.version) == (carved, game, carved.seq)


def test_folding_goes_on_from_a_game_already_folded() -> None:
    entries = entries_of(plain())
    middle = game_at(entries, 7, TOYS)
    assert fold_on(middle, entries[7:], TOYS) == game_at(entries, len(entries), TOYS)


@pytest.mark.parametrize(
    "source",
    [
        b"",
        b"\xff",
        b"[]",
        b"null",
        b"{}",
        b'{"format":"stele-record/2","entries":[{}]}',
        b'{"format":"stele-record/1"}',
        b'{"format":"stele-record/1","entries":{}}',
        b'{"format":"stele-record/1","entries":[]}',
        b'{"format":"stele-record/1","entries":[1]}',
        b'{"format":"stele-record/1","entries":[{"a":1,"a":1}]}',
        b'{"format":"stele-record/1","entries":[{"a":1.0}]}',
        b'{"format":"stele-record/1","entries":[{"a":NaN}]}',
        b'{"format":"stele-record/1","entries":[{"a":9007199254740992}]}',
        b'{"format":"stele-record/1","entries":[{"a":' + b"9" * 5000 + b"}]}",
        '{"format":"stele-record/1","entries":[{"é":1}]}'.encode(),
        b'{"format":"stele-record/1","entries":[{"a":"\\ud800"}]}',
        b'{"format":"stele-record/1","entries":[{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}]}",
        b'{"format":"stele-record/1","entries":[{"a":' + b"[" * 700 + b"]" * 700 + b"}]}",
        b'{"format":"stele-record/1","entries":[{"a":' + b"[" * MAX_DEPTH + b"]" * MAX_DEPTH + b"}]}",
    ],
    ids=lambda source: ascii(source[-30:]),
)  # fmt: skip
def test_what_is_no_record_is_refused(source: bytes) -> None:
    with pytest.raises(Fault):
        read_record(source)
