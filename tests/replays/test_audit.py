"""Checks 5 and 6: whoever has the rules finds each fault that hashes made anew cannot hide, and the entry that has it."""

import json
from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import msgspec
import pytest

from games import RULESETS
from games.canonical import digest
from games.kernel import Registry
from games.toy import LANTERNS
from replays.audit.audit import audit, settlement
from replays.record import Record
from tests.events.logs import SERVER_SEED, SITTERS, TOYS, Log, created, head_of, named
from tests.replays.bot_games import HOUSE, bot_game
from tests.replays.forging import (
    GOOD,
    Change,
    aborted,
    chained,
    data,
    entry_of,
    facts_of,
    failures,
    folded,
    of,
    place_of,
    plain,
    sealed,
    unchecked,
)

CHECKS = ["chain", "schema", "commitment", "random", "facts", "states", "components", "outcome", "clocks"]


@pytest.mark.parametrize("good", GOOD.values(), ids=GOOD)
def test_a_good_record_passes_every_check(good: Callable[[], Record]) -> None:
    audited = audit(good(), TOYS)
    assert audited.verdict == "pass"
    assert [check["check"] for check in audited.checks] == [*CHECKS, "settlement"]
    assert {(check["verdict"], check["entry"]) for check in audited.checks} == {("pass", None)}


def test_the_audit_says_what_the_chances_are_worth() -> None:
    assert [audit(good(), TOYS).fairness for good in (plain, sealed, aborted)] == [
        "server_only",
        "sealed",
        "sealed",
    ]
    broken = plain()
    broken["head"]["hash"] = "f" * 64
    assert audit(broken, TOYS).fairness is None


def test_a_game_that_is_not_settled_is_audited_with_the_seed_told() -> None:
    log = Log(created())
    log.plays_on()
    audited = audit(log.record, TOYS, SERVER_SEED)
    assert (audited.verdict, [check["check"] for check in audited.checks]) == ("pass", CHECKS)
    assert unchecked(log.record) == {"commitment", "random", "facts"}


def test_a_game_that_has_not_ended_has_no_outcome_to_check() -> None:
    log = Log(created())
    log.acts(0, {"type": "lay", "card": log.game.state.players[0].hand[0]})
    audited = audit(log.record, TOYS, SERVER_SEED)
    assert (audited.verdict, audited.checks[7]["verdict"]) == ("incomplete", "not_checked")


def test_a_settlement_holds_the_audit_and_the_head_it_is_of() -> None:
    log = Log(created())
    log.plays_on()
    head = head_of(log.entries)
    audited = settlement(log.record, TOYS, SERVER_SEED)
    assert audited == {
        **msgspec.structs.asdict(audit(log.record, TOYS, SERVER_SEED)),
        "head": {"seq": head.seq, "hash": head.hash},
    }


# -- 5. facts -------------------------------------------------------------------------------------------------------


def test_an_illegal_action_is_found() -> None:
    record = plain()
    data("action_taken", 3, action={"type": "lay", "card": 99})(record)
    assert failures(folded(record)) == {"facts": place_of(record, "action_taken", 3)}


@pytest.mark.parametrize("action", [{"type": "sing"}, {"type": "lay"}, {"type": None}, {"type": []}], ids=str)
def test_an_action_that_no_rules_know_is_found(action: dict[str, Any]) -> None:
    record = plain()
    data("action_taken", 3, action=action)(record)
    assert failures(folded(record)) == {"facts": place_of(record, "action_taken", 3)}


def test_an_action_of_another_seat_is_found() -> None:
    record = plain()
    of("action_taken", 1, actor={"seat": 0})(record)
    assert failures(folded(record)) == {"facts": place_of(record, "action_taken", 1)}


@pytest.mark.parametrize("nth", [2, -1])
def test_facts_forged_inside_an_action_are_found(nth: int) -> None:
    record = plain()
    revealed = next(
        fact for fact in facts_of(record, "action_taken", nth) if fact["type"] == "cards_revealed"
    )
    revealed["cards"] = [1, 4, 1] if revealed["cards"] == [4, 1, 1] else [4, 1, 1]
    assert failures(folded(record)) == {"facts": place_of(record, "action_taken", nth)}


def test_facts_forged_inside_a_start_are_found() -> None:
    record = plain()
    state = facts_of(record, "game_started")[0]["state"]
    assert state["deck"] != state["deck"][::-1]
    state["deck"].reverse()
    assert failures(folded(record)) == {"facts": place_of(record, "game_started")}


@pytest.mark.parametrize(
    "facts",
    [
        [],
        [{"type": "seat_vacated", "seat": 2, "cause": "resigned"}],
        [{"type": "seat_vacated", "seat": 1, "cause": "timed_out"}],
        [{"type": "seat_vacated", "seat": 1, "cause": "resigned"}] * 2,
        [
            {"type": "seat_vacated", "seat": 1, "cause": "resigned"},
            {"type": "cards_revealed", "cards": [1, 2, 3]},
        ],
    ],
    ids=str,
)
def test_facts_forged_inside_a_withdrawal_are_found(facts: list[Any]) -> None:
    record = sealed()
    data("seat_withdrawn", facts=facts)(record)
    assert failures(folded(record))["facts"] == place_of(record, "seat_withdrawn")


def test_a_withdrawal_that_ends_the_game_otherwise_than_the_rules_say_is_found() -> None:
    record = sealed()
    ended = facts_of(record, "seat_withdrawn", 1)[-1]
    ended["outcome"]["winners"] = [1]
    entry_of(record, "game_settled")["data"]["outcome"]["winners"] = [1]
    assert failures(folded(record)) == {"facts": place_of(record, "seat_withdrawn", 1)}


def test_a_chance_that_is_not_recorded_is_found() -> None:
    record = plain()
    for kind, nth in (("game_started", 0), ("action_taken", 5)):
        forged = plain()
        assert entry_of(forged, kind, nth)["data"]["random"]
        data(kind, nth, random=[])(forged)
        assert failures(folded(forged)) == {"facts": place_of(record, kind, nth)}


def test_a_chance_that_the_rules_did_not_draw_is_found() -> None:
    record = plain()
    data("action_taken", random=[{"label": "spare", "result": []}])(record)
    assert failures(folded(record)) == {"facts": place_of(record, "action_taken")}


def test_an_action_left_out_or_told_twice_is_found() -> None:
    lost, twice = plain(), plain()
    place = place_of(lost, "action_taken", 3)
    del lost["entries"][place - 1]
    assert failures(chained(lost))["facts"] == place_of(lost, "action_taken", 4)
    twice["entries"].insert(place, json.loads(json.dumps(twice["entries"][place - 1])))
    assert failures(chained(twice))["facts"] == place + 1


def test_actions_told_in_another_order_are_found() -> None:
    record = plain()
    place = place_of(record, "action_taken", 2)
    one, other = record["entries"][place - 1 : place + 1]
    one["at"], other["at"] = other["at"], one["at"]
    record["entries"][place - 1 : place + 1] = other, one
    assert failures(chained(record))["facts"] == place


def test_a_game_for_more_seats_than_the_rules_allow_is_found() -> None:
    crowded = Registry([replace(LANTERNS, seat_counts=range(3, 5))])
    log = Log(created(rulesets=crowded, seats=4, sitters=(*SITTERS, named("Dora"))), crowded)
    log.is_aborted()
    log.settles()
    assert failures(log.record, crowded) == {}
    assert failures(log.record) == {"facts": 1}


def test_options_are_complete_and_known() -> None:
    for options, failed in (
        ({}, {"facts": 1, "components": 1}),
        ({"component_set": "lanterns", "colour": "red"}, {"facts": 1}),
        ({"component_set": "candles"}, {"facts": 1, "components": 1}),
        ({"component_set": []}, {"facts": 1, "components": 1}),
    ):
        record = plain()
        data("game_created", options=options)(record)
        assert failures(chained(record)) == failed


BREAKING: dict[str, Change] = {
    "a fact of no kind": lambda record: facts_of(record, "action_taken")[0].update(type="sung"),
    "a fact without its member": lambda record: facts_of(record, "action_taken")[0].pop("card"),
    "a fact with one more": lambda record: facts_of(record, "action_taken")[0].update(auto=True),
    "a boolean for a number": lambda record: facts_of(record, "action_taken")[0].update(seat=False),
    "a seat that is not there": lambda record: facts_of(record, "action_taken")[0].update(seat=9),
    "a card that is not there": lambda record: facts_of(record, "action_taken")[0].update(card=9),
    "a start without facts": data("game_started", facts=[]),
    "a start from nothing": data("game_started", facts=[{"type": "cards_revealed", "cards": [1, 2, 3]}]),
    "a start with a state of no shape": data("game_started", facts=[{"type": "game_set_up", "state": {}}]),
    "hands that are unknown": lambda record: [
        player.update(hand=None) for player in facts_of(record, "game_started")[0]["state"]["players"]
    ],
}


@pytest.mark.parametrize("fault", BREAKING)
def test_facts_that_break_the_game_are_a_failure_and_never_a_crash(fault: str) -> None:
    record = plain()
    BREAKING[fault](record)
    place = place_of(record, "game_started" if fault.startswith(("a start", "hands")) else "action_taken")
    failed = failures(chained(record))
    assert failed["facts"] == failed["states"] == place


def test_numbers_beyond_all_measure_are_a_failure_and_never_a_crash() -> None:
    record = plain()
    for player in facts_of(record, "game_started")[0]["state"]["players"]:
        player["score"] = 2**53 - 1
    assert failures(folded(record)) == {"facts": 5}


# -- 6. states ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("good", "kind", "nth"),
    [(plain, "action_taken", 4), (plain, "action_taken", 0), (sealed, "seat_withdrawn", 0)],
)
def test_a_forged_state_hash_is_found(good: Callable[[], Record], kind: str, nth: int) -> None:
    record = good()
    of(kind, nth, state="f" * 64)(record)
    assert failures(chained(record)) == {"states": place_of(record, kind, nth)}


def test_a_forged_state_hash_that_is_repeated_is_found_where_it_begins() -> None:
    record = plain()
    of("game_started", state="f" * 64)(record)
    of("seat_token_renewed", state="f" * 64)(record)
    assert failures(chained(record)) == {"states": place_of(record, "game_started")}


def test_a_state_without_its_derived_members_is_another_state() -> None:
    record = plain()
    entry = entry_of(record, "game_started")
    state = json.loads(json.dumps(entry["data"]["facts"][0]["state"]))
    del state["deck_count"]
    of("game_started", state=digest(state))(record)
    of("seat_token_renewed", state=digest(state))(record)
    assert failures(chained(record)) == {"states": place_of(record, "game_started")}


# -- real games -----------------------------------------------------------------------------------------------------

each_game = pytest.mark.parametrize("name", HOUSE)


@each_game
def test_the_record_of_a_game_of_bots_passes_every_check(name: str) -> None:
    audited = audit(bot_game(name), RULESETS)
    assert (audited.verdict, audited.fairness) == ("pass", "server_only")


@each_game
def test_any_member_of_any_fact_that_is_changed_is_found_where_it_stands(name: str) -> None:
    good = bot_game(name)
    random = Random(name)
    played = [place for place, entry in enumerate(good["entries"], 1) if "facts" in entry["data"]]
    for place in random.sample(played, 5):
        record = bot_game(name)
        twist(random.choice(record["entries"][place - 1]["data"]["facts"]), random)
        assert failures(chained(record), RULESETS)["facts"] == place


@each_game
def test_any_chance_that_is_exchanged_is_found_where_it_stands(name: str) -> None:
    good = bot_game(name)
    drawn = [
        (place, nth)
        for place, entry in enumerate(good["entries"], 1)
        for nth, draw in enumerate(entry["data"].get("random", []))
        if len({json.dumps(item) for item in draw["result"]}) > 1
    ]
    for place, nth in Random(name).sample(drawn, min(2, len(drawn))):
        record = bot_game(name)
        result = record["entries"][place - 1]["data"]["random"][nth]["result"]
        other = next(i for i, item in enumerate(result) if item != result[0])
        result[0], result[other] = result[other], result[0]
        failed = failures(chained(record), RULESETS)
        assert (failed["random"], failed["facts"]) == (place, place)


def twist(value: Any, random: Random) -> None:
    """Change one leaf somewhere inside a fact, whatever it is."""
    while True:
        key = random.choice(sorted(value)) if isinstance(value, dict) else random.randrange(len(value))
        inner = value[key]
        if inner and isinstance(inner, dict | list):
            value = inner
            continue
        match inner:
            case bool():
                value[key] = not inner
            case int():
                value[key] = inner + 1
            case str():
                value[key] = inner + "_"
            case _:
                value[key] = 7
        return
