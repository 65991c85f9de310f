"""Heads of logs: who signed one, and what those saw who kept one during play."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from replays.audit.verify import (
    HASH,
    Fault,
    Keys,
    NotChecked,
    check_signature,
    head_message,
    is_genuine,
    number,
)
from replays.record import Record

KeptHead = Mapping[str, Any]
"""A head that someone kept: `version` (or `seq`) and `hash`; `game`, `signature` and `key_id` if they have them."""


class Trust(NamedTuple):
    """Whose signatures an auditor goes by."""

    keys: Keys
    only_these: bool = True
    """Is a signature with any other key a fault? Otherwise there is no telling what it is worth."""


def check_signed(record: Record, trust: Trust) -> None:
    """9: the record's head is signed with a key that the auditor trusts."""
    head = record["head"]
    unknown = head["signature"] is not None and head["key_id"] not in trust.keys
    if trust.keys and unknown and not trust.only_these:
        raise NotChecked(f"signed with the key {head['key_id']}, which is not known here")
    check_signature(record, trust.keys)


def check_witness(record: Record, heads: Sequence[KeptHead], trust: Trust) -> None:
    """10: every head of this game that was kept during play is in the chain."""
    of_this_game = [head for head in heads if head.get("game", record["game"]) == record["game"]]
    if not of_this_game:
        raise NotChecked("none of the heads that were kept is of this game")
    entries = record["entries"]
    for head in sorted(of_this_game, key=seq_of):
        seq = seq_of(head)
        if not 0 < seq <= len(entries):
            raise Fault(
                len(entries), f"a head of entry {seq} was kept, which is not there; {worth(head, trust)}"
            )
        if entries[seq - 1]["hash"] != head["hash"]:
            raise Fault(seq, f"another hash of it was kept during play; {worth(head, trust)}")


def seq_of(head: KeptHead) -> int:
    """The number of the entry that a head names."""
    return int(head["version"] if "version" in head else head["seq"])


def worth(head: KeptHead, trust: Trust) -> str:
    """What a kept head proves to others: a signed one that the server wrote it, any other one nothing."""
    public = trust.keys.get(str(head.get("key_id")))
    message = head_message(str(head.get("game")), seq_of(head), head["hash"])
    if public and is_genuine(str(head.get("signature")), public, message):
        return "it is signed by the server"
    return "it is not signed, so this is the word of who kept it"


def read_witness(source: bytes) -> list[KeptHead]:
    """Heads from a file: one JSON object, a list of them, or one a line."""
    try:
        text = source.decode()
        heads = json.loads(text) if text.lstrip()[:1] == "[" else [json.loads(line) for line in lines(text)]
    except (ValueError, RecursionError):
        raise Fault(None, "not JSON: a head, a list of heads, or one a line") from None
    for head in heads:
        if not (
            isinstance(head, dict) and number(head.get("version", head.get("seq"))) and HASH(head.get("hash"))
        ):
            raise Fault(None, "a head has at least `version` and `hash`")
    return list(heads)


def lines(text: str) -> list[str]:
    """One JSON text a line; or the whole, if it is one that spans several."""
    split = [line for line in text.splitlines() if line.strip()]
    try:
        json.loads(split[0])
    except (ValueError, IndexError):
        return [text]
    return split
