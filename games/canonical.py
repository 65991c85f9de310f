"""Canonical JSON (RFC 8785, within the limits of the log): one value, one sequence of bytes.

Object keys are printable ASCII and integers lie within ±(2⁵³−1), so sorting keys by code point and writing
integers plainly is all that the standard asks; floats do not occur.
"""

import hashlib
from collections.abc import Callable
from typing import Any

import msgspec

canonical: Callable[[Any], bytes] = msgspec.json.Encoder(order="sorted").encode
"""The canonical JSON of a value: structs, dicts, lists, text, integers, booleans, null."""


def digest(value: Any) -> str:
    """SHA-256 of a value's canonical JSON, in lower-case hex."""
    return hashlib.sha256(canonical(value)).hexdigest()
