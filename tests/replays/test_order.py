"""Check 2, as far as it is about order: entries stand where they may stand, written by who may write them."""

from collections.abc import Callable

import pytest

from replays.audit import verify as verifier
from replays.record import Record
from tests.replays.forging import (
    Change,
    aborted,
    chained,
    copied,
    data,
    dropped,
    entry_of,
    faults,
    of,
    place_of,
    plain,
    sealed,
)

OTHER = "f" * 64


def renewed_before_the_start(record: Record) -> None:
    """Everything by the operator, so that the start could be of one append with the renewal."""
    for entry in record["entries"]:
        entry["req"] = None
    copied("seat_token_renewed", 0, 5)(record)
    record["entries"].pop(6)
    record["entries"][4]["state"] = None
    for entry in record["entries"][3:6]:
        entry["actor"] = {"operator": True}


OUT_OF_ORDER: dict[str, tuple[Callable[[], Record], Change, int]] = {
    "it begins with a seat": (plain, dropped("game_created"), 1),
    "it is created twice": (plain, copied("game_created", 0, 2), 2),
    "a seat is taken twice": (plain, copied("seat_taken", 0, 3), 3),
    "a seat is taken after the start": (plain, copied("seat_taken", 0, 7), 7),
    "it starts with a free seat": (plain, dropped("seat_taken", 1), 4),
    "it starts with a closed seal": (sealed, dropped("entropy_revealed"), 6),
    "a token is renewed between the last seat and the start": (plain, renewed_before_the_start, 6),
    "it starts twice": (plain, copied("game_started", 0, 7), 7),
    "it is played before the start": (plain, copied("action_taken", 0, 3), 3),
    "somebody withdraws before the start": (sealed, copied("seat_withdrawn", 0, 3), 3),
    "a seal opens before everyone sits": (sealed, copied("entropy_revealed", 0, 4), 4),
    "a seal opens twice": (sealed, copied("entropy_revealed", 0, 6), 6),
    "a seal opens after the start": (sealed, copied("entropy_revealed", 0, 9), 9),
    "a seal opens that is none": (sealed, data("entropy_revealed", seat=1), 5),
    "a seat withdraws twice": (sealed, copied("seat_withdrawn", 0, 16), 16),
    "it is settled before it began": (plain, copied("game_settled", 0, 3), 3),
    "it is settled twice": (plain, copied("game_settled", 0, 0), 20),
    "it is played after its settlement": (plain, copied("action_taken", 0, 0), 20),
    "a token is renewed after the settlement": (plain, copied("seat_token_renewed", 0, 0), 20),
    "a token is renewed before anything": (plain, copied("seat_token_renewed", 0, 1), 1),
    "a token is renewed of a free seat": (plain, copied("seat_token_renewed", 0, 2), 2),
    "a token's generation is passed over": (plain, data("seat_token_renewed", generation=2), 6),
    "a token's generation comes twice": (plain, copied("seat_token_renewed", 0, 8), 8),
    "it is called off twice": (aborted, copied("game_aborted", 0, 6), 6),
    "it is played after it was called off": (
        plain,
        lambda record: (
            record["entries"].insert(7, entry_of(aborted(), "game_aborted") | {
                "at": record["entries"][7]["at"], "state": record["entries"][6]["state"]
            })
        ),
        9,
    ),
}  # fmt: skip


@pytest.mark.parametrize("fault", OUT_OF_ORDER)
def test_entries_stand_in_their_order(fault: str) -> None:
    good, change, place = OUT_OF_ORDER[fault]
    record = good()
    change(record)
    assert faults(chained(record)) == {"schema": place}


WRONG_ACTORS: dict[str, tuple[Callable[[], Record], Change, int]] = {
    "a seat creates": (plain, of("game_created", actor={"seat": 0}), 1),
    "another host creates": (plain, of("game_created", actor={"host": "rival"}), 1),
    "a player is seated by another seat": (plain, of("seat_taken", 1, actor={"seat": 0}), 3),
    "a bot is seated by a seat nobody took": (
        plain,
        lambda record: entry_of(record, "seat_taken", 1).update(
            actor={"seat": 2},
            data=entry_of(record, "seat_taken", 1)["data"]
            | {"bot": "random", "player": {"name_hash": None, "ref": None}},
        ),
        3,
    ),
    "another seat opens a seal": (sealed, of("entropy_revealed", actor={"seat": 1}), 5),
    "another starts": (plain, of("game_started", actor={"seat": 0}), 5),
    "a start is another request's": (plain, of("game_started", req=None), 5),
    "a start is a request of its own": (
        plain,
        lambda record: (
            of("seat_taken", 2, req={"key": OTHER, "body": OTHER, "of": [4, 4]})(record),
            of("game_started", req=None)(record),
        ),
        5,
    ),
    "a seat renews its token": (plain, of("seat_token_renewed", actor={"seat": 1}), 6),
    "another host renews a token": (plain, of("seat_token_renewed", actor={"host": "rival"}), 6),
    "the clock acts": (plain, of("action_taken", actor={"system": "clock"}), 7),
    "a seat that is not there acts": (plain, of("action_taken", actor={"seat": 3}), 7),
    "another seat resigns it": (sealed, of("seat_withdrawn", actor={"seat": 0}), 14),
    "the clock resigns it": (sealed, of("seat_withdrawn", actor={"system": "clock"}), 14),
    "a seat runs another out of time": (sealed, of("seat_withdrawn", 1, actor={"seat": 0}), 18),
    "an operator settles": (plain, of("game_settled", actor={"operator": True}), 19),
    "the clock settles": (plain, of("game_settled", actor={"system": "clock"}), 19),
}


@pytest.mark.parametrize("fault", WRONG_ACTORS)
def test_each_thing_is_done_by_who_may_do_it(fault: str) -> None:
    good, change, place = WRONG_ACTORS[fault]
    record = good()
    change(record)
    assert faults(chained(record)) == {"schema": place}


def test_a_bot_neither_withdraws_nor_has_a_token() -> None:
    for good, kind, seat in ((plain, "seat_token_renewed", 1), (sealed, "seat_withdrawn", 1)):
        record = good()
        record["people"] = []
        bot = {"bot": "greedy", "bot_version": 1, "player": {"name_hash": None, "ref": None}}
        data("seat_taken", seat, entropy=None, **bot)(record)
        assert faults(chained(record))["schema"] == place_of(record, kind)


def test_entropy_comes_one_way_and_not_in_a_seeded_game() -> None:
    both, seeded = sealed(), sealed()
    data("seat_taken", 1, entropy_commitment=OTHER)(both)
    assert faults(chained(both)) == {"schema": 3}
    data("game_created", origin={"kind": "seeded"})(seeded)
    assert faults(chained(seeded)) == {"schema": 2}


def test_an_entry_without_facts_repeats_the_state() -> None:
    for kind, place in (("seat_token_renewed", 6), ("game_settled", 19), ("seat_taken", 2)):
        record = plain()
        of(kind, state=OTHER)(record)
        assert faults(chained(record)) == {"schema": place}


def test_an_entry_with_facts_has_a_state() -> None:
    for kind in ("game_started", "action_taken", "seat_withdrawn"):
        record = sealed()
        of(kind, state=None)(record)
        assert faults(chained(record)) == {"schema": place_of(record, kind)}


def test_the_entries_of_one_append_name_the_same_request() -> None:
    for place in (2, 3):
        record = plain()
        record["entries"][place - 1]["req"] = None
        assert faults(chained(record)) == {"schema": place}


def test_a_settlement_audited_the_log_before_it() -> None:
    record = plain()
    for head in ({"seq": 17, "hash": record["entries"][16]["hash"]}, {"seq": 18, "hash": OTHER}):
        forged = chained(plain())
        entry = entry_of(forged, "game_settled")
        entry["data"]["audit"]["head"] = head
        body = {member: value for member, value in entry.items() if member != "hash"}
        entry["hash"] = forged["head"]["hash"] = verifier.sha256(verifier.canonical(body))
        assert faults(forged) == {"schema": 19}
