"""What the log cannot hold is refused when it is read, and what it holds is the same bytes for ever."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events import seeds
from events.canonical import MAX_DEPTH, MalformedJSON, _parse_closely, canonical, digest, parse
from events.entries import body_hash, request_key
from replays.audit import verify

VECTORS = json.loads((Path(__file__).parents[2] / "docs/test-vectors/log.json").read_text(encoding="utf-8"))
SAFE = 2**53 - 1

texts = st.text(st.characters(exclude_categories=["Cs"]))
keys = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E))
values = st.recursive(
    st.none() | st.booleans() | st.integers(-SAFE, SAFE) | texts,
    lambda items: st.lists(items, max_size=4) | st.dictionaries(keys, items, max_size=4),
    max_leaves=10,
)


def nested(levels: int) -> bytes:
    return b"[" * levels + b"]" * levels


# -- reading --------------------------------------------------------------------------------------------------------


@given(values)
def test_what_is_written_is_read_back(value: Any) -> None:
    read = parse(canonical(value))
    assert read == value
    assert canonical(read) == canonical(value)


@given(values, st.sampled_from([None, 1, "\t"]))
def test_how_a_text_is_spaced_and_escaped_makes_no_difference(value: Any, indent: Any) -> None:
    assert canonical(parse(json.dumps(value, indent=indent, ensure_ascii=True).encode())) == canonical(value)


@given(values)
def test_the_stand_alone_verifier_writes_the_same_bytes(value: Any) -> None:
    assert verify.canonical(value) == canonical(value)


@given(st.binary(max_size=40) | st.text(alphabet='[]{}",:\\u0d8e1.-+tfn ', max_size=40).map(str.encode))
def test_any_bytes_are_either_read_or_refused(source: bytes) -> None:
    try:
        value = parse(source)
    except MalformedJSON:
        return
    assert parse(canonical(value)) == value


@pytest.mark.parametrize(
    "source",
    [
        b'{"a":1,"a":1}',
        b'{"a":1,"b":[{"c":0,"\\u0063":0}]}',
        b"1.0",
        b"-0.5",
        b"1e2",
        b"1E400",
        b"NaN",
        b"[Infinity]",
        b"-Infinity",
        b"9007199254740992",
        b"-9007199254740992",
        b"1" * 5000,
        '{"é":1}'.encode(),
        b'{"\\u00e9":1}',
        b'{"\\n":1}',
        b'{"\x7f":1}',
        b'"\\ud800"',
        b'["\\udc00\\ud800"]',
        b'{"a":"\\ud83c"}',
        b'{"\\ud800":1}',
        b'"\xff"',
        b'"\xed\xa0\x80"',
        b'"\xc0\x80"',
        b"\xef\xbb\xbf{}",
        b"{}\x00",
        b'"a\nb"',
        b"",
        b"   ",
        b"01",
        b"[1,]",
        b"{'a':1}",
        b"nul",
        b"1 2",
    ],
    ids=lambda source: ascii(source[:24]),
)
def test_what_the_log_cannot_hold_is_refused(source: bytes) -> None:
    with pytest.raises(MalformedJSON):
        parse(source)


@pytest.mark.parametrize(
    ("source", "value"),
    [
        (b"9007199254740991", SAFE),
        (b"-9007199254740991", -SAFE),
        (b"-0", 0),
        (b' [ 1 ,\r\n\t{"":""} ] ', [1, {"": ""}]),
        (b'"\\ud83c\\udfdb"', "🏛"),
        (b'"\\u0000\x7f"', "\x00\x7f"),
        (b'{"\\u0041 ~":null}', {"A ~": None}),
        (b'"' + b"[" * 500 + b'"', "[" * 500),
        (b'["' + b"\\\"[" * 200 + b'"]', ['"[' * 200]),
    ],
)  # fmt: skip
def test_what_lies_within_the_limits_is_read(source: bytes, value: Any) -> None:
    assert parse(source) == value


def test_nesting_has_a_limit_that_no_input_gets_around() -> None:
    assert parse(nested(MAX_DEPTH))
    for bomb in (nested(MAX_DEPTH + 1), b"[" * 2_000_000, b'{"a":' * 100_000, b'["\\"",' * 100_000):
        with pytest.raises(MalformedJSON, match="nested deeper"):
            parse(bomb)


def test_a_refusal_says_what_is_wrong_and_where() -> None:
    for source, said in (
        (b'{"a":1,"a":2}', "the key 'a' stands twice"),
        (b"[1.5]", "1.5 is not an integer"),
        (b'["\x01"]', "Invalid control character at character 2"),
        (b"[1,]", "at character 3"),
    ):
        with pytest.raises(MalformedJSON, match=said):
            parse(source)


# -- worked values --------------------------------------------------------------------------------------------------


def test_the_published_entry_is_read_and_hashed_as_published() -> None:
    entry = parse(VECTORS["entry_canonical"].encode())
    assert entry == VECTORS["entry"]
    assert digest(entry) == VECTORS["entry_hash"]
    assert verify.sha256(verify.canonical(entry)) == VECTORS["entry_hash"]


def test_a_request_is_remembered_by_the_published_hashes() -> None:
    request = VECTORS["request"]
    assert request_key(str(request["seat"]), request["key"]) == request["key_hash"]
    assert body_hash(request["body"]) == request["body_hash"]
    assert body_hash(None) == digest(None) == verify.sha256(b"null")


def test_a_name_is_hashed_as_published() -> None:
    name = VECTORS["name"]
    assert seeds.name_hash(bytes.fromhex(name["nonce"]), name["name"]) == name["name_hash"]


def test_seed_and_seal_are_committed_to_as_published() -> None:
    server_seed = bytes.fromhex(VECTORS["server_seed"])
    sealed = VECTORS["entropy"][2]
    assert seeds.commitment(server_seed) == VECTORS["seed_commitment"]
    assert seeds.seal(bytes.fromhex(sealed["sealed_hex"])) == sealed["commitment"]


def test_the_seed_of_a_game_is_mixed_as_published() -> None:
    text, _, sealed = VECTORS["entropy"]
    brought = [text["text"].encode(), b"", bytes.fromhex(sealed["sealed_hex"])]
    server_seed = bytes.fromhex(VECTORS["server_seed"])
    assert seeds.game_seed(server_seed, VECTORS["game"], brought).hex() == VECTORS["game_seed"]


TEXTS = st.one_of(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers(-(2**70), 2**70)
        | st.floats(allow_nan=True)
        | st.text()
        | st.text("ab:,[]{}\"' 1"),
        lambda inner: st.lists(inner) | st.dictionaries(st.text("abé\x7f") | st.text(), inner),
    ).map(
        lambda value: json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode(
            errors="surrogatepass"
        )
    ),
    st.sampled_from(
        [
            b'{"a":1,"a":2}',
            b'{"a":[],"a":{}}',
            b"-0",
            b"01",
            b"1E2",
            b'"\x7f"',
            b'"\\u0041"',
            b"[1,]",
            b" 1",
            b"1 ",
        ]
    ),
    st.binary(),
)


@given(TEXTS)
def test_a_plain_text_is_read_as_closely_as_any_other(text: bytes) -> None:
    def reading(read: Callable[[bytes], Any]) -> tuple[str, str]:
        try:
            return "value", repr(read(text))
        except MalformedJSON as error:
            return "error", str(error)

    assert reading(parse) == reading(_parse_closely)
