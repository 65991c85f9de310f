"""Canonical JSON (RFC 8785, within the limits of the log): one value, one sequence of bytes.

Object keys are printable ASCII and integers lie within ±(2⁵³−1), so sorting keys by code point and writing
integers plainly is all that the standard asks; floats do not occur.
"""

import hashlib
from typing import Any

import msgspec

_encoder = msgspec.json.Encoder(order="sorted")


def canonical(value: Any) -> bytes:
    """The canonical JSON of a value: structs, dicts, lists, text, integers, booleans, null."""
    return _encoder.encode(value)


def digest(value: Any) -> str:
    """SHA-256 of a value's canonical JSON, in lower-case hex."""
    return hashlib.sha256(canonical(value)).hexdigest()
