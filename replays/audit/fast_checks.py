"""Fast path of checks 1 and 2 (chain and form) for correct records, by typed decoding in one pass.

Whoever finds no sound record here asks `verify.py`, the one that says what is wrong with it. Its tests hold the two to
one judgement.
"""

import re

from msgspec import UNSET

from events.entries import GENESIS, ActionTaken, Carved, MalformedEntry
from replays.audit.verify import (
    FACTS,
    SIGNED_ACTION,
    Entry,
    Fault,
    Table,
    check_head,
    is_well_formed,
    moment,
)
from replays.record import Record, read_entry

MEMBERS_OF_AN_ENTRY = 12
are_hex_digits = re.compile("[0-9a-f]*").fullmatch


def well_formed_entries(record: Record) -> list[Carved] | None:
    """The entries of a record whose chain and form are right; None if they are not."""
    try:
        return _read(record)
    except (Fault, MalformedEntry, LookupError, TypeError, ValueError, AttributeError):
        return None


def _read(record: Record) -> list[Carved] | None:
    table, prev = Table(record), GENESIS
    entries: list[Carved] = []
    for place, shown in enumerate(record["entries"], 1):
        carved = read_entry(shown)
        entry = carved.entry
        if entry.seq != place or entry.prev != prev or carved.hash != shown["hash"]:
            return None
        if not _is_well_formed(shown, carved, table.terms):
            return None
        table.follow(place, shown)
        prev = carved.hash
        entries.append(carved)
    table.close(record)
    check_head(record, len(entries), prev)
    return entries


def _is_well_formed(shown: Entry, carved: Carved, terms: int) -> bool:
    """`is_well_formed` of an entry that could be read; of an action, what its types leave open."""
    entry, data = carved.entry, carved.data
    if not isinstance(data, ActionTaken):
        return is_well_formed(shown, terms)
    return (
        len(shown) == MEMBERS_OF_AN_ENTRY
        and entry.v == 1
        and len(entry.actor) == 1
        and type(entry.actor.get("seat")) is int
        and moment(entry.at)
        and _has_hashes(carved)
        and "type" in data.action
        and FACTS(data.facts)
        and ("signed" in shown["data"]) == (terms == 3)
        and (data.signed is UNSET or SIGNED_ACTION(shown["data"]["signed"]))
    )


def _has_hashes(carved: Carved) -> bool:
    """Its salt, state and request are hex digits; that they are as many as they should be is a matter of types."""
    entry, request = carved.entry, carved.entry.req
    digits = entry.salt + (entry.state or "no state")
    if request:
        digits += request.key + request.body
    return are_hex_digits(digits) is not None
