"""Whatever is changed in a good record, by accident or by a forger: no audit crashes on it, and none passes it.

What no check can hold to is written down here, and nothing else may pass:

- People may be left out, since names may be forgotten; and they may stand in any order.
- The head's signature and key are for check 9.
- A forger who makes every hash anew has another chain, which signatures and witnesses tell from the true one. Within
  it some members bind nothing else in the log (`FREE`): when things happened, as long as nobody was late; salts,
  requests, who created the game or seated its players and with which ref, whether it was private or on the clock, by
  which terms it was written, that a token was renewed, in which words the settlement told of its checks, and who of two
  players sat down first. In a game that was never dealt, entropy mixes into nothing either.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

import pytest
from hypothesis import event, example, given, settings
from hypothesis import strategies as st

from events.entries import MalformedEntry
from games.canonical import canonical
from replays.audit.audit import audit
from replays.audit.verify import Fault, read_record, verdict
from replays.record import Record, write_record
from tests.events.logs import TOYS
from tests.replays.forging import GOOD, chained, checked, lenient_hash, plain

Path = tuple[Any, ...]

FREE = {
    ("*", "at"),
    ("*", "salt"),
    ("*", "req"),
    ("game_created", "actor"),
    ("game_created", "data", "private"),
    ("game_created", "data", "clock"),
    ("seat_taken", "actor"),
    ("seat_taken", "data", "player", "ref"),
    ("seat_token_renewed",),
    ("game_created", "data", "terms"),
    *(("game_settled", "data", "audit", "checks", number, "detail") for number in range(9)),
}
FREE_IF_NEVER_DEALT = {
    ("seat_taken", "data", "entropy"),
    ("seat_taken", "data", "entropy_commitment"),
}


class Mutation(NamedTuple):
    """A good record with one change, and where it is: an entry is named by its type."""

    good: str
    path: Path
    record: Record

    @property
    def is_none(self) -> bool:
        return canonical(self.record) == canonical(GOOD[self.good]())

    @property
    def _seats_the_same(self) -> bool:
        """Do the same players sit down at the same seats, in whatever order?"""
        seated, seated_well = (
            sorted(canonical(entry["data"]) for entry in record["entries"] if entry["type"] == "seat_taken")
            for record in (self.record, GOOD[self.good]())
        )
        return seated == seated_well

    def is_free(self, *, hashes_made_anew: bool) -> bool:
        """Is this a change that no check can hold to?"""
        if self.path[:2] in {("head", "signature"), ("head", "key_id")}:
            return True
        if self.path[0] == "people":
            people, all_people = (
                {canonical(p) for p in r["people"]} for r in (self.record, GOOD[self.good]())
            )
            return people <= all_people
        if not hashes_made_anew or self.path[0] != "entries":
            return self.path[0] == "head" and hashes_made_anew
        if self.path == ("entries", "seat_taken") and self._seats_the_same:
            return True
        free = FREE | (FREE_IF_NEVER_DEALT if self.good == "aborted" else set())
        kind, *inner = self.path[1:] or ("*",)
        return any((kind, *inner[:n]) in free or ("*", *inner[:n]) in free for n in range(len(inner) + 1))


plain_values: st.SearchStrategy[Any] = st.sampled_from(
    [None, True, False, 0, 1, 2, -1, 7, 2**53 - 1, "", "x", "0" * 64, "f" * 64, "0" * 32, [], {}, [0], [[]], {"": 0},
     {"seat": 0}, {"seat": True}, {"type": "lay"}, {"kind": []}, "game_settled", "seat_taken", "game_created",
     "2026-11-16T09:30:12.345Z", {"key": "f" * 64, "body": "f" * 64, "of": [1, 1]}]
)  # fmt: skip
any_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(st.characters(codec="utf-8"), max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=5,
)  # fmt: skip


@st.composite
def mutations(draw: st.DrawFn) -> Mutation:
    """Any one change at any place of any good record."""
    good = draw(st.sampled_from(sorted(GOOD)))
    record = GOOD[good]()
    node: Any = record
    key: Any = draw(st.sampled_from(["entries", "entries", "entries", *sorted(record)]))
    path: Path = (key,)
    while node[key] and isinstance(node[key], dict | list) and draw(st.integers(0, 7)):
        node = node[key]
        key = draw(st.sampled_from(sorted(node)) if isinstance(node, dict) else st.integers(0, len(node) - 1))
        path = (*path, node[key].get("type") if path == ("entries",) else key)
    change(node, key, draw)
    return Mutation(good, path, record)


def change(node: Any, key: Any, draw: st.DrawFn) -> None:
    match draw(st.sampled_from(["replace", "replace", "replace", "remove", "add", "exchange"])):
        case "replace":
            node[key] = draw(plain_values | any_values)
        case "remove":
            del node[key]
        case "add" if isinstance(node, dict):
            node[draw(st.sampled_from(["", "extra", "seat", "type", "hash"]))] = draw(plain_values)
        case "add":
            node.insert(key, draw(plain_values | st.sampled_from(node)))
        case _:
            keys = sorted(node) if isinstance(node, dict) else range(len(node))
            other = draw(st.sampled_from(keys))
            node[key], node[other] = node[other], node[key]


def passes(record: Record) -> bool:
    """Does an audit pass what anyone may send? (The verifier can only say that nothing failed.)"""
    try:
        read = read_record(canonical(record))
    except Fault:
        return False
    audited = audit(read, TOYS)
    assert verdict(checked(read)) != "fail" or audited.verdict != "pass"
    return audited.verdict == "pass"


@settings(max_examples=100, deadline=None)
@given(mutations())
def test_no_change_passes(mutation: Mutation) -> None:
    if passes(mutation.record):
        event("passed")
        assert mutation.is_none or mutation.is_free(hashes_made_anew=False), mutation.path


def seated_in_another_order(good: str) -> Mutation:
    record = GOOD[good]()
    entries = record["entries"]
    entries[1], entries[2] = entries[2], entries[1]
    return Mutation(good, ("entries", "seat_taken"), record)


@settings(max_examples=200, deadline=None)
@given(mutations())
@example(seated_in_another_order("aborted"))
@example(seated_in_another_order("plain"))
def test_no_change_passes_though_every_hash_is_made_anew(mutation: Mutation) -> None:
    entries = mutation.record.get("entries")
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        return
    if not isinstance(mutation.record.get("head"), dict):
        mutation.record["head"] = {"signature": None, "key_id": None}
    if passes(chained(mutation.record)):
        event("passed")
        assert mutation.is_none or mutation.is_free(hashes_made_anew=True), mutation.path


@settings(max_examples=200, deadline=None)
@given(mutations())
@example(seated_in_another_order("aborted"))
@example(seated_in_another_order("plain"))
def test_no_change_passes_though_every_hash_is_what_a_lenient_reader_would_make_of_it(
    mutation: Mutation,
) -> None:
    try:
        forged = chained(mutation.record, lenient_hash)
    except (MalformedEntry, LookupError, TypeError, AttributeError):
        return
    if passes(forged):
        event("passed")
        assert mutation.is_none or mutation.is_free(hashes_made_anew=True), mutation.path


@pytest.mark.parametrize(
    "leave_out",
    [lambda entry: entry.pop("v"), lambda entry: entry["data"]["random"][0].update(extra=1)],
    ids=["the envelope's version", "an unknown member of a chance"],
)
def test_what_typed_decoding_would_fill_in_or_drop_is_no_sound_record(
    leave_out: Callable[[Any], Any],
) -> None:
    record = plain()
    leave_out(next(entry for entry in record["entries"][::-1] if entry["data"].get("random")))
    with suppress(MalformedEntry):
        record = chained(record, lenient_hash)
    assert not passes(record)


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**16), st.integers(0, 255))
@example(0, 0)
def test_no_change_of_a_byte_passes(place: int, byte: int) -> None:
    source = bytearray(write_record(plain()))
    place %= len(source)
    if source[place] == byte:
        return
    source[place] = byte
    try:
        record = read_record(bytes(source))
    except Fault:
        return
    assert audit(record, TOYS).verdict == "fail"
