"""Check 2: the record and every entry are well-formed, and every name is the one that was hashed."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from events.entries import Clock
from replays.audit import verify as verifier
from replays.audit.verify import MAX_SEATS
from replays.record import Record
from tests.events.logs import SERVER_SEED, SITTERS, Log, created
from tests.replays.forging import (
    ENTROPY,
    aborted,
    chained,
    data,
    entry_of,
    faults,
    of,
    place_of,
    plain,
    sealed,
    without,
)

OTHER = "f" * 64


# -- the record ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "members",
    [
        {"signed": True},
        {"game": "08-" + "0" * 26},
        {"game": None},
        {"ruleset": "candles"},
        {"ruleset_version": 2},
        {"ruleset_version": True},
        {"people": None},
        {"people": {}},
        {"people": [{"seat": 0, "name": "Ada"}]},
        {"people": [{"seat": 0, "name": "Ada", "nonce": "0" * 30}]},
        {"people": [{"seat": True, "name": "Ben", "nonce": "0" * 32}]},
        {"people": [{"seat": 3, "name": "Ada", "nonce": "0" * 32}]},
        {"people": [{"seat": 0, "name": "Ada", "nonce": "0" * 32}] * 2},
    ],
    ids=str,
)
def test_a_record_is_about_one_game_and_its_people(members: dict[str, Any]) -> None:
    failed = faults(plain() | members)
    assert list(failed) == ["schema"]


def test_a_record_lacks_nothing() -> None:
    for member in ("game", "ruleset", "ruleset_version", "people", "head"):
        record = plain()
        del record[member]
        assert faults(record)["schema"] is None


@pytest.mark.parametrize(
    "members", [{"extra": 1}, {"signature": 1}, {"key_id": []}, {"signature": {}}], ids=str
)
def test_the_head_is_well_formed(members: dict[str, Any]) -> None:
    record = plain()
    record["head"] |= members
    assert faults(record) == {"schema": None}


@pytest.mark.parametrize("members", [{"name": "Eve"}, {"nonce": "1" * 32}, {"seat": 1}], ids=str)
def test_a_renamed_player_fails_at_the_entry_that_seated_them(members: dict[str, Any]) -> None:
    record = plain()
    record["people"] = [record["people"][0] | members]
    seat = members.get("seat", 0)
    assert faults(record) == {"schema": place_of(record, "seat_taken", seat)}


def test_a_bot_has_no_name_to_be_given() -> None:
    record = plain()
    record["people"] = []
    data("seat_taken", 1, bot="greedy", bot_version=1, player={"name_hash": None, "ref": None})(record)
    del record["entries"][5]
    assert faults(chained(record)) == {}
    record["people"] = [{"seat": 1, "name": "Ben", "nonce": "0" * 32}]
    assert faults(record) == {"schema": 3}


def test_names_may_be_forgotten() -> None:
    record = plain()
    while record["people"]:
        record["people"].pop()
        assert faults(record) == {}


# -- well-formed entries ---------------------------------------------------------------------------------

CREATED: dict[str, tuple[Any, ...]] = {
    "ruleset": (None, 1),
    "ruleset_version": (None, "1", True, -1),
    "component_set": (None, {"name": "lanterns"}, {"name": "lanterns", "sha256": "0"}),
    "options": (None, []),
    "seats": (0, -1, True, "3", MAX_SEATS + 1, 2**53 - 1),
    "seed_commitment": (None, "0" * 63, "G" * 64, "F" * 64),
    "private": (None, 0, "no"),
    "clock": (
        0, {}, {"turn_seconds": True}, {"turn_seconds": 60, "sand": 1}, {"total_seconds": 60},
        {"turn_seconds": 60, "total_seconds": 60, "increment_seconds": 0},
        {"total_seconds": 60, "increment_seconds": None},
    ),
    "tags": (None, [], "a", ["a", "a"], [1]),
    "terms": (True, "3", 1, 2, 4),
    "takebacks": (None, 1, "yes"),
    "rematch_of": (1, False),
    "host": (1, False, "other", None),
    "origin": (
        None, {}, {"kind": None}, {"kind": []}, {"kind": {}}, {"kind": "gift"}, {"kind": "fresh", "seeded": False},
        {"kind": "position", "position": {}}, {"kind": "position", "position": [], "seeded": True},
        {"kind": "position", "position": {}, "seeded": 1}, {"kind": "fork", "position": {}},
    ),
}  # fmt: skip
TAKEN: dict[str, tuple[Any, ...]] = {
    "seat": (None, True, -1, 3, "0", 1),
    "player": (None, {}, {"name_hash": None, "ref": None}, {"name_hash": OTHER}, {"name_hash": OTHER, "ref": 1},
               {"name_hash": "Ada", "ref": None}),
    "bot": (True, 1),
    "entropy": (1, [], "x" * 65, "é" * 33),
    "entropy_commitment": ("", "0", 1, ENTROPY.hex().upper()),
}  # fmt: skip
FACTS: tuple[Any, ...] = (None, {}, [1], [[]], [{}], [{"type": 1}])
RANDOM: tuple[Any, ...] = (None, {}, [[]], [{"label": "x"}], [{"label": 1, "result": []}], [{"label": "x", "result": {}}],
          [{"label": "x", "result": [], "seed": 1}])  # fmt: skip
MALFORMED: dict[str, dict[str, tuple[Any, ...]]] = {
    "game_created": CREATED,
    "seat_taken": TAKEN,
    "entropy_revealed": {"seat": (None, True, 1, 3), "entropy": (None, "", "0" * 62, ENTROPY.hex().upper())},
    "game_started": {"facts": FACTS, "random": RANDOM},
    "action_taken": {"action": (None, [], {}, "lay"), "facts": FACTS, "random": RANDOM},
    "seat_withdrawn": {
        "seat": (None, True, 3, 0),
        "cause": (None, "bored", "timed_out"),
        "facts": FACTS,
        "random": (None, {}, [{"label": "x", "result": []}]),
    },
    "game_settled": {
        "outcome": ([], "won", True),
        "seed": (None, "", "0" * 62, SERVER_SEED.hex().upper()),
        "audit": (
            None, {}, [], {"verdict": "pass"},
            {"verdict": "perhaps", "checks": [], "fairness": None, "head": {"seq": 18, "hash": OTHER}},
            {"verdict": "pass", "checks": [{}], "fairness": None, "head": {"seq": 18, "hash": OTHER}},
            {"verdict": "pass", "checks": [], "fairness": "fair", "head": {"seq": 18, "hash": OTHER}},
            {"verdict": "pass", "checks": [], "fairness": None, "head": {}},
        ),
    },
}  # fmt: skip
WRONG_MEMBERS = [
    (kind, member, value)
    for kind, members in MALFORMED.items()
    for member, values in members.items()
    for value in values
]


@pytest.mark.parametrize(("kind", "member", "value"), WRONG_MEMBERS, ids=str)
def test_what_an_entry_carries_is_well_formed(kind: str, member: str, value: Any) -> None:
    record = plain() if kind == "game_created" else sealed()
    place = place_of(record, kind)
    data(kind, **{member: deepcopy(value)})(record)
    assert faults(chained(record)) == {"schema": place}


@pytest.mark.parametrize("kind", MALFORMED)
def test_an_entry_carries_neither_more_nor_less(kind: str) -> None:
    for member in entry_of(sealed(), kind)["data"].keys() - {"terms"}:
        record = sealed()
        without(kind, 0, member)(record)
        assert faults(chained(record)) == {"schema": place_of(record, kind)}
    more = sealed()
    data(kind, extra=None)(more)
    assert faults(chained(more)) == {"schema": place_of(more, kind)}


def aborted_while_open() -> Record:
    log = Log(created(sitters=SITTERS[:2], host="club"))
    log.is_aborted("by_host", {"host": "club"})
    log.settles()
    return log.record


def aborted_while_played() -> Record:
    log = Log(created(clock=Clock(0)))
    log.is_aborted("by_operator", {"operator": True})
    log.settles()
    return log.record


@pytest.mark.parametrize(
    ("good", "possible"),
    [
        (aborted, {"entropy_withheld"}),
        (aborted_while_open, {"never_filled"}),
        (aborted_while_played, {"all_timed_out"}),
    ],
    ids=["while a seal is closed", "while a seat is free", "while it is played"],
)
def test_an_abort_by_the_system_has_a_reason_that_can_be_the_case(
    good: Callable[[], Record], possible: set[str]
) -> None:
    for reason in ("never_filled", "entropy_withheld", "all_timed_out"):
        record = good()
        limit = {} if reason == "all_timed_out" else {"limit": 0}
        of("game_aborted", actor={"system": "clock"}, data={"reason": reason, **limit})(record)
        places = faults(chained(record))
        assert places == ({} if reason in possible else {"schema": place_of(record, "game_aborted")}), reason


def test_an_abort_has_a_reason_and_its_actor() -> None:
    for change in (
        data("game_aborted", reason="bored"),
        data("game_aborted", reason=None),
        data("game_aborted", reason="by_operator"),
        data("game_aborted", reason="never_filled"),
        of("game_aborted", actor={"seat": 0}),
        of("game_aborted", actor={"host": "rival"}),
        of("game_aborted", actor={"operator": True}),
    ):
        record = aborted()
        change(record)
        assert faults(chained(record)) == {"schema": place_of(record, "game_aborted")}


ENVELOPE: dict[str, tuple[Any, ...]] = {
    "actor": (None, {}, [], "seat", {"seat": True}, {"seat": -1}, {"seat": "0"}, {"seat": 3}, {"seat": 0, "host": "x"},
              {"host": None}, {"operator": False}, {"operator": 1}, {"anonymous": 1}, {"system": "cron"},
              {"host": "club"}, {"operator": True}, {"anonymous": True}, {"system": "worker"}),
    "at": (None, 0, "", "2026-11-16", "2026-11-16T09:30:12Z", "2026-11-16T09:30:12.345+00:00",
           "2026-11-16T09:30:12.345678Z", "2026-11-31T09:30:12.345Z", "2026-11-16T25:30:12.345Z",
           "٢٠٢٦-11-16T09:30:12.345Z", "2020-11-16T09:30:12.345Z", "2026-11-16T09:30:12.345Z\n"),
    "game": (None, 7, "08-" + "0" * 26),
    "req": ({}, [], True, {"key": OTHER, "body": OTHER}, {"key": OTHER, "body": OTHER, "of": []},
            {"key": OTHER, "body": OTHER, "of": [8]}, {"key": OTHER, "body": OTHER, "of": [8, 8, 8]},
            {"key": OTHER, "body": OTHER, "of": [8, True]}, {"key": OTHER, "body": OTHER, "of": [7, 8]},
            {"key": OTHER, "body": OTHER, "of": [9, 9]}, {"key": OTHER, "body": OTHER, "of": [8, 7]},
            {"key": "k", "body": OTHER, "of": [8, 8]}, {"key": OTHER, "body": OTHER[:63], "of": [8, 8]},
            {"key": OTHER, "body": OTHER, "of": [8, 8], "x": 1}),
    "salt": (None, "", "0" * 31, "G" * 32, "F" * 32, 0),
    "state": (None, "", 0, "F" * 64),
    "type": (None, [], {}, 1, "", "card_played", "follow", "close", "game_created"),
    "v": (None, 0, 2, True, "1"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("member", "value"),
    [(member, value) for member, values in ENVELOPE.items() for value in values],
    ids=ascii,
)
def test_the_envelope_of_an_entry_is_well_formed(member: str, value: Any) -> None:
    record = plain()
    record["entries"][7][member] = value
    assert faults(chained(record)) == {"schema": 8}


def test_a_time_that_fits_between_its_neighbours_must_be_one_all_the_same() -> None:
    record = plain()
    at = record["entries"][7]["at"]
    record["entries"][7]["at"] = at[:-1] + "0Z"
    assert record["entries"][6]["at"] <= record["entries"][7]["at"] <= record["entries"][8]["at"]
    assert faults(chained(record)) == {"schema": 8}


def test_the_envelope_has_neither_more_nor_less() -> None:
    for member in ("actor", "at", "data", "game", "req", "salt", "state", "type", "v"):
        record = plain()
        del record["entries"][7][member]
        assert faults(chained(record)) == {"schema": 8}
    record = plain()
    record["entries"][7]["sig"] = None
    assert faults(chained(record)) == {"schema": 8}


def test_a_boolean_is_no_number_of_an_entry() -> None:
    record = plain()
    record["entries"][0]["seq"] = True
    prev = verifier.ZEROS
    for entry in record["entries"]:
        entry["prev"] = prev
        body = {member: value for member, value in entry.items() if member != "hash"}
        prev = entry["hash"] = verifier.sha256(verifier.canonical(body))
    record["head"]["hash"] = prev
    assert faults(record)["schema"] == 1


def test_times_do_not_go_back() -> None:
    record = plain()
    record["entries"][7]["at"] = record["entries"][9]["at"]
    assert faults(chained(record)) == {"schema": 9}


def test_an_entry_of_another_game_is_found() -> None:
    record, other = plain(), Log(created("09-" + "0" * 26))
    other.plays_on()
    record["entries"][7] = other.record["entries"][6] | {"at": record["entries"][7]["at"]}
    assert faults(chained(record)) == {"schema": 8}
