"""Golden records pin every ruleset version: they audit clean for ever, and everyone saw in them what they saw."""

import json
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from events.entries import DATA_TYPES
from events.origins import position_of
from games import RULESETS
from replays.audit import verify
from replays.audit.audit import audit
from replays.record import Record, entries_of, write_record
from tests.events.logs import game_at
from tests.golden.make import GOLDEN
from tests.golden.records import HERE, RECORDS, glimpses, golden, seen

each_record = pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.name}/{path.stem}")

ENDS = {
    "babel": {
        ("fifteen_to_nine", None),
        ("twenty", None),
        ("below_ten", None),
        ("temple_pile_empty", None),
        ("temple_pile_empty", "hand_count"),
        ("temple_pile_empty", "shared"),
        ("resigned", None),
        ("timed_out", None),
        ("adjudicated", None),
    },
    "aton": {
        ("points_at_cartouche_1", None),
        ("temple_filled", None),
        ("yellow_filled", None),
        ("green_filled", None),
        ("points_at_scoring", None),
        ("resigned", None),
        ("timed_out", None),
    },
    "temple_of_five": {
        ("final_scoring", None),
        ("final_scoring", "priests_in_reserve"),
        ("final_scoring", "shared"),
        ("resigned", None),
        ("timed_out", None),
        ("last_player", None),
    },
    "sa_re": {
        ("directive_fulfilled", None),
        ("directive_fulfilled", "administrative_buildings"),
        ("directive_fulfilled", "pyramid_completed"),
        ("directive_fulfilled", "pyramid_steps"),
        ("directive_fulfilled", "pyramid_number"),
        ("round_limit", None),
        ("round_limit", "administrative_buildings"),
        ("round_limit", "pyramid_completed"),
        ("round_limit", "pyramid_steps"),
        ("round_limit", "pyramid_number"),
        ("resigned", None),
        ("timed_out", None),
        ("last_player", None),
        ("adjudicated", None),
    },
}
"""Every way to end that each game's specification names: the reason, and what broke a tie."""

ABORTS = {
    1: {"never_filled", "entropy_withheld", "all_timed_out", "by_host", "by_operator"},
    2: {
        "never_filled",
        "entropy_withheld",
        "all_timed_out",
        "by_host",
        "by_operator",
        "by_creator",
        "abandoned",
        "too_long",
    },
}
"""Every reason to call a game off that each terms name."""


def records_of(ruleset: str) -> list[Record]:
    return [golden(path) for path in RECORDS if path.parent.name == ruleset]


def outcomes_of(ruleset: str) -> list[Any]:
    settled = [record["entries"][-1]["data"]["outcome"] for record in records_of(ruleset)]
    return [outcome for outcome in settled if outcome]


def creations_of(ruleset: str) -> list[Any]:
    return [record["entries"][0]["data"] for record in records_of(ruleset)]


def everything() -> list[Record]:
    return [golden(path) for path in RECORDS]


# -- they hold for ever ---------------------------------------------------------------------------------------------


@each_record
def test_it_audits_clean(path: Path) -> None:
    audited = audit(golden(path), RULESETS)
    assert (audited.verdict, [check for check in audited.checks if check["verdict"] != "pass"]) == (
        "pass",
        [],
    )


@each_record
def test_the_stand_alone_verifier_finds_no_fault(path: Path) -> None:
    checks = verify.verify(golden(path))
    assert {check.check: check.verdict for check in checks}.items() >= dict.fromkeys(
        ("chain", "schema", "commitment", "random"), "pass"
    ).items()


@each_record
def test_everyone_sees_what_they_saw(path: Path) -> None:
    assert glimpses(golden(path)) == seen(path)


@each_record
def test_it_is_written_in_canonical_bytes(path: Path) -> None:
    assert write_record(golden(path)) == path.read_bytes()


@each_record
def test_its_settlement_says_what_an_audit_says_today(path: Path) -> None:
    claimed = golden(path)["entries"][-1]["data"]["audit"]
    assert (claimed["verdict"], claimed["fairness"]) == ("pass", audit(golden(path), RULESETS).fairness)


def test_the_verifier_runs_on_a_golden_record_as_a_program() -> None:
    command = [sys.executable, verify.__file__, str(RECORDS[0]), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stderr
    assert {check["verdict"] for check in json.loads(done.stdout)["checks"]} == {"pass", "not_checked"}


def test_every_golden_game_is_there_and_nothing_else() -> None:
    assert {HERE / each.ruleset / f"{each.name}.json" for each in GOLDEN} == set(RECORDS)


# -- between them they reach everything -----------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", ENDS)
def test_every_way_to_end_occurs(ruleset: str) -> None:
    assert {(outcome["reason"], outcome["tiebreak"]) for outcome in outcomes_of(ruleset)} == ENDS[ruleset]


@pytest.mark.parametrize("ruleset", list(RULESETS), ids=lambda ruleset: ruleset.name)
def test_every_fact_occurs(ruleset: Any) -> None:
    told = {
        fact["type"]
        for record in records_of(ruleset.name)
        for entry in record["entries"]
        for fact in entry["data"].get("facts", [])
    }
    assert told == {fact_type.__struct_config__.tag for fact_type in ruleset.fact_types}


def test_both_editions_of_babel_end_in_every_way_on_points() -> None:
    ends = {
        (created["options"]["edition"], record["entries"][-1]["data"]["outcome"]["reason"])
        for record, created in zip(records_of("babel"), creations_of("babel"), strict=True)
        if record["entries"][-1]["data"]["outcome"]
    }
    on_points = ("fifteen_to_nine", "twenty", "below_ten", "temple_pile_empty")
    assert ends >= set(product(("2000", "2013"), on_points))


@pytest.mark.parametrize("ruleset", ["aton", "babel", "temple_of_five", "sa_re"])
def test_a_win_is_shared_somewhere(ruleset: str) -> None:
    assert any(len(outcome["winners"]) > 1 for outcome in outcomes_of(ruleset))


def test_every_variant_and_number_of_players_of_temple_of_five_occurs() -> None:
    created = creations_of("temple_of_five")
    assert {each["seats"] for each in created} == {2, 3, 4}
    options = [each["options"] for each in created]
    assert {each["special_tiles"] for each in options} == {"single_colour", "effect", "mixed"}
    variants = {(each["will_of_the_gods"], each["ultimate_goal"]) for each in options}
    assert variants == set(product((False, True), repeat=2))


def test_every_mode_variant_and_number_of_players_of_sa_re_occurs() -> None:
    created = creations_of("sa_re")
    assert {each["seats"] for each in created} == {2, 3, 4}
    options = [each["options"] for each in created]
    assert {each["mode"] for each in options} == {"scribe", "architect", "priest", "pharaoh"}
    assert {(each["divinity"], each["quick_start"]) for each in options} >= {(True, False), (False, True)}
    assert None in {each["max_rounds"] for each in options}
    won = {
        created["options"]["mode"]
        for record, created in zip(records_of("sa_re"), created, strict=True)
        if (record["entries"][-1]["data"]["outcome"] or {}).get("reason") == "directive_fulfilled"
    }
    assert won == {"scribe", "architect", "priest", "pharaoh"}


@pytest.mark.parametrize("ruleset", ["temple_of_five", "sa_re"])
def test_a_bot_plays_on_for_a_seat_that_has_withdrawn(ruleset: str) -> None:
    def played_on(record: Record) -> bool:
        entries = record["entries"]
        left = [entry["data"]["seat"] for entry in entries if entry["type"] == "seat_withdrawn"]
        last = [entry["actor"].get("seat") for entry in entries if entry["type"] == "action_taken"][-5:]
        return bool(left and set(left) & set(last))

    assert any(map(played_on, records_of(ruleset)))


def test_every_kind_of_entry_origin_abort_and_fairness_occurs() -> None:
    entries = [entry for record in everything() for entry in record["entries"]]
    kinds = {entry["type"] for entry in entries}
    assert kinds == set(DATA_TYPES)
    created = [record["entries"][0]["data"] for record in everything()]
    assert {each["origin"]["kind"] for each in created} == {"fresh", "seeded", "position", "fork"}
    fairness = {record["entries"][-1]["data"]["audit"]["fairness"] for record in everything()}
    assert fairness == {"sealed", "open", "server_only", "seeded", None}
    assert any(entry["req"] for entry in entries)


@pytest.mark.parametrize("terms", ABORTS)
def test_every_reason_to_call_a_game_off_occurs(terms: int) -> None:
    ends = [entry for record in of_terms(terms) for entry in record["entries"][-2:]]
    assert {entry["data"]["reason"] for entry in ends if entry["type"] == "game_aborted"} == ABORTS[terms]


def of_terms(terms: int) -> list[Record]:
    return [record for record in everything() if verify.terms_of(record) == terms]


def test_everything_that_the_second_terms_brought_occurs() -> None:
    created = [record["entries"][0]["data"] for record in of_terms(2)]
    clocks = [tuple(each["clock"]) for each in created if each["clock"]]
    assert set(clocks) == {("turn_seconds",), ("increment_seconds", "total_seconds")}
    assert any("tags" in each for each in created)
    taken = [e["data"] for record in of_terms(2) for e in record["entries"] if e["type"] == "seat_taken"]
    assert any(each["bot"] and each["player"]["name_hash"] and each["player"]["ref"] for each in taken)
    withdrawals = [e for r in of_terms(2) for e in r["entries"] if e["type"] == "seat_withdrawn"]
    assert {entry["data"]["cause"] for entry in withdrawals} == {"resigned", "timed_out"}


def test_everything_that_the_third_terms_brought_occurs() -> None:
    entries = [entry for record in of_terms(3) for entry in record["entries"]]
    clocks = [tuple(entry["data"]["clock"] or ()) for entry in entries if entry["type"] == "game_created"]
    assert ("reserve_seconds", "turn_seconds") in clocks
    signed = {entry["type"] for entry in entries if entry["data"].get("signed")}
    assert signed == {"action_taken", "taken_back", "seat_withdrawn"}
    paused = {tuple(entry["actor"]) for entry in entries if entry["type"] == "game_paused"}
    assert paused == {("seat",), ("host",)}


def test_a_forked_game_begins_where_its_parent_stood() -> None:
    by_id = {record["game"]: record for record in everything()}
    forks = [record for record in everything() if record["entries"][0]["data"]["origin"]["kind"] == "fork"]
    assert len(forks) == len(ENDS) + 1
    back = 0
    for record in forks:
        origin = record["entries"][0]["data"]["origin"]
        then = game_at(entries_of(by_id[origin["game"]]), origin["version"], RULESETS)
        assert origin["position"] == position_of(then.state)
        back += any(player.vacated for player in then.state.players if hasattr(player, "vacated"))
    assert back == 1, "in one of them somebody had left who is back"
