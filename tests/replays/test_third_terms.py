"""Forgeries of what the third terms brought: the audit and both stand-alone verifiers refute each of them."""

import json
from datetime import datetime, timedelta

import pytest

from games import RULESETS
from replays.audit.verify import has_keys
from replays.record import Record, write_record
from tests.golden.records import HERE, golden
from tests.replays.forging import Change, chained, data, dropped, failures, faults, of, place_of
from tests.replays.test_javascript import by_node


def record_of(path: str) -> Record:
    copy: Record = json.loads(json.dumps(golden(HERE / f"{path}.json")))
    return copy


def at(kind: str, nth: int, seconds: int) -> Change:
    """Say that an entry, and all after it, came so many seconds earlier."""

    def change(record: Record) -> None:
        for entry in record["entries"][place_of(record, kind, nth) - 1 :]:
            moment = datetime.fromisoformat(entry["at"]) - timedelta(seconds=seconds)
            entry["at"] = moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    return change


def returns_further(back: int) -> Change:
    """The first take-back returns to an entry further back, and claims that state."""

    def change(record: Record) -> None:
        taken = record["entries"][place_of(record, "taken_back") - 1]
        taken["data"]["to"] -= back
        taken["state"] = record["entries"][taken["data"]["to"] - 1]["state"]

    return change


def with_a_draw(record: Record) -> None:
    """What was taken back drew on chance."""
    undone = record["entries"][place_of(record, "taken_back") - 2]
    undone["data"]["random"] = [{"label": "forged", "result": [1]}]


def to_what_was_taken_back(record: Record) -> None:
    """The second take-back returns into what the first has taken back."""
    first = place_of(record, "taken_back")
    second = record["entries"][place_of(record, "taken_back", 1) - 1]
    second["data"]["to"] = first - 1
    second["state"] = record["entries"][first - 2]["state"]


def moved_signature(record: Record) -> None:
    """A signature of one decision beside another one."""
    signed = [entry for entry in record["entries"] if entry["data"].get("signed")]
    first, second = (entry for entry in signed[:2])
    second["data"]["signed"]["sig"] = first["data"]["signed"]["sig"]


TAKEN_BACK, ON_CLOCK = "babel/taken_back", "sa_re/taken_back_on_the_clock"
PAUSES, ADDED, SIGNED = (
    "temple_of_five/a_substitute_and_pauses",
    "aton/added_time_runs_out",
    "babel/signed_seat",
)
FORGERIES: dict[str, tuple[str, Change, str, str]] = {
    "over another seat's action": (TAKEN_BACK, returns_further(4), "schema", "taken_back"),
    "over a draw": (TAKEN_BACK, with_a_draw, "schema", "taken_back"),
    "to what was taken back": (ON_CLOCK, to_what_was_taken_back, "schema", "taken_back"),
    "by another seat": (TAKEN_BACK, of("taken_back", actor={"seat": 9}), "schema", "taken_back"),
    "to another state": (TAKEN_BACK, of("taken_back", state="0" * 64), "schema", "taken_back"),
    "where nothing is taken back": (
        TAKEN_BACK,
        data("game_created", takebacks=False),
        "schema",
        "taken_back",
    ),
    "a pause that not all agreed to": (PAUSES, dropped("pause_agreed", 2), "schema", "game_paused"),
    "a pause ended by the host": (
        PAUSES,
        of("game_resumed", actor={"host": "club"}),
        "schema",
        "game_resumed",
    ),
    "an action while paused": (PAUSES, dropped("game_resumed"), "schema", "action_taken"),
    "the end of no pause": (PAUSES, dropped("game_paused", 1), "schema", "game_resumed"),
    "a pause without a clock": (PAUSES, data("game_created", clock=None), "schema", "pause_agreed"),
    "a substitute without a name": (
        PAUSES,
        data("seat_handed_over", player={"name_hash": None, "ref": None}),
        "schema",
        "seat_handed_over",
    ),
    "time by a player": (ADDED, of("time_added", actor={"seat": 0}), "schema", "time_added"),
    "too much time": (ADDED, data("time_added", seconds=86_401), "schema", "time_added"),
    "a hand-over by another": (
        PAUSES,
        of("seat_handed_over", actor={"seat": 0}),
        "schema",
        "seat_handed_over",
    ),
    "a hand-over of no generation": (
        PAUSES,
        data("seat_handed_over", generation=0),
        "schema",
        "seat_handed_over",
    ),
    "a moved signature": (SIGNED, moved_signature, "signatures", "action_taken"),
    "no signature": (SIGNED, data("action_taken", 0, signed=None), "signatures", "action_taken"),
    "a take-back unsigned": (SIGNED, data("taken_back", signed=None), "signatures", "taken_back"),
    "a resignation unsigned": (SIGNED, data("seat_withdrawn", signed=None), "signatures", "seat_withdrawn"),
}


def forged(path: str, change: Change) -> Record:
    record = record_of(path)
    change(record)
    return chained(record)


def found_by_node(record: Record) -> dict[str, int | None]:
    (judgement,) = by_node([write_record(record)])
    return {
        check: entry for check, verdict, entry in judgement if verdict == "fail" and check != "settlement"
    }


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forgery_is_refuted_by_the_audit_and_by_both_verifiers(name: str) -> None:
    path, change, check, _ = FORGERIES[name]
    record = forged(path, change)
    audited, python = failures(record, RULESETS), faults(record)
    assert check in python
    assert python == {each: place for each, place in audited.items() if each in python}
    assert found_by_node(record) == python
    assert has_keys(record) == ("signatures" in audited or path in (SIGNED, PAUSES))


@pytest.mark.parametrize(
    ("path", "kind", "seconds"), [(ADDED, "seat_withdrawn", 25), (ADDED, "seat_withdrawn", 400)]
)
def test_a_time_out_that_added_time_or_a_pause_forbids_is_refuted(path: str, kind: str, seconds: int) -> None:
    record = forged(path, at(kind, 0, seconds))
    assert failures(record, RULESETS).get("clocks") == place_of(record, kind) or "schema" in faults(record)
