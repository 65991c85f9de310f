"""Reading JSON as strictly as the log writes it: what is not canonical JSON's subset is refused, not repaired."""

import json
import re
from typing import Any, NoReturn

import msgspec

from games.canonical import canonical, digest

__all__ = ["MalformedJSON", "canonical", "digest", "parse"]

MAX_DEPTH = 64
MAX_INTEGER = 2**53 - 1
UNUSUAL = re.compile(rb"[^ -~]|\\|[0-9]{16}")
"""Bytes that a plain text does not have: control or other characters than ASCII, escapes, large numbers."""
NOT_PLAIN = object()


class MalformedJSON(ValueError):
    """Bytes that are not JSON, or JSON that the log cannot hold; the message says what is wrong."""


def parse(source: bytes) -> Any:
    """The value of a JSON text: no floats, no duplicate keys, no lone surrogates, integers within ±(2⁵³−1)."""
    return _parse_closely(source) if (value := _parse_plain(source)) is NOT_PLAIN else value


def _parse_plain(source: bytes) -> Any:
    """The value of a text in which nothing can be wrong, as most are: compact, printable ASCII, no escapes.

    Whatever else it is, is found out by reading closely. A key that stands twice makes the value shorter than its text.
    """
    if UNUSUAL.search(source) or source.count(b"[") + source.count(b"{") > MAX_DEPTH:
        return NOT_PLAIN
    try:
        value = _plain_decoder.decode(source)
    except (msgspec.DecodeError, MalformedJSON):
        return NOT_PLAIN
    return value if len(canonical(value)) == len(source) else NOT_PLAIN


def _parse_closely(source: bytes) -> Any:
    """The value of any text, or what is wrong with it."""
    try:
        text = source.decode("utf-8")
        if text.count("[") + text.count("{") > MAX_DEPTH and _depth(text) > MAX_DEPTH:
            raise MalformedJSON(f"nested deeper than {MAX_DEPTH}")
        value = _decoder.decode(text)
        canonical(value)  # an escape such as \ud800 alone has no UTF-8 form
    except UnicodeError:
        raise MalformedJSON("not valid UTF-8 text") from None
    except json.JSONDecodeError as error:
        raise MalformedJSON(f"{error.msg.removesuffix(' at')} at character {error.pos}") from None
    return value


def _depth(text: str) -> int:
    """How deep brackets nest, counted before parsing so that no input can exhaust the stack."""
    depth = deepest = 0
    inside = escaped = False
    for character in text:
        if inside:
            if escaped:
                escaped = False
            elif character == "\\":
                escaped = True
            elif character == '"':
                inside = False
        elif character == '"':
            inside = True
        elif character in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif character in "]}":
            depth -= 1
    return deepest


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for key, value in pairs:
        if key in members:
            raise MalformedJSON(f"the key {key!r} stands twice")
        if not (key.isascii() and key.isprintable()):
            raise MalformedJSON("a key has characters other than printable ASCII")
        members[key] = value
    return members


def _integer(text: str) -> int:
    if len(text) > 17 or abs(value := int(text)) > MAX_INTEGER:
        raise MalformedJSON("an integer is beyond ±(2⁵³−1)")
    return value


def _refuse_number(text: str) -> NoReturn:
    raise MalformedJSON(f"{text[:40]} is not an integer")


_plain_decoder = msgspec.json.Decoder(float_hook=_refuse_number)
_decoder = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_integer, parse_float=_refuse_number, parse_constant=_refuse_number
)
