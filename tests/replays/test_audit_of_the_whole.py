"""Checks 7 and 8, and rules that are not here: what an audit says of a game as a whole."""

import json
from collections.abc import Callable
from dataclasses import replace

import msgspec
import pytest

from games.components import read_component_set
from games.kernel import Registry
from games.toy import BOX, LANTERNS, Box
from replays.audit.audit import audit
from replays.record import Record
from tests.events.logs import TOYS
from tests.replays.forging import (
    GOOD,
    aborted,
    chained,
    data,
    entry_of,
    facts_of,
    failures,
    folded,
    of,
    plain,
    reread,
    unchecked,
)

# -- rules that are not here ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("good", GOOD.values(), ids=GOOD)
def test_of_an_unknown_version_the_rules_have_no_say_and_the_rest_is_checked(
    good: Callable[[], Record],
) -> None:
    record = good() | {"ruleset_version": 2}
    data("game_created", ruleset_version=2)(record)
    audited = audit(reread(chained(record)), TOYS)
    assert audited.verdict == "incomplete"
    assert failures(record) == {}
    assert unchecked(record) - {"clocks"} == {"facts", "states", "outcome"}
    assert ("clocks" in unchecked(record)) == (good()["entries"][0]["data"]["clock"] is not None)
    assert audited.fairness == audit(good(), TOYS).fairness


def test_of_an_unknown_ruleset_or_an_unknown_set_of_an_unknown_version_components_are_not_checked() -> None:
    unknown = plain() | {"ruleset": "candles"}
    data("game_created", ruleset="candles")(unknown)
    newer = plain() | {"ruleset_version": 2}
    data("game_created", ruleset_version=2, component_set={"name": "lanterns", "sha256": "f" * 64})(newer)
    for record in (unknown, newer):
        assert failures(chained(record)) == {}
        assert unchecked(record) == {"facts", "states", "components", "outcome"}


def test_an_unknown_version_hides_no_fault_that_needs_no_rules() -> None:
    record = plain() | {"ruleset_version": 2}
    data("game_created", ruleset_version=2, seed_commitment="f" * 64)(record)
    assert failures(chained(record)) == {"commitment": 19}


# -- 7. components --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "named", [{"name": "lanterns", "sha256": "f" * 64}, {"name": "candles", "sha256": BOX.sha256}], ids=str
)
def test_a_component_set_that_we_do_not_hold_is_found(named: dict[str, str]) -> None:
    record = plain()
    data("game_created", component_set=named)(record)
    assert failures(chained(record)) == {"components": 1}


CANDLES = read_component_set(b'{"id": "candles", "cards": [1, 2, 3, 4, 5, 6, 7, 8, 9]}', Box, origin="toy")


TWO_BOXES = replace(LANTERNS, component_sets={"lanterns": BOX, "candles": CANDLES})
"""Lanterns with a second set to choose from."""
REPRINTED = replace(
    LANTERNS, version=2, component_sets={"lanterns": msgspec.structs.replace(CANDLES, name="lanterns")}
)
"""The next version of Lanterns, whose set has the same name and other contents."""


def test_a_component_set_that_we_hold_but_that_was_not_played_with_is_found() -> None:
    record = plain()
    data("game_created", component_set={"name": "candles", "sha256": CANDLES.sha256})(record)
    assert failures(chained(record), Registry([TWO_BOXES])) == {"components": 1}


def test_a_component_set_of_another_version_is_found() -> None:
    record = plain()
    data("game_created", component_set={"name": "lanterns", "sha256": CANDLES.sha256})(record)
    both = Registry([LANTERNS, REPRINTED])
    assert failures(plain(), both) == {}
    assert failures(chained(record), both) == {"components": 1}


# -- 8. outcome -----------------------------------------------------------------------------------------------------


def test_a_wrong_outcome_is_found_at_the_settlement() -> None:
    right = entry_of(plain(), "game_settled")["data"]["outcome"]
    winners = [seat for seat in range(3) if seat not in right["winners"]]
    for wrong in (
        None,
        {},
        right | {"winners": winners},
        right | {"scores": [9, 9, 9]},
        right | {"reason": "resigned"},
        right | {"tiebreak": "age"},
        {member: right[member] for member in right if member != "tiebreak"},
    ):
        record = plain()
        data("game_settled", outcome=wrong)(record)
        assert failures(chained(record)) == {"outcome": 19}


def test_an_outcome_forged_all_along_is_found_where_the_game_ended() -> None:
    record = plain()
    ended = facts_of(record, "action_taken", -1)[-1]
    wrong = ended["outcome"] | {"winners": [], "reason": "rounds_played"}
    ended["outcome"] = wrong
    data("game_settled", outcome=wrong)(record)
    assert failures(folded(record)) == {"facts": 18}


def test_a_game_called_off_has_no_outcome() -> None:
    record = aborted()
    data("game_settled", outcome={"winners": [0], "reason": "gift", "scores": [0, 0, 0], "tiebreak": None})(
        record
    )
    assert failures(chained(record)) == {"outcome": 6}


def test_an_action_after_the_end_is_found() -> None:
    record = plain()
    late = json.loads(json.dumps(entry_of(record, "action_taken", -1)))
    late["data"] |= {"facts": [], "random": []}
    record["entries"].insert(18, late)
    assert failures(chained(record)) == {"facts": 19, "outcome": 19}


def test_a_withdrawal_after_the_end_is_found() -> None:
    record = plain()
    state = entry_of(record, "game_settled")["state"]
    vacated = {"type": "seat_vacated", "seat": 0, "cause": "resigned"}
    withdrawn = {"seat": 0, "cause": "resigned", "facts": [vacated], "random": [], "signed": None}
    late = entry_of(record, "action_taken", -1) | {
        "type": "seat_withdrawn", "actor": {"seat": 0}, "data": withdrawn, "state": state,
    }  # fmt: skip
    record["entries"].insert(18, late)
    assert failures(folded(record)) == {"outcome": 19}


def test_an_abort_after_the_end_is_found() -> None:
    record = plain()
    late = entry_of(aborted(), "game_aborted") | {
        "at": record["entries"][17]["at"], "state": record["entries"][17]["state"],
    }  # fmt: skip
    record["entries"].insert(18, late)
    assert failures(chained(record)) == {"outcome": 19}


def test_a_game_settled_before_its_end_is_found() -> None:
    for outcome in (None, entry_of(plain(), "game_settled")["data"]["outcome"]):
        record = plain()
        del record["entries"][10:18]
        of("game_settled", state=record["entries"][9]["state"])(record)
        data("game_settled", outcome=outcome)(record)
        assert failures(chained(record)) == {"outcome": 11}
