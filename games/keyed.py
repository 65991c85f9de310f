"""HMAC-SHA-256 (RFC 2104) with one key for many messages: what they have in common is hashed once."""

import hashlib
from collections.abc import Callable

_BLOCK = hashlib.sha256().block_size
_INNER, _OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))


def keyed(key: bytes) -> Callable[[bytes], bytes]:
    """The function that gives each message's digest; several times as quick as to key each of them anew."""
    block = (key if len(key) <= _BLOCK else hashlib.sha256(key).digest()).ljust(_BLOCK, b"\0")
    begin_inner = hashlib.sha256(block.translate(_INNER)).copy
    begin_outer = hashlib.sha256(block.translate(_OUTER)).copy

    def digest(message: bytes) -> bytes:
        inner, outer = begin_inner(), begin_outer()
        inner.update(message)
        outer.update(inner.digest())
        return outer.digest()

    return digest
