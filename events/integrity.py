"""Integrity of a log: every entry is what its hash says, and follows the one before."""

import hashlib
from collections.abc import Iterable

from events.entries import GENESIS, Carved, MalformedEntry


class DamagedLog(MalformedEntry):
    """A log whose bytes were changed: the message names the first entry that is wrong, and nothing that it holds."""


def check_log(game: str, entries: Iterable[Carved]) -> int:
    """Refuse entries of a game that do not form one chain from its beginning; the number of the last."""
    number, prev = 0, GENESIS
    for number, carved in enumerate(entries, 1):
        if hashlib.sha256(carved.raw).hexdigest() != carved.hash:
            raise DamagedLog(f"entry {number} is not what its hash says")
        if (carved.entry.game, carved.seq, carved.entry.prev) != (game, number, prev):
            raise DamagedLog(f"entry {number} does not follow the one before")
        prev = carved.hash
    return number
