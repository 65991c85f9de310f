"""The stand-alone verifier finds each fault that can be found without rules, and names the first entry that has it."""

from collections.abc import Callable
from typing import Any

import pytest

from replays.audit import verify as verifier
from replays.audit.verify import Check, verdict, verify
from replays.record import Record
from tests.events.logs import SERVER_SEED, Log, created
from tests.replays.forging import GOOD, aborted, chained, data, entry_of, faults, plain, reread, sealed

OTHER = "f" * 64


@pytest.mark.parametrize("good", GOOD.values(), ids=GOOD)
def test_a_good_record_passes_every_check_that_needs_no_rules(good: Callable[[], Record]) -> None:
    clocks = "not_checked" if good()["entries"][0]["data"]["clock"] else "pass"
    assert [(check.check, check.verdict) for check in verify(good())] == [
        ("chain", "pass"),
        ("schema", "pass"),
        ("commitment", "pass"),
        ("random", "pass"),
        ("clocks", clocks),
        ("settlement", "pass"),
    ]
    assert faults(chained(good())) == {}


# -- 1. chain -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", range(1, 20))
def test_a_changed_byte_breaks_the_chain_at_its_entry(place: int) -> None:
    record = plain()
    salt = record["entries"][place - 1]["salt"]
    record["entries"][place - 1]["salt"] = salt[:-1] + ("0" if salt[-1] != "0" else "1")
    assert faults(record) == {"chain": place}


def test_a_hash_made_anew_breaks_the_chain_at_the_next_entry() -> None:
    record = plain()
    record["entries"][7]["salt"] = "f" * 32
    body = {member: value for member, value in record["entries"][7].items() if member != "hash"}
    record["entries"][7]["hash"] = verifier.sha256(verifier.canonical(body))
    assert faults(record) == {"chain": 9}


def test_a_dropped_swapped_or_inserted_entry_breaks_the_chain_there() -> None:
    lost, exchanged, added = plain(), plain(), plain()
    del lost["entries"][8]
    assert faults(lost)["chain"] == 9
    exchanged["entries"][8:10] = reversed(exchanged["entries"][8:10])
    assert faults(exchanged)["chain"] == 9
    added["entries"].insert(8, added["entries"][7])
    assert faults(added)["chain"] == 9


def test_numbers_have_no_gap_though_every_hash_is_right() -> None:
    record = plain()
    prev = record["entries"][9]["hash"]
    for entry in record["entries"][10:]:
        entry |= {"seq": entry["seq"] + 1, "prev": prev}
        body = {member: value for member, value in entry.items() if member != "hash"}
        prev = entry["hash"] = verifier.sha256(verifier.canonical(body))
    record["head"] |= {"seq": len(record["entries"]) + 1, "hash": prev}
    assert faults(record)["chain"] == 11


def test_the_first_entry_follows_nothing() -> None:
    record = plain()
    del record["entries"][0]
    assert faults(record)["chain"] == 1


def test_the_head_is_the_last_entry() -> None:
    for head in ({"seq": 18}, {"hash": OTHER}, {"seq": 18, "hash": plain()["entries"][17]["hash"]}):
        record = plain()
        record["head"] |= head
        assert faults(record) == {"chain": None}


def test_a_log_cut_short_is_not_its_head_and_cannot_pass_with_a_new_head() -> None:
    record = plain()
    del record["entries"][-3:]
    assert faults(record) == {"chain": None}
    checks = verify(reread(chained(record)))
    assert [check.verdict for check in checks] == ["pass", "pass", "not_checked", "not_checked", "pass"]
    assert verdict(checks) == "incomplete"


def test_a_log_cut_within_an_append_misses_the_rest_of_it() -> None:
    record = plain()
    del record["entries"][4:]
    assert faults(chained(record)) == {"schema": 4}


# -- 3. commitment --------------------------------------------------------------------------------------------------


def test_a_seed_that_was_not_committed_to_fails_where_it_is_opened() -> None:
    record = plain()
    data("game_created", seed_commitment=OTHER)(record)
    assert faults(chained(record)) == {"commitment": 19}
    record = plain()
    data("game_settled", seed=OTHER)(record)
    assert faults(chained(record)) == {"commitment": 19, "random": 5}


def test_a_seal_that_was_not_committed_to_fails_where_it_is_opened() -> None:
    record = sealed()
    data("seat_taken", 2, entropy_commitment=OTHER)(record)
    assert faults(chained(record)) == {"commitment": 5}
    record = sealed()
    data("entropy_revealed", 1, entropy="0" * 64)(record)
    assert faults(chained(record)) == {"commitment": 6, "random": 7}


def test_the_first_entry_that_fails_is_named_if_both_seal_and_seed_are_wrong() -> None:
    record = sealed()
    data("seat_taken", 0, entropy_commitment=OTHER)(record)
    data("game_created", seed_commitment=OTHER)(record)
    assert faults(chained(record)) == {"commitment": 6}


def test_a_seal_never_opened_in_a_game_called_off_is_passed_over() -> None:
    assert verdict(verify(aborted())) == "pass"


def test_of_a_game_that_is_not_settled_the_seed_can_be_told() -> None:
    log = Log(created())
    log.plays_on()
    assert [check.verdict for check in verify(log.record)[2:4]] == ["not_checked", "not_checked"]
    assert [check.verdict for check in verify(log.record, SERVER_SEED)[2:4]] == ["pass", "pass"]
    assert [check.verdict for check in verify(log.record, bytes(32))[2:4]] == ["fail", "fail"]


def test_of_a_settled_game_the_seed_in_the_log_counts_whatever_is_told() -> None:
    record = plain()
    data("game_settled", seed=OTHER)(record)
    checks = verify(reread(chained(record)), SERVER_SEED)
    assert [check.verdict for check in checks] == ["pass", "pass", "fail", "fail", "pass", "fail"]


# -- 4. random ------------------------------------------------------------------------------------------------------


def draws(record: Record, label: str) -> tuple[int, dict[str, Any]]:
    """The recorded chance of a label, and the entry it stands in."""
    for place, entry in enumerate(record["entries"], 1):
        for draw in entry["data"].get("random", []):
            if draw["label"] == label:
                return place, draw
    raise LookupError(label)


def reshuffled(record: Record, label: str, items: list[Any]) -> list[Any]:
    return verifier.shuffle(items, verifier.game_seed(record, SERVER_SEED), label)


@pytest.mark.parametrize("label", ["deck/0", "deck/1"])
def test_a_card_that_the_seed_does_not_give_is_found(label: str) -> None:
    record = plain()
    place, draw = draws(record, label)
    result = draw["result"]
    other = next(i for i, card in enumerate(result) if card != result[0])
    result[0], result[other] = result[other], result[0]
    assert faults(chained(record)) == {"random": place}


def test_any_label_but_the_one_drawn_from_is_found() -> None:
    record = plain()
    place, draw = draws(record, "deck/0")
    draw["label"] = "deck/2"
    assert faults(chained(record)) == {"random": place}


def test_a_label_serves_once_in_a_game() -> None:
    record = plain()
    place, _ = draws(record, "deck/1")
    entry = record["entries"][place - 1]
    again = [1, 2, 3]
    entry["data"]["random"] = [{"label": "deck/0", "result": reshuffled(record, "deck/0", again)}]
    assert faults(chained(record)) == {"random": place}


def test_a_label_serves_once_in_an_entry() -> None:
    record = plain()
    entry_of(record, "game_started")["data"]["random"] *= 2
    assert faults(chained(record)) == {"random": 5}


def test_chances_are_sorted_by_label() -> None:
    record = plain()
    draws = entry_of(record, "game_started")["data"]["random"]
    draws.append({"label": "aside", "result": reshuffled(record, "aside", [1, 2])})
    assert faults(chained(record)) == {"random": 5}
    draws.reverse()
    assert faults(chained(record)) == {}


@pytest.mark.parametrize("label", ["", "x" * 256, "é" * 128])
def test_a_label_has_1_to_255_bytes(label: str) -> None:
    record = plain()
    entry_of(record, "game_started")["data"]["random"] = [{"label": label, "result": []}]
    assert faults(chained(record)) == {"random": 5}


def test_true_is_not_one_when_an_order_is_compared() -> None:
    record = plain()
    right = reshuffled(record, "zeal", [True, 1])
    draws = entry_of(record, "game_started")["data"]["random"]
    draws.append({"label": "zeal", "result": right})
    assert faults(chained(record)) == {}
    right.reverse()
    assert faults(chained(record)) == {"random": 5}


# -- the whole ------------------------------------------------------------------------------------------------------


def test_behind_a_broken_form_nothing_else_is_read() -> None:
    record = plain()
    data("game_settled", seed=1)(record)
    checks = verify(reread(chained(record)))
    assert [check.verdict for check in checks] == ["pass", "fail", *["not_checked"] * 4]


def test_the_verdict_on_the_whole() -> None:
    passed, failed, left = Check("a", "pass"), Check("b", "fail"), Check("c", "not_checked")
    assert verdict([passed, passed]) == "pass"
    assert verdict([passed, left]) == "incomplete"
    assert verdict([left, failed, passed]) == "fail"
