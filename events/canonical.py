"""Reading JSON as strictly as the log writes it: what is not canonical JSON's subset is refused, not repaired."""

import json
from typing import Any, NoReturn

from games.canonical import canonical, digest

__all__ = ["MalformedJSON", "canonical", "digest", "parse"]

MAX_DEPTH = 64
MAX_INTEGER = 2**53 - 1


class MalformedJSON(ValueError):
    """Bytes that are not JSON, or JSON that the log cannot hold; the message says what is wrong."""


def parse(source: bytes) -> Any:
    """The value of a JSON text: no floats, no duplicate keys, no lone surrogates, integers within ±(2⁵³−1)."""
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


_decoder = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_integer, parse_float=_refuse_number, parse_constant=_refuse_number
)
