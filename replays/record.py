"""Portable records: a whole game as one JSON document that anyone can check, keep, or bring to another server."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

import msgspec

from events.canonical import canonical
from events.entries import DATA_TYPES, Carved, Entry, MalformedEntry, carve

RECORD_FORMAT = "stele-record/1"

Record = dict[str, Any]
"""A record as JSON has it; `replays/audit/verify.py` reads one from bytes and says what is wrong with it."""


def to_record(
    entries: Iterable[Carved],
    people: Mapping[int, bytes],
    head: Mapping[str, Any] | None = None,
    former_people: Mapping[tuple[int, int], bytes] = MappingProxyType({}),
) -> Record:
    """The record of a game: every entry with its hash, the names beside them, the head with its signature if it has one."""
    shown = [carved.laid_open() for carved in entries]
    created, latest = shown[0], shown[-1]
    unsigned = {"seq": latest["seq"], "hash": latest["hash"], "signature": None, "key_id": None}
    former = [
        {"seat": seat, "generation": generation, **msgspec.json.decode(person)}
        for (seat, generation), person in sorted(former_people.items())
    ]
    return ({"former_people": former} if former else {}) | {
        "format": RECORD_FORMAT,
        "game": created["game"],
        "ruleset": created["data"]["ruleset"],
        "ruleset_version": created["data"]["ruleset_version"],
        "entries": shown,
        "people": [{"seat": seat, **msgspec.json.decode(person)} for seat, person in sorted(people.items())],
        "head": dict(head or unsigned),
    }


def write_record(record: Record) -> bytes:
    """A record as bytes: canonical, so that the same game is always the same file."""
    return canonical(record)


def entries_of(record: Record) -> list[Carved]:
    """The entries of a record whose form has been verified, ready to be folded or stored."""
    return [read_entry(shown) for shown in record["entries"]]


def read_entry(shown: Mapping[str, Any]) -> Carved:
    """One entry of a record, carved anew: its hash is what its content gives, whatever the record says."""
    members = {**shown}
    try:
        del members["hash"]
        members["data"] = msgspec.convert(members["data"], DATA_TYPES[members["type"]])
        return carve(msgspec.convert(members, Entry))
    except (KeyError, msgspec.ValidationError) as error:
        raise MalformedEntry(str(error)) from None
