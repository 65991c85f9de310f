"""Canonical JSON: one value, one sequence of bytes, whoever writes it."""

import hashlib
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.canonical import canonical, digest

LOG = json.loads((Path(__file__).parents[2] / "docs/test-vectors/log.json").read_text(encoding="utf-8"))

SAFE = 2**53 - 1
texts = st.text(st.characters(exclude_categories=["Cs"]))
names = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E))
values = st.recursive(
    st.none() | st.booleans() | st.integers(-SAFE, SAFE) | texts,
    lambda items: st.lists(items, max_size=4) | st.dictionaries(names, items, max_size=4),
    max_leaves=8,
)


def independent(value: Any) -> bytes:
    """The same format from the standard library's writer."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


@given(values)
def test_an_independent_writer_writes_the_same_bytes(value: Any) -> None:
    assert canonical(value) == independent(value)


@given(values)
def test_reading_and_writing_again_gives_the_same_bytes(value: Any) -> None:
    assert canonical(json.loads(canonical(value))) == canonical(value)


@given(st.dictionaries(names, st.integers(0, 9)), st.randoms())
def test_the_order_of_members_makes_no_difference(value: dict[str, int], random: Any) -> None:
    members = list(value.items())
    random.shuffle(members)
    assert canonical(dict(members)) == canonical(value)


def test_structs_are_written_like_the_objects_they_stand_for() -> None:
    class Piece(msgspec.Struct, frozen=True, tag_field="type", tag="piece"):
        to: int
        from_: tuple[int, ...] = msgspec.field(name="from")
        auto: bool | msgspec.UnsetType = msgspec.UNSET

    assert canonical(Piece(to=2, from_=(1, 0))) == b'{"from":[1,0],"to":2,"type":"piece"}'


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ('"\\/', b'"\\"\\\\/"'),
        ("\b\t\n\f\r", b'"\\b\\t\\n\\f\\r"'),
        ("\x00\x0b\x1f\x7f", b'"\\u0000\\u000b\\u001f\x7f"'),
        ("é\u2028🏛", '"é\u2028🏛"'.encode()),
    ],
)
def test_only_what_must_be_escaped_is_escaped(text: str, written: bytes) -> None:
    assert canonical(text) == written


@pytest.mark.parametrize(
    ("number", "written"), [(0, b"0"), (-0, b"0"), (-7, b"-7"), (SAFE, b"9007199254740991")]
)
def test_integers_are_written_plainly(number: int, written: bytes) -> None:
    assert canonical(number) == written


def test_half_a_character_cannot_be_written() -> None:
    with pytest.raises(UnicodeEncodeError):
        canonical("\ud83c")


def test_the_published_entry_has_the_published_bytes_and_hash() -> None:
    written = canonical(LOG["entry"])
    assert written.decode() == LOG["entry_canonical"]
    assert digest(LOG["entry"]) == hashlib.sha256(written).hexdigest() == LOG["entry_hash"]
    assert digest(LOG["request"]["body"]) == LOG["request"]["body_hash"]
