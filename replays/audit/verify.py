#!/usr/bin/env python3
"""Verify the record of a Stele game with nothing but this file and Python's standard library.

    python verify.py RECORD.json [--key KEYS] [--json]
                     [--require-proofs] [--checkpoint FILE --log PLACE] [--cosigners FILE]

It checks what needs no knowledge of any game's rules: the chain of hashes, the form and order of the entries, that
the opened seed and seals are the ones committed to, that every shuffle is the one the seed gives, that nobody was out
of time who cannot have been, and that the settlement says of all this what is true. Where the package `cryptography`
is there, it also checks what seats with a key have signed and, with KEYS (a server's stele-keys.json, or a file with
one public key in hex), the signature of the record's head. The other checks of an audit need the rules; they are listed
as `not_checked`.
If the record has proofs of the server's transparency log, they are checked by the same KEYS; --require-proofs makes
their absence a failure. A checkpoint that was kept (FILE) is compared with them by the log's tiles at PLACE, an address
(https://example.org/tlog) or a directory; --cosigners names the keys of witnesses to count, one a line.
Exit code: 0 everything passed, 1 something failed, 2 something could not be checked.
"""

import base64
import hashlib
import hmac
import importlib
import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime
from functools import lru_cache
from io import TextIOWrapper
from pathlib import Path
from typing import Any, NamedTuple

RULE_CHECKS = ("facts", "states", "components", "outcome")
SETTLED_CHECKS = ("chain", "schema", "commitment", "random", *RULE_CHECKS, "clocks")
"""What a settlement tells of, in this order."""
NEWER_CHECKS = {"clocks", "settlement", "signatures"}
"""What not every game is asked."""
CHECKS = (*SETTLED_CHECKS, "settlement", "signature", "signatures", "logged")
OPTIONAL_CHECKS = NEWER_CHECKS | {"logged"}
"""What is left out where it does not apply."""
BROKEN = "the record's form is broken"
NEEDS_RULES = "needs the rules"
ZEROS = "0" * 64
MAX_INTEGER = 2**53 - 1
MAX_DEPTH = 100
MAX_SEATS = 64
MAX_TAKEBACKS = 100
MAX_HANDOVERS = 20
MAX_ADDED_SECONDS = 86_400

Entry = dict[str, Any]
Record = dict[str, Any]


class Fault(Exception):
    """What is wrong, and with which entry (None: with the record as a whole)."""

    def __init__(self, entry: int | None, detail: str) -> None:
        super().__init__(detail)
        self.entry = entry
        self.detail = detail


class NotChecked(Exception):
    """Why a check cannot be made on this record."""


def terms_of(record: Record) -> int:
    """By which terms a game is judged: the second or third where its first entry says so, otherwise the first."""
    created = record["entries"][0].get("data")
    terms = created.get("terms") if isinstance(created, dict) else None
    return next((known for known in (2, 3) if is_this(terms, known)), 1)


class Check(NamedTuple):
    """The verdict on one question: `pass`, `fail` or `not_checked`."""

    check: str
    verdict: str
    entry: int | None = None
    detail: str | None = None


# -- canonical JSON and hashes --------------------------------------------------------------------------------------


def canonical(value: Any) -> bytes:
    """RFC 8785 within the log's limits: keys are ASCII, numbers are integers."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.encode()


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def depth(value: Any) -> int:
    """How deep objects and lists nest."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + max(map(depth, inner), default=0)


def read_record(source: bytes) -> Record:
    """Parse a record strictly: what the log cannot hold is no record."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        members = dict(pairs)
        if len(members) != len(pairs):
            raise Fault(None, "a JSON object has the same key twice")
        if not all(key.isascii() and key.isprintable() for key in members):
            raise Fault(None, "a JSON key has characters other than printable ASCII")
        return members

    def integer(text: str) -> int:
        if len(text) > 17 or abs(int(text)) > MAX_INTEGER:
            raise Fault(None, "an integer is beyond ±(2⁵³−1)")
        return int(text)

    def refuse(text: str) -> None:
        raise Fault(None, f"{text[:20]} is not an integer")

    try:
        record = json.loads(
            source.decode(),
            object_pairs_hook=unique,
            parse_int=integer,
            parse_float=refuse,
            parse_constant=refuse,
        )
        canonical(record)
        deep = depth(record) > MAX_DEPTH
    except (ValueError, RecursionError) as error:
        raise Fault(None, f"not a JSON document of the log's kind: {error}") from None
    if deep:
        raise Fault(None, f"nested deeper than {MAX_DEPTH}")
    if not isinstance(record, dict) or record.get("format") != "stele-record/1":
        raise Fault(None, 'not a record: its "format" is not "stele-record/1"')
    entries = record.get("entries")
    if not isinstance(entries, list) or not entries or not all(isinstance(entry, dict) for entry in entries):
        raise Fault(None, "a record has a list of entries")
    return record


# -- 1. chain -------------------------------------------------------------------------------------------------------


def check_chain(record: Record) -> None:
    """Numbers without gaps; every hash that of its entry, every `prev` that of the entry before."""
    prev = ZEROS
    for place, entry in enumerate(record["entries"], 1):
        if not is_this(entry.get("seq"), place):
            raise Fault(place, f"entry {place} has the number {entry.get('seq')!r}")
        if entry.get("prev") != prev:
            raise Fault(place, "its `prev` is not the hash of the entry before")
        body = {member: value for member, value in entry.items() if member != "hash"}
        prev = sha256(canonical(body))
        if entry.get("hash") != prev:
            raise Fault(place, "its hash is not that of its content")
    check_head(record, place, prev)


def check_head(record: Record, seq: int, digest: str) -> None:
    """The head of a record is its last entry."""
    head = record.get("head")
    if not isinstance(head, dict) or not (is_this(head.get("seq"), seq) and head.get("hash") == digest):
        raise Fault(None, "the record's head is not its last entry")


def is_this(value: Any, wanted: int) -> bool:
    """Is it this very number? (To Python, true is 1.)"""
    return type(value) is int and value == wanted


# -- 2. schema ------------------------------------------------------------------------------------------------------

Test = Callable[[Any], bool]


def text(value: Any) -> bool:
    return isinstance(value, str)


def number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def flag(value: Any) -> bool:
    return isinstance(value, bool)


def any_object(value: Any) -> bool:
    return isinstance(value, dict)


def hexadecimal(length: int) -> Test:
    fits = re.compile(f"[0-9a-f]{{{length}}}").fullmatch
    return lambda value: isinstance(value, str) and fits(value) is not None


def one_of(*values: Any) -> Test:
    allowed = [(type(value), value) for value in values]
    return lambda value: (type(value), value) in allowed


def moment(value: Any) -> bool:
    return isinstance(value, str) and TIME.fullmatch(value) is not None and is_in_calendar(value[:10])


@lru_cache(256)
def is_in_calendar(day: str) -> bool:
    """Is there such a day? (A game has few of them, and many moments.)"""
    try:
        return bool(date.fromisoformat(day))
    except ValueError:
        return False


def optional(test: Test) -> Test:
    return lambda value: value is None or test(value)


def any_of(*tests: Test) -> Test:
    return lambda value: any(test(value) for test in tests)


def shape(members: dict[str, Test], **perhaps: Test) -> Test:
    """An object with these members, and perhaps with those."""
    tests = members | perhaps

    def fits(value: Any) -> bool:
        return (
            isinstance(value, dict)
            and members.keys() <= value.keys() <= tests.keys()
            and all(tests[member](value[member]) for member in value)
        )

    return fits


def each(test: Test) -> Test:
    return lambda value: isinstance(value, list) and all(map(test, value))


HASH = hexadecimal(64)
ACTOR = any_of(
    shape({"seat": number}),
    shape({"host": text}),
    shape({"operator": one_of(True)}),
    shape({"anonymous": one_of(True)}),
    shape({"system": one_of("worker", "clock")}),
)
ORIGIN = any_of(
    shape({"kind": one_of("fresh", "seeded")}),
    shape({"kind": one_of("position"), "position": any_object, "seeded": flag}),
    shape(
        {"kind": one_of("fork"), "game": text, "version": number, "position": any_object},
        redeal=one_of("none", "piles"),
    ),
)
FACTS = each(lambda fact: isinstance(fact, dict) and text(fact.get("type")))
RANDOM = each(shape({"label": text, "result": lambda value: isinstance(value, list)}))
CHECK = shape(
    {
        "check": text,
        "verdict": one_of("pass", "fail", "not_checked"),
        "entry": optional(number),
        "detail": optional(text),
    }
)
AUDIT = shape(
    {
        "verdict": one_of("pass", "fail", "incomplete"),
        "checks": each(CHECK),
        "fairness": one_of(None, "sealed", "open", "server_only", "seeded"),
        "head": shape({"seq": number, "hash": HASH}),
    }
)
REQUEST = shape({"key": HASH, "body": HASH, "of": each(number)})
TIME = re.compile(r"\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z", re.ASCII)

TURN_CLOCK = shape({"turn_seconds": number})
TOTAL_CLOCK = shape({"total_seconds": number, "increment_seconds": number})
RESERVE_CLOCK = shape({"turn_seconds": number, "reserve_seconds": number})
WHY = re.compile(r"[^\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]{1,200}")
"""What people read of an adjudication or a name: no control characters, nothing that turns the direction of text."""
CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
TIMED_ABORTS = ("never_filled", "entropy_withheld", "abandoned", "too_long")
"""The clock's own, which tell their limit."""


def tags(value: Any) -> bool:
    return each(text)(value) and 0 < len(value) == len(set(value))


GAME_CREATED: dict[str, Test] = {
    "ruleset": text,
    "ruleset_version": number,
    "component_set": shape({"name": text, "sha256": HASH}),
    "options": any_object,
    "seats": number,
    "seed_commitment": HASH,
    "private": flag,
    "clock": optional(TURN_CLOCK),
    "host": optional(text),
    "origin": ORIGIN,
}
PLAYER = shape({"name_hash": optional(HASH), "ref": optional(text)})
SEAT_TAKEN: dict[str, Test] = {
    "seat": number,
    "player": PLAYER,
    "bot": optional(text),
    "entropy": optional(lambda value: text(value) and len(value.encode()) <= 64),
    "entropy_commitment": optional(HASH),
}
ACTION_TAKEN: dict[str, Test] = {
    "action": lambda value: isinstance(value, dict) and "type" in value,
    "facts": FACTS,
    "random": RANDOM,
}
SEAT_WITHDRAWN: dict[str, Test] = {
    "seat": number,
    "cause": one_of("resigned", "timed_out"),
    "facts": FACTS,
    "random": one_of([]),
}
DATA: dict[str, Test] = {
    "game_created": shape(GAME_CREATED),
    "seat_taken": shape(SEAT_TAKEN),
    "entropy_revealed": shape({"seat": number, "entropy": HASH}),
    "seat_token_renewed": shape({"seat": number, "generation": number}),
    "game_started": shape({"facts": FACTS, "random": RANDOM}),
    "action_taken": shape(ACTION_TAKEN),
    "seat_withdrawn": shape(SEAT_WITHDRAWN),
    "game_aborted": shape(
        {"reason": one_of("never_filled", "entropy_withheld", "all_timed_out", "by_host", "by_operator")}
    ),
    "game_settled": shape({"outcome": optional(any_object), "seed": HASH, "audit": AUDIT}),
}
NEWER_DATA: dict[str, Test] = DATA | {
    "game_created": shape(
        GAME_CREATED | {"clock": optional(any_of(TURN_CLOCK, TOTAL_CLOCK)), "terms": one_of(2)}, tags=tags
    ),
    "seat_left": shape({"seat": number, "generation": number}),
    "game_adjudicated": shape(
        {
            "outcome": any_object,
            "why": lambda value: text(value) and WHY.fullmatch(value) is not None,
            "facts": FACTS,
            "random": one_of([]),
        }
    ),
    "game_aborted": any_of(
        shape({"reason": one_of("all_timed_out", "by_host", "by_operator", "by_creator")}),
        shape({"reason": one_of(*TIMED_ABORTS), "limit": number}),
    ),
}
SIG = hexadecimal(128)
SIGNED_ACTION = optional(shape({"decision": number, "index": number, "sig": SIG}))
SIGNED_ENTRY = optional(shape({"entry": number, "sig": SIG}))
ORIGIN_WITH_REDEAL = any_of(
    shape({"kind": one_of("fresh", "seeded")}),
    shape({"kind": one_of("position"), "position": any_object, "seeded": flag}),
    shape(
        {
            "kind": one_of("fork"),
            "game": text,
            "version": number,
            "position": any_object,
            "redeal": one_of("none", "piles"),
        }
    ),
)
THIRD_DATA: dict[str, Test] = NEWER_DATA | {
    "game_created": shape(
        GAME_CREATED
        | {
            "clock": optional(any_of(TURN_CLOCK, TOTAL_CLOCK, RESERVE_CLOCK)),
            "origin": ORIGIN_WITH_REDEAL,
            "terms": one_of(3),
            "takebacks": flag,
            "rematch_of": optional(text),
        },
        tags=tags,
    ),
    "seat_taken": shape(SEAT_TAKEN | {"public_key": optional(HASH), "bot_version": optional(number)}),
    "action_taken": shape(ACTION_TAKEN | {"signed": SIGNED_ACTION}),
    "taken_back": shape(
        {"seat": number, "to": number, "signed": SIGNED_ENTRY, "facts": one_of([]), "random": one_of([])}
    ),
    "seat_withdrawn": any_of(
        shape(SEAT_WITHDRAWN | {"cause": one_of("resigned"), "signed": SIGNED_ENTRY}),
        shape(SEAT_WITHDRAWN | {"cause": one_of("timed_out")}),
    ),
    "seat_handed_over": shape(
        {"seat": number, "player": PLAYER, "generation": number, "public_key": optional(HASH)}
    ),
    "time_added": shape(
        {"seat": number, "seconds": lambda value: number(value) and 0 < value <= MAX_ADDED_SECONDS}
    ),
    "pause_agreed": shape({"seat": number}),
    "game_paused": shape({}),
    "game_resumed": shape({}),
}
DATA_BY_TERMS = {1: DATA, 2: NEWER_DATA, 3: THIRD_DATA}

ENVELOPE = shape(
    {
        "actor": ACTOR,
        "at": moment,
        "data": any_object,
        "game": text,
        "hash": HASH,
        "prev": HASH,
        "req": optional(REQUEST),
        "salt": hexadecimal(32),
        "seq": number,
        "state": optional(HASH),
        "type": one_of(*THIRD_DATA),
        "v": one_of(1),
    }
)

HEAD = shape({"seq": number, "hash": HASH, "signature": optional(text), "key_id": optional(text)})
PERSON: dict[str, Test] = {"seat": number, "name": text, "nonce": hexadecimal(32)}
PEOPLE = each(shape(PERSON))
FORMER_PEOPLE = each(shape(PERSON | {"generation": number}))

FOLLOWS = {
    None: {"game_created"},
    "game_created": {"seat_taken", "game_aborted"},
    "seat_taken": {"seat_taken", "entropy_revealed", "game_started", "game_aborted"},
    "entropy_revealed": {"entropy_revealed", "game_started", "game_aborted"},
    "game_started": {"action_taken", "seat_withdrawn", "game_aborted", "game_settled"},
    "action_taken": {"action_taken", "seat_withdrawn", "game_aborted", "game_settled"},
    "seat_withdrawn": {"action_taken", "seat_withdrawn", "game_aborted", "game_settled"},
    "game_aborted": {"game_settled"},
    "game_settled": set(),
}
PLAYED = {"action_taken", "seat_withdrawn", "game_adjudicated", "game_aborted", "game_settled"}
NEWER_FOLLOWS = FOLLOWS | {
    "seat_taken": FOLLOWS["seat_taken"] | {"seat_left"},
    "seat_left": {"seat_taken", "seat_left", "game_aborted"},
    "game_started": PLAYED,
    "action_taken": PLAYED,
    "seat_withdrawn": PLAYED,
    "game_adjudicated": {"game_settled"},
}
AT_THE_TABLE = {
    "taken_back",
    "seat_handed_over",
    "time_added",
    "pause_agreed",
    "game_paused",
    "game_resumed",
}
WHILE_PLAYING = {"game_started", "action_taken", "seat_withdrawn", *AT_THE_TABLE}
THIRD_FOLLOWS = NEWER_FOLLOWS | dict.fromkeys(WHILE_PLAYING, PLAYED | AT_THE_TABLE)
FOLLOWS_BY_TERMS = {1: FOLLOWS, 2: NEWER_FOLLOWS, 3: THIRD_FOLLOWS}
MEMBERS = {"format", "game", "ruleset", "ruleset_version", "entries", "people", "head"}
PERHAPS_MEMBERS = {1: {"proofs"}, 2: {"proofs"}, 3: {"former_people", "proofs"}}
"""Members that a record may have besides, by its terms."""


def check_schema(record: Record) -> None:
    """Every entry well-formed and in its place; every name the one that was hashed."""
    table = Table(record)
    for place, entry in enumerate(record["entries"], 1):
        if not is_well_formed(entry, table.terms):
            raise Fault(place, f"not a well-formed entry of type {entry.get('type')!r}")
        table.follow(place, entry)
    table.close(record)


def is_well_formed(entry: Entry, terms: int) -> bool:
    """Has it the members of an entry, and its data those of its type?"""
    data = DATA_BY_TERMS[terms]
    return ENVELOPE(entry) and entry["type"] in data and data[entry["type"]](entry["data"])


def milliseconds(time: str) -> int:
    """A moment of the log as milliseconds since 1970."""
    return round(datetime.fromisoformat(time).timestamp() * 1000)


class Standing:
    """The entries that lead to the present state, for take-backs: what can be said of them without the rules."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        """Those since the start that were not taken back."""
        self.states: list[Any] = []
        """The state of every entry."""
        self.latest_facts: dict[Any, int] = {}
        """The latest entry with facts of each seat that acted, and of all that was no action (None)."""

    def follow(self, place: int, entry: Entry) -> None:
        """Go on by an entry that has found its place."""
        kind, data = entry["type"], entry["data"]
        self.states.append(entry["state"])
        if kind == "taken_back":
            while self.entries and self.entries[-1]["seq"] > data["to"]:
                self.entries.pop()
        elif "facts" in data:
            self.latest_facts[entry["actor"].get("seat") if kind == "action_taken" else None] = place
        if entry["state"] is not None:
            self.entries.append(entry)

    def against(self, seat: int, to: int) -> str | None:
        """What speaks against a take-back by this seat to this entry."""
        others = [place for actor, place in self.latest_facts.items() if actor != seat]
        if to < max(others, default=0):
            return "it takes back what another did"
        undone: list[Entry] = []
        for entry in reversed(self.entries):
            if entry["seq"] <= to:
                break
            undone.append(entry)
        actions = [entry for entry in undone if entry["type"] == "action_taken"]
        if len(undone) == len(self.entries) or entry["seq"] != to or not actions:
            return "there is nothing to take back to that entry"
        if any(entry["data"]["random"] for entry in actions):
            return "it takes back what chance gave"
        return None


class Table:
    """Who sits where and what may come next, as far as the order of entries goes."""

    def __init__(self, record: Record) -> None:
        self.game = record.get("game")
        self.terms = terms_of(record)
        unknown = (set(record) - PERHAPS_MEMBERS[self.terms]) ^ MEMBERS
        if unknown:
            raise Fault(
                None, f"members of the record that are missing or unknown: {', '.join(sorted(unknown))}"
            )
        self.follows = FOLLOWS_BY_TERMS[self.terms]
        self.place = 0
        self.before: str | None = None
        self.latest: Entry = {"at": "", "state": None, "actor": None, "req": None}
        self.created: dict[str, Any] = {}
        self.created_at = self.seated_at = ""
        self.taken: dict[int, Entry] = {}
        self.closed: set[int] = set()
        self.generations: dict[int, int] = {}
        self.withdrawn: set[int] = set()
        self.keys: dict[int, str] = {}
        self.holders: dict[int, tuple[int, Entry]] = {}
        """The entry by which each seat is held, and the generation with which its holder came."""
        self.former: dict[tuple[int, int], Entry] = {}
        """The same of those who have handed a seat over, by seat and generation."""
        self.standing = Standing()
        self.takebacks: dict[int, int] = {}
        self.handed_over: dict[int, list[int]] = {}
        self.agreed: set[int] = set()
        self.paused: Entry | None = None

    def demand(self, condition: bool, detail: str) -> None:
        if not condition:
            raise Fault(self.place, detail)

    def follow(self, place: int, entry: Entry) -> None:
        self.place = place
        self.demand(entry["game"] == self.game, "it belongs to another game")
        self.demand(entry["at"] >= self.latest["at"], "it is earlier than the one before")
        self.follow_request(entry)
        kind, data = entry["type"], entry["data"]
        if kind == "seat_token_renewed":
            self.demand(self.before not in (None, "game_settled"), "it stands outside the game")
        elif kind not in self.follows[self.before]:
            raise Fault(place, f"it cannot follow {self.before}")
        else:
            self.before = kind
        getattr(self, kind)(entry, data)
        if self.terms == 3:
            self.standing.follow(place, entry)
        if kind == "taken_back":
            restored = self.standing.states[data["to"] - 1]
            self.demand(entry["state"] == restored, "its state is not the one it returns to")
        elif "facts" in data:
            self.demand(entry["state"] is not None, "it has facts and no state")
        else:
            self.demand(entry["state"] == self.latest["state"], "it has no facts and another state")
        self.latest = entry

    def follow_request(self, entry: Entry) -> None:
        """The entries of one append name the same request and between them all its numbers."""
        request, unfinished = entry["req"], self.latest["req"]
        if unfinished and self.place <= unfinished["of"][1]:
            self.demand(request == unfinished, "it came of one append with the entry before")
            self.demand_one_moment(entry)
        elif request:
            fits = len(request["of"]) == 2 and request["of"][0] == self.place <= request["of"][1]
            self.demand(fits, "its request does not begin here")

    def demand_one_moment(self, entry: Entry) -> None:
        """What is appended together has one time (by the second terms)."""
        one_moment = self.terms == 1 or entry["at"] == self.latest["at"]
        self.demand(one_moment, "another time than the rest of its append")

    def game_created(self, entry: Entry, data: dict[str, Any]) -> None:
        self.created, self.created_at = data, entry["at"]
        self.demand(0 < data["seats"] <= MAX_SEATS, f"a game has 1 to {MAX_SEATS} seats")
        self.demand("seat" not in entry["actor"], "no seat creates a game")
        self.demand(entry["actor"].get("host") == data["host"], "its host is not who created it")

    def seat_taken(self, entry: Entry, data: dict[str, Any]) -> None:
        seat, by, player = data["seat"], entry["actor"].get("seat"), data["player"]
        self.demand(seat < self.created["seats"], "there is no such seat")
        self.demand(seat not in self.taken, "that seat is taken already")
        if data["bot"] is None:
            self.demand(player["name_hash"] is not None, "a player has a name")
            self.demand(by in (None, seat), "by another seat")
        else:
            self.demand_bot(entry, player)
            self.demand(by in (None, seat, *self.taken), "by a seat that nobody had taken")
        if self.terms == 3:
            self.demand_key(data)
        brought = [data[kind] for kind in ("entropy", "entropy_commitment") if data[kind]]
        self.demand(len(brought) <= 1, "entropy both open and sealed")
        self.demand(not (brought and is_seeded(self.created)), "entropy in a seeded game")
        if data["entropy_commitment"]:
            self.closed.add(seat)
        self.taken[seat] = entry
        self.holders[seat] = (self.generations.get(seat, 0), entry)
        self.seated_at = entry["at"]

    def demand_key(self, data: dict[str, Any]) -> None:
        """A person may have a key, a bot has a version."""
        is_bot = data["bot"] is not None
        self.demand((data["bot_version"] is not None) == is_bot, "a bot has a version, and nobody else")
        self.demand(not (is_bot and data["public_key"]), "a bot has no key")
        if data["public_key"]:
            self.keys[data["seat"]] = data["public_key"]

    def demand_signer(self, seat: int, data: dict[str, Any]) -> None:
        """Nobody signs who has no key; whether the signatures are right is another check."""
        if data.get("signed") is not None:
            self.demand(seat in self.keys, "signed by a seat that has no key")

    def demand_bot(self, entry: Entry, player: dict[str, Any]) -> None:
        """A bot has no name by the first terms; by the second it may, and a `ref` from a host or an operator."""
        if self.terms == 1:
            self.demand(player == {"name_hash": None, "ref": None}, "a bot has no name")
        elif player["ref"] is not None:
            self.demand(bool(entry["actor"].keys() & {"host", "operator"}), "a bot's ref by another actor")

    def seat_left(self, entry: Entry, data: dict[str, Any]) -> None:
        seat = data["seat"]
        self.demand(seat in self.taken, "nobody sits there")
        self.demand(not self.is_full(), "the game is not open any more")
        self.demand(data["generation"] == self.generations.get(seat, 0) + 1, "not the next generation")
        by_itself = self.is_player(seat) and entry["actor"] == {"seat": seat}
        self.demand(by_itself or self.governs(entry["actor"]), "by another actor")
        self.generations[seat] = data["generation"]
        self.closed.discard(seat)
        self.keys.pop(seat, None)
        del self.taken[seat], self.holders[seat]

    def entropy_revealed(self, entry: Entry, data: dict[str, Any]) -> None:
        self.demand(self.is_full(), "a seal opened before every seat was taken")
        self.demand(data["seat"] in self.closed, "that seat has no closed seal")
        self.demand(entry["actor"] == {"seat": data["seat"]}, "a seal is opened by its seat")
        self.closed.discard(data["seat"])

    def seat_token_renewed(self, entry: Entry, data: dict[str, Any]) -> None:
        seat = data["seat"]
        self.demand(self.is_player(seat), "no player sits there")
        self.demand(data["generation"] == self.generations.get(seat, 0) + 1, "not the next generation")
        self.demand(self.governs(entry["actor"]), "by another actor")
        self.generations[seat] = data["generation"]

    def game_started(self, entry: Entry, data: dict[str, Any]) -> None:
        self.demand(self.is_full() and not self.closed, "a seat is free or a seal closed")
        last = self.latest["type"] in ("seat_taken", "entropy_revealed")
        self.demand(last, "it does not follow the last seat or seal")
        for member in ("actor", "req"):
            self.demand(entry[member] == self.latest[member], f"another {member} than the entry before")
        self.demand_one_moment(entry)

    def action_taken(self, entry: Entry, data: dict[str, Any]) -> None:
        seat = entry["actor"].get("seat")
        self.demand(seat in self.taken, "only a seat acts")
        self.demand(self.paused is None, "the game is paused")
        self.demand_signer(seat, data)
        self.agreed.clear()

    def taken_back(self, entry: Entry, data: dict[str, Any]) -> None:
        seat, to = data["seat"], data["to"]
        self.demand(self.created["takebacks"], "nothing is taken back in this game")
        self.demand_person(entry, seat)
        self.demand(self.paused is None, "the game is paused")
        handed_over = self.handed_over.get(seat, [0])[-1]
        self.demand(to >= handed_over, "it takes back what another did")
        wrong = self.standing.against(seat, to)
        self.demand(wrong is None, wrong or "")
        self.takebacks[seat] = self.takebacks.get(seat, 0) + 1
        self.demand(self.takebacks[seat] <= MAX_TAKEBACKS, "more often than a seat may")
        self.demand_signer(seat, data)

    def demand_person(self, entry: Entry, seat: int) -> None:
        """A person who has not withdrawn does it, for its own seat."""
        self.demand(self.is_player(seat) and seat not in self.withdrawn, "no player sits there")
        self.demand(entry["actor"] == {"seat": seat}, "by another actor")

    def seat_handed_over(self, entry: Entry, data: dict[str, Any]) -> None:
        seat, player = data["seat"], data["player"]
        self.demand(self.is_player(seat) and seat not in self.withdrawn, "no player sits there")
        by_itself = entry["actor"] == {"seat": seat}
        self.demand(by_itself or self.governs(entry["actor"]), "by another actor")
        self.demand(player["name_hash"] is not None, "a player has a name")
        self.demand(not (by_itself and player["ref"]), "a ref by another actor")
        self.demand(data["generation"] == self.generations.get(seat, 0) + 1, "not the next generation")
        self.generations[seat] = data["generation"]
        earlier, holder = self.holders[seat]
        self.former[seat, earlier] = holder
        self.holders[seat] = (data["generation"], entry)
        self.keys.pop(seat, None)
        if data["public_key"]:
            self.keys[seat] = data["public_key"]
        self.handed_over.setdefault(seat, []).append(self.place)
        self.demand(len(self.handed_over[seat]) <= MAX_HANDOVERS, "more often than a seat may")

    def time_added(self, entry: Entry, data: dict[str, Any]) -> None:
        self.demand(self.created["clock"] is not None, "there is no clock")
        self.demand(self.governs(entry["actor"]), "by another actor")
        self.demand(self.is_player(data["seat"]), "no player sits there")
        self.demand(data["seat"] not in self.withdrawn, "that seat has withdrawn")

    def pause_agreed(self, entry: Entry, data: dict[str, Any]) -> None:
        self.demand(self.created["clock"] is not None, "there is no clock")
        self.demand(self.paused is None, "the game is paused")
        self.demand_person(entry, data["seat"])
        self.demand(data["seat"] not in self.agreed, "that seat has agreed already")
        self.agreed.add(data["seat"])

    def game_paused(self, entry: Entry, data: dict[str, Any]) -> None:
        self.demand(self.created["clock"] is not None, "there is no clock")
        self.demand(self.paused is None, "the game is paused already")
        if not self.governs(entry["actor"]):
            last = self.latest
            agreed = last["type"] == "pause_agreed" and last["actor"] == entry["actor"]
            self.demand(agreed and last["req"] == entry["req"], "by another actor")
            self.demand_one_moment(entry)
            people = {seat for seat in self.taken if self.is_player(seat)} - self.withdrawn
            self.demand(people <= self.agreed, "not everyone has agreed")
        self.paused = entry
        self.agreed.clear()

    def game_resumed(self, entry: Entry, data: dict[str, Any]) -> None:
        self.demand(self.paused is not None, "the game is not paused")
        assert self.paused is not None
        if self.governs(self.paused["actor"]):
            self.demand(self.governs(entry["actor"]), "by another actor")
        else:
            self.demand_person(entry, entry["actor"].get("seat", -1))
        self.paused = None

    def seat_withdrawn(self, entry: Entry, data: dict[str, Any]) -> None:
        seat = data["seat"]
        by = {"seat": seat} if data["cause"] == "resigned" else {"system": "clock"}
        self.demand(self.is_player(seat), "no player sits there")
        self.demand(seat not in self.withdrawn, "that seat has withdrawn already")
        self.demand(entry["actor"] == by, "by another actor")
        self.demand_signer(seat, data)
        self.keys.pop(seat, None)
        self.withdrawn.add(seat)

    def game_adjudicated(self, entry: Entry, data: dict[str, Any]) -> None:
        self.demand(self.governs(entry["actor"]), "by another actor")

    def game_aborted(self, entry: Entry, data: dict[str, Any]) -> None:
        reason = data["reason"]
        self.demand(self.may_abort(entry["actor"], reason), "by another actor")
        started = self.latest["state"] is not None
        possible = {
            "never_filled": not self.is_full(),
            "entropy_withheld": self.is_full() and bool(self.closed),
            "all_timed_out": started,
            "abandoned": started,
            "by_creator": not started,
        }
        self.demand(possible.get(reason, True), "its reason cannot be the case")
        if "limit" in data:
            since: dict[str, str] = {"never_filled": self.created_at, "entropy_withheld": self.seated_at}
            if reason == "abandoned" and self.paused:
                since["abandoned"] = self.paused["at"]
            began = since.get(reason) or self.latest["at"]
            waited = milliseconds(entry["at"]) - milliseconds(began)
            enough = self.place > data["limit"] if reason == "too_long" else waited >= data["limit"] * 1000
            self.demand(enough, "its limit is not reached")

    def may_abort(self, actor: dict[str, Any], reason: str) -> bool:
        """Is this who calls a game off for this reason?"""
        if self.terms > 1 and reason in TIMED_ABORTS:
            return actor == {"system": "clock"}
        match reason:
            case "by_host":
                return actor == {"host": self.created["host"]}
            case "by_operator":
                return actor == {"operator": True}
            case "by_creator":
                seat: Any = actor.get("seat")
                return self.is_player(seat) and self.taken[seat]["actor"] == {"anonymous": True}
        return "system" in actor

    def game_settled(self, entry: Entry, data: dict[str, Any]) -> None:
        self.demand(entry["actor"] == {"system": "worker"}, "by another actor")
        audited = {"seq": self.place - 1, "hash": entry["prev"]}
        self.demand(data["audit"]["head"] == audited, "it audited another log")

    def is_full(self) -> bool:
        return all(seat in self.taken for seat in range(self.created["seats"]))

    def is_player(self, seat: Any) -> bool:
        return seat in self.taken and self.taken[seat]["data"]["bot"] is None

    def governs(self, actor: dict[str, Any]) -> bool:
        """Is it the host of the game, or an operator?"""
        by_host = self.created["host"] is not None and actor == {"host": self.created["host"]}
        return by_host or actor == {"operator": True}

    def close(self, record: Record) -> None:
        """What must hold of the whole record."""
        for member in ("ruleset", "ruleset_version"):
            if canonical(record[member]) != canonical(self.created[member]):
                raise Fault(1, f"the record names another {member}")
        unfinished = self.latest["req"]
        self.demand(not unfinished or unfinished["of"][1] == self.place, "the rest of its append is missing")
        if not HEAD(record["head"]):
            raise Fault(None, "`head` is a number, a hash, a signature and a key's id")
        self.close_people(record["people"])
        self.close_former(record.get("former_people", []))

    def close_people(self, people: Any) -> None:
        """Names that are given are the ones hashed; those not given may have been forgotten."""
        if not PEOPLE(people):
            raise Fault(None, "`people` is a list of seat, name and nonce")
        for person in people:
            if person["seat"] not in self.taken:
                raise Fault(None, f"a name is given for seat {person['seat']}, which nobody took")
            self.close_person(person, self.holders[person["seat"]][1])
        if len({person["seat"] for person in people}) != len(people):
            raise Fault(None, "a seat is named twice")

    def close_former(self, people: Any) -> None:
        """The same of those who have handed their seats over."""
        if not FORMER_PEOPLE(people):
            raise Fault(None, "`former_people` is a list of seat, generation, name and nonce")
        for person in people:
            holder = self.former.get((person["seat"], person["generation"]))
            if holder is None:
                raise Fault(None, f"a name is given for seat {person['seat']}, which nobody handed over")
            self.close_person(person, holder)
        if len({(person["seat"], person["generation"]) for person in people}) != len(people):
            raise Fault(None, "a seat is named twice")

    def close_person(self, person: dict[str, Any], entry: Entry) -> None:
        """A name is one that people can read (by the third terms), and the one that this entry has the hash of."""
        seat, nonce, name = person["seat"], bytes.fromhex(person["nonce"]), person["name"]
        if self.terms == 3 and not WHY.fullmatch(name):
            raise Fault(None, f"the name given for seat {seat} is none that people can read")
        if entry["data"]["player"]["name_hash"] != sha256(nonce + name.encode()):
            raise Fault(entry["seq"], f"the name given for seat {seat} is not the one hashed")


# -- 3. commitment --------------------------------------------------------------------------------------------------


def opened_seed(record: Record) -> bytes | None:
    """The server's seed, once the game is settled."""
    settled = record["entries"][-1]
    if settled.get("type") != "game_settled" or not is_well_formed(settled, terms_of(record)):
        return None
    return bytes.fromhex(settled["data"]["seed"])


def demand_seed(seed: bytes | None) -> bytes:
    if seed is None:
        raise NotChecked("the game is not settled: its seed is not open")
    return seed


def check_commitment(record: Record, server_seed: bytes | None) -> None:
    """The opened seals and seed are what was committed to."""
    entries = record["entries"]
    seals = {e["data"]["seat"]: e["data"]["entropy_commitment"] for e in entries if e["type"] == "seat_taken"}
    for entry in entries:
        if entry["type"] == "entropy_revealed":
            opened = bytes.fromhex(entry["data"]["entropy"])
            if sha256(b"stele-seal-1" + opened) != seals.get(entry["data"]["seat"]):
                raise Fault(entry["seq"], "the opened seal is not the one committed to")
    if sha256(demand_seed(server_seed)) != entries[0]["data"]["seed_commitment"]:
        raise Fault(len(entries), "the opened seed is not the one committed to")


# -- 4. random ------------------------------------------------------------------------------------------------------


def is_seeded(created: dict[str, Any]) -> bool:
    """Did the creator choose the seed?"""
    return created["origin"]["kind"] == "seeded" or bool(created["origin"].get("seeded"))


def game_seed(record: Record, server_seed: bytes) -> bytes:
    """The seed of every shuffle: the server's, mixed with what the seats brought."""
    created = record["entries"][0]["data"]
    if is_seeded(created):
        return server_seed
    brought = [b""] * created["seats"]
    for entry in record["entries"]:
        data = entry["data"]
        if entry["type"] == "seat_taken":
            brought[data["seat"]] = (data["entropy"] or "").encode()
        elif entry["type"] == "entropy_revealed":
            brought[data["seat"]] = bytes.fromhex(data["entropy"])
    message = b"stele-game-1\0" + record["game"].encode() + b"\0"
    message += b"".join(hashlib.sha256(entropy).digest() for entropy in brought)
    return hmac.digest(server_seed, message, "sha256")


def words(seed: bytes, label: str) -> Iterator[int]:
    """The random 64-bit words of one label."""
    name = label.encode()
    block = 0
    while True:
        message = b"stele-rng-1" + bytes([len(name)]) + name + block.to_bytes(8, "big")
        digest = hmac.digest(seed, message, "sha256")
        yield from (int.from_bytes(digest[i : i + 8], "big") for i in range(0, 32, 8))
        block += 1


def shuffle(items: list[Any], seed: bytes, label: str) -> list[Any]:
    """The order that this label gives these items, whatever order they come in."""
    deck = sorted(items, key=canonical)
    stream = words(seed, label)
    for i in range(len(deck) - 1, 0, -1):
        limit = 2**64 // (i + 1) * (i + 1)
        word = next(word for word in stream if word < limit)
        j = word % (i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


def check_random(record: Record, server_seed: bytes | None) -> None:
    """Every recorded chance is what its label gives, and no label is used twice."""
    seed = game_seed(record, demand_seed(server_seed))
    used: set[str] = set()
    for entry in record["entries"]:
        draws = entry["data"].get("random", [])
        labels = [draw["label"] for draw in draws]
        if labels != sorted(labels):
            raise Fault(entry["seq"], "its chances are not sorted by label")
        for draw in draws:
            label = draw["label"]
            if label in used or not 0 < len(label.encode()) < 256:
                raise Fault(entry["seq"], f"the label {label!r} is used twice or is none")
            used.add(label)
            if canonical(shuffle(draw["result"], seed, label)) != canonical(draw["result"]):
                raise Fault(entry["seq"], f"{label!r} does not give this order")


# -- 11. clocks -----------------------------------------------------------------------------------------------------


def check_clocks(record: Record) -> None:
    """Nobody was out of time who cannot have been, whatever the rules say; what depends on them is left open."""
    watch = Watch(record["entries"][0]["data"])
    for entry in record["entries"]:
        watch.follow(entry)
    if watch.unsure:
        raise NotChecked(NEEDS_RULES)


class Watch:
    """Who could be on the clock, and when its first time could run out."""

    def __init__(self, created: dict[str, Any]) -> None:
        self.clock = created["clock"]
        self.bots: dict[int, bool] = {}
        self.withdrawn: set[int] = set()
        self.started = 0
        self.paused: int | None = None
        self.pauses = 0
        self.added: dict[int, int] = {}
        self.unsure = False

    def follow(self, entry: Entry) -> None:
        kind, data = entry["type"], entry["data"]
        match kind:
            case "seat_taken":
                self.bots[data["seat"]] = data["bot"] is not None
            case "seat_left":
                del self.bots[data["seat"]]
            case "game_started":
                self.started = milliseconds(entry["at"])
            case "action_taken":
                self.unsure |= self.is_bound(entry["actor"]["seat"])
            case "seat_withdrawn":
                if data["cause"] == "timed_out":
                    self.judge(entry, [data["seat"]])
                self.withdrawn.add(data["seat"])
            case "game_aborted" if data["reason"] == "all_timed_out":
                self.judge(entry, [seat for seat in self.bots if seat not in self.withdrawn])
            case "game_aborted" if data["reason"] == "abandoned":
                self.unsure |= any(map(self.is_bound, self.bots)) and self.paused is None
            case "time_added":
                self.added[data["seat"]] = self.added.get(data["seat"], 0) + data["seconds"]
            case "game_paused":
                self.paused = milliseconds(entry["at"])
            case "game_resumed":
                assert self.paused is not None
                self.pauses += milliseconds(entry["at"]) - self.paused
                self.paused = None

    def is_bound(self, seat: int) -> bool:
        """Has this seat a deadline whenever it is to act?"""
        return self.clock is not None and not self.bots[seat] and seat not in self.withdrawn

    def judge(self, entry: Entry, late: list[int]) -> None:
        """Can all these seats have run out of time?"""
        self.unsure = True
        if self.clock is None:
            raise Fault(entry["seq"], "there is no clock to run out")
        if not all(map(self.is_bound, late)):
            raise Fault(entry["seq"], "a seat is out of time that no clock binds")
        if self.paused is not None:
            raise Fault(entry["seq"], "the game was paused")
        ran = milliseconds(entry["at"]) - self.started - self.pauses
        if any(ran < self.shortest(seat) * 1000 for seat in late):
            raise Fault(entry["seq"], "no clock of this game can have run out by then")

    def shortest(self, seat: int) -> int:
        """The seconds that must have passed for a seat to run out of time, however it was played."""
        turn, added = self.clock.get("turn_seconds", 0), self.added.get(seat, 0)
        if "reserve_seconds" in self.clock:
            return int(turn + self.clock["reserve_seconds"] + added)
        return int(self.clock["total_seconds"] + added if "total_seconds" in self.clock else turn)


# -- 12. settlement -------------------------------------------------------------------------------------------------


def fairness(record: Record) -> str | None:
    """What the chances of a game (since the second terms) are worth: who could have chosen the deal."""
    created = record["entries"][0]["data"]
    if created["origin"]["kind"] in ("position", "fork"):
        return None
    if is_seeded(created):
        return "seeded"
    brought: dict[int, dict[str, Any]] = {}
    for entry in record["entries"]:
        data = entry["data"]
        if entry["type"] == "seat_left":
            brought.pop(data["seat"], None)
        elif (
            entry["type"] == "seat_taken" and data["bot"] is None and entry["actor"] == {"seat": data["seat"]}
        ):
            brought[data["seat"]] = data
    if any(data["entropy_commitment"] for data in brought.values()):
        return "sealed"
    return "open" if any(data["entropy"] for data in brought.values()) else "server_only"


def before_settlement(record: Record) -> Record:
    """A settled record as it was audited before it was settled."""
    entries = record["entries"][:-1]
    head = {"seq": len(entries), "hash": entries[-1].get("hash"), "signature": None, "key_id": None}
    members = {name: value for name, value in record.items() if name in MEMBERS}
    return members | {"entries": entries, "people": [], "head": head}


def has_settlement(record: Record) -> bool:
    """Is there a settlement that a check can be asked of?"""
    return terms_of(record) > 1 and record["entries"][-1].get("type") == "game_settled"


def check_settlement(record: Record, checks: list[Check], worth: str | None) -> None:
    """The settlement tells of the entries before it what these checks of them, and their fairness, are."""
    settled = record["entries"][-1]
    place, claims = len(record["entries"]), settled["data"]["audit"]
    if tuple(check["check"] for check in claims["checks"]) != SETTLED_CHECKS:
        raise Fault(place, f"a settlement tells of {', '.join(SETTLED_CHECKS)}")
    for made, claimed in zip(checks, claims["checks"], strict=True):
        wanted = {"verdict": made.verdict} | ({} if made.check == "commitment" else {"entry": made.entry})
        if made.verdict != "not_checked" and any(claimed[name] != wanted[name] for name in wanted):
            raise Fault(place, f"it tells of {made.check} what is not the case")
    if claims["verdict"] != verdict([Check(**check) for check in claims["checks"]]):
        raise Fault(place, "its verdict does not follow from its checks")
    if claims["fairness"] != worth:
        raise Fault(place, "its fairness is not what the log gives")


def check_settlement_without_rules(record: Record) -> None:
    """12, as far as it goes without the rules."""
    if not is_well_formed(record["entries"][-1], terms_of(record)):
        raise NotChecked(BROKEN)
    before = before_settlement(record)
    checks = verify_entries(before, opened_seed(record))
    made = {check.check: check for check in checks}
    nine = [made.get(name, Check(name, "not_checked", None, NEEDS_RULES)) for name in SETTLED_CHECKS]
    check_settlement(record, nine, fairness(before) if made["schema"].verdict == "pass" else None)


# -- 9. signature ---------------------------------------------------------------------------------------------------

Keys = dict[str, bytes]
"""Public keys of Ed25519 by their ids."""


def key_id(public: bytes) -> str:
    """What a key is called: the beginning of its hash."""
    return sha256(public)[:16]


def read_keys(source: bytes) -> Keys:
    """The keys that a server lists, or the one key of a file with 64 hex digits."""
    try:
        text = source.decode().strip()
        listed = [text] if HASH(text) else [key["public_key"] for key in json.loads(text)["keys"]]
        if not all(map(HASH, listed)):
            raise ValueError("a public key has 64 hex digits")
    except (ValueError, TypeError, KeyError, RecursionError):
        raise Fault(None, "neither a list of keys (stele-keys.json) nor a public key in hex") from None
    publics = map(bytes.fromhex, listed)
    return {key_id(public): public for public in publics}


def head_message(game: str, seq: int, digest: str) -> bytes:
    """What is signed of a log: where it ends."""
    return f"stele-head-1\n{game}\n{seq}\n{digest}\n".encode()


def is_genuine(signature: str, public: bytes, message: bytes) -> bool:
    """Did the holder of this key sign this message?"""
    try:
        ed25519 = importlib.import_module("cryptography.hazmat.primitives.asymmetric.ed25519")
        invalid = importlib.import_module("cryptography.exceptions").InvalidSignature
    except ImportError:
        raise NotChecked("this Python has no Ed25519 (the package `cryptography`)") from None
    if not hexadecimal(128)(signature):
        return False
    try:
        ed25519.Ed25519PublicKey.from_public_bytes(public).verify(bytes.fromhex(signature), message)
    except (invalid, ValueError):
        return False
    return True


def check_signature(record: Record, keys: Keys) -> None:
    """The head is signed, by one of these keys."""
    head = record["head"]
    if head["signature"] is None:
        raise NotChecked("the head is not signed")
    if not keys:
        raise NotChecked("no key was given to check it with")
    if head["key_id"] not in keys:
        raise Fault(head["seq"], "the head is signed with another key")
    message = head_message(record["game"], head["seq"], head["hash"])
    if not is_genuine(head["signature"], keys[head["key_id"]], message):
        raise Fault(head["seq"], "the signature is not that of this head by this key")


# -- 13. signatures of seats ----------------------------------------------------------------------------------------


def has_keys(record: Record) -> bool:
    """Has any seat a key to sign with?"""
    return any(entry["data"].get("public_key") for entry in record["entries"])


def check_signatures(record: Record) -> str:
    """Every action, take-back and resignation of a seat with a key is signed by it, over an entry before. What that proves."""
    keys: dict[int, str] = {}
    for entry in record["entries"]:
        kind, data = entry["type"], entry["data"]
        if kind in ("action_taken", "taken_back") or (kind == "seat_withdrawn" and "signed" in data):
            check_signed_entry(record, entry, keys)
        if kind in ("seat_taken", "seat_handed_over", "seat_left", "seat_withdrawn"):
            keys[data["seat"]] = data.get("public_key") or ""
    return worth_of_keys(record)


def check_signed_entry(record: Record, entry: Entry, keys: dict[int, str]) -> None:
    """The signature of one entry is that of its seat's key."""
    seat, signed = entry["actor"]["seat"], entry["data"]["signed"]
    if not keys.get(seat):
        return
    if signed is None:
        raise Fault(entry["seq"], f"seat {seat} has a key and has not signed it")
    over = signed["decision"] if "decision" in signed else signed["entry"]
    if not 0 < over < entry["seq"]:
        raise Fault(entry["seq"], "what is signed is no entry before it")
    if signed.get("index"):
        check_in_list(record["entries"][entry["seq"] - 2], entry)
    message = signed_message(record["game"], entry, record["entries"][over - 1]["hash"])
    if not is_genuine(signed["sig"], bytes.fromhex(keys[seat]), message):
        raise Fault(entry["seq"], f"its signature is not that of seat {seat} over this decision")


def check_in_list(before: Entry, entry: Entry) -> None:
    """An action further on in a list follows the one before it in that list."""
    signed, one_before = entry["data"]["signed"], before["data"].get("signed")
    wanted = {"decision": signed["decision"], "index": signed["index"] - 1}
    same = before["type"] == "action_taken" and before["actor"] == entry["actor"]
    if not (same and one_before and all(one_before[name] == value for name, value in wanted.items())):
        raise Fault(entry["seq"], "it is signed as part of a list that is not there")


def signed_message(game: str, entry: Entry, digest: str) -> bytes:
    """What a seat signs of an action, a take-back or a resignation, over the entry with this hash."""
    data, of = entry["data"], f"{game}\n{entry['actor']['seat']}\n{digest}\n"
    if entry["type"] == "action_taken":
        of += f"{data['signed']['index']}\n{sha256(canonical(data['action']))}\n"
        return f"stele-act-1\n{of}".encode()
    if entry["type"] == "taken_back":
        return f"stele-takeback-1\n{of}{data['to']}\n".encode()
    return f"stele-resign-1\n{of}".encode()


def worth_of_keys(record: Record) -> str:
    """What signatures prove, and for whom."""
    told = ["nobody but the holder of its key acted for a seat, having seen exactly this history"]
    for entry in record["entries"]:
        kind, data = entry["type"], entry["data"]
        if kind not in ("seat_taken", "seat_handed_over"):
            continue
        seat, by = data["seat"], caller_name(entry["actor"])
        if kind == "seat_handed_over" and "seat" not in entry["actor"]:
            told.append(f"from entry {entry['seq']} on seat {seat} is held by someone whom {by} named")
        if data["public_key"] and "seat" not in entry["actor"]:
            told.append(f"the key of seat {seat} (entry {entry['seq']}) is worth the word of {by}")
    return "; ".join(told)


def caller_name(actor: dict[str, Any]) -> str:
    """Who did something, as people say it."""
    return "the host" if "host" in actor else "an operator" if "operator" in actor else "who created the game"


# -- 14. logged -----------------------------------------------------------------------------------------------------

TILE_WIDTH = 256
"""Hashes in a full tile: eight levels of the tree."""
LEAF_KINDS = ("created", "settled")
NOTE_KEY, COSIGNATURE_KEY = 1, 4
"""The types of Ed25519 keys in signed notes: of those who sign a note, and of witnesses."""
HASH_BYTES = 32

Tiles = Callable[[int, int, int], bytes]
"""Gives tile number `n` of a level, of which at least the first `width` hashes are there."""
LogKeys = dict[str, bytes]
"""Public keys of logs by origin; under "" one that was given without a name."""


def leaf_hash(leaf: bytes) -> bytes:
    """The hash of a leaf (RFC 6962)."""
    return hashlib.sha256(b"\0" + leaf).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of a node above two others (RFC 6962)."""
    return hashlib.sha256(b"\1" + left + right).digest()


def game_leaf(game: str, kind: str, seq: int, digest: str) -> bytes:
    """What the transparency log holds of one entry of a game."""
    return canonical({"game": sha256(game.encode()), "hash": digest, "kind": kind, "seq": seq, "v": 1})


def root_by_inclusion(leaf: bytes, index: int, size: int, proof: list[bytes]) -> bytes | None:
    """The root of the tree in which this proof leads up from this leaf's hash; None if it leads nowhere."""
    if not 0 <= index < size:
        return None
    at, last = index, size - 1
    for other in proof:
        if last == 0:
            return None
        if at & 1 or at == last:
            leaf = node_hash(other, leaf)
            while at and not at & 1:
                at, last = at >> 1, last >> 1
        else:
            leaf = node_hash(leaf, other)
        at, last = at >> 1, last >> 1
    return leaf if last == 0 else None


def is_consistent(size: int, root: bytes, later: int, later_root: bytes, proof: list[bytes]) -> bool:
    """Does this proof show that the tree of the later root begins with all leaves of the earlier one?"""
    if size == later:
        return not proof and root == later_root
    if size == 0 or size > later:
        return size == 0 and not proof
    path = [root, *proof] if size & (size - 1) == 0 else proof
    if not path:
        return False
    at, last = size - 1, later - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    one = other = path[0]
    for step in path[1:]:
        if last == 0:
            return False
        if at & 1 or at == last:
            one, other = node_hash(step, one), node_hash(step, other)
            while at and not at & 1:
                at, last = at >> 1, last >> 1
        else:
            other = node_hash(other, step)
        at, last = at >> 1, last >> 1
    return last == 0 and one == root and other == later_root


@lru_cache(64)
def tile_nodes(tile: bytes) -> list[list[bytes]]:
    """The hashes of a tile, and those of all complete nodes above them that lie inside it."""
    rows = [[tile[at : at + HASH_BYTES] for at in range(0, len(tile), HASH_BYTES)]]
    while len(rows[-1]) > 1:
        below = rows[-1]
        rows.append([node_hash(below[at], below[at + 1]) for at in range(0, len(below) - 1, 2)])
    return rows


class Tree:
    """The tree of the first `size` leaves of a log, read from its tiles: its root, and proofs (RFC 6962)."""

    def __init__(self, size: int, tiles: Tiles) -> None:
        self.size = size
        self.tiles = tiles

    def root(self) -> bytes:
        return self.over(0, self.size) if self.size else hashlib.sha256().digest()

    def inclusion(self, index: int) -> list[bytes]:
        """The proof that the leaf of this index is in the tree."""
        proof: list[bytes] = []
        first, end = 0, self.size
        while end - first > 1:
            middle = first + largest_power_below(end - first)
            if index < middle:
                proof.append(self.over(middle, end))
                end = middle
            else:
                proof.append(self.over(first, middle))
                first = middle
        return proof[::-1]

    def consistency(self, size: int) -> list[bytes]:
        """The proof that the tree begins with the leaves of an earlier one of this size."""
        if not 0 < size < self.size:
            return []
        proof: list[bytes] = []
        first, end, is_whole = 0, self.size, True
        while size != end:
            middle = first + largest_power_below(end - first)
            if size <= middle:
                proof.append(self.over(middle, end))
                end = middle
            else:
                proof.append(self.over(first, middle))
                first, is_whole = middle, False
        if not is_whole:
            proof.append(self.over(first, end))
        return proof[::-1]

    def over(self, first: int, end: int) -> bytes:
        """The hash over some leaves, as the tree has it."""
        count = end - first
        if count & (count - 1) == 0:
            return self._node(count.bit_length() - 1, first // count)
        middle = first + largest_power_below(count)
        return node_hash(self.over(first, middle), self.over(middle, end))

    def _node(self, height: int, index: int) -> bytes:
        """The hash of a complete node: inside a tile of its level."""
        level, above = divmod(height, 8)
        tile, offset = divmod(index << above, TILE_WIDTH)
        width = min(TILE_WIDTH, (self.size >> 8 * level) - tile * TILE_WIDTH)
        hashes = self.tiles(level, tile, width)[: width * HASH_BYTES]
        if len(hashes) < width * HASH_BYTES:
            raise NotChecked(f"the tile {tile_path(level, tile, width)} is cut off")
        return tile_nodes(hashes)[above][offset >> above]


def largest_power_below(number: int) -> int:
    """The largest power of two that is smaller than this."""
    return 1 << (number - 1).bit_length() - 1


def tile_path(level: int | str, tile: int, width: int = TILE_WIDTH) -> str:
    """Where a tile is found below the log's address; level `entries` has the leaves themselves."""
    digits = f"{tile:03d}"
    digits = digits.zfill(-(-len(digits) // 3) * 3)
    parts = [digits[at : at + 3] for at in range(0, len(digits), 3)]
    name = "/".join([*(f"x{part}" for part in parts[:-1]), parts[-1]])
    return f"tile/{level}/{name}" + (f".p/{width}" if width < TILE_WIDTH else "")


class PublishedTiles:
    """The tiles of a log that is published at an address (http…), or that lies in a directory."""

    def __init__(self, place: str) -> None:
        self.place = place

    def __call__(self, level: int, tile: int, width: int) -> bytes:
        paths = [tile_path(level, tile, width), tile_path(level, tile)]  # a partial tile may be full by now
        for path in paths:
            try:
                return self._read(path)
            except OSError:
                continue
        raise NotChecked(f"there is no {paths[0]} at {self.place}")

    def _read(self, path: str) -> bytes:
        if not self.place.startswith(("http://", "https://")):
            return (Path(self.place) / path).read_bytes()
        from urllib.request import urlopen  # noqa: PLC0415 - few need it, and it takes long to load

        with urlopen(f"{self.place.rstrip('/')}/{path}", timeout=10) as answer:  # noqa: S310 - as asked for
            return bytes(answer.read(TILE_WIDTH * HASH_BYTES))


class Checkpoint(NamedTuple):
    """What a log says of itself in a signed note: so many leaves, with this root."""

    origin: str
    size: int
    root: bytes
    body: bytes
    """What is signed."""
    signatures: list[tuple[str, bytes]]
    """The name of each signer, and the key's id with the signature."""


def read_checkpoint(note: str) -> Checkpoint:
    """A checkpoint (C2SP tlog-checkpoint) from the text of its signed note."""
    try:
        body, separator, signed = note.rpartition("\n\n")
        origin, size, root, *more = body.split("\n")
        lines = signed.split("\n")
        if not separator or lines.pop() or not lines or not origin or not all(more):
            raise ValueError
        if not DECIMAL.fullmatch(size) or len(decode64(root)) != HASH_BYTES:
            raise ValueError
        return Checkpoint(
            origin, int(size), decode64(root), f"{body}\n".encode(), list(map(signature_of, lines))
        )
    except ValueError:
        raise Fault(None, "not a checkpoint of a transparency log") from None


def read_kept_checkpoint(source: bytes) -> Checkpoint:
    """A checkpoint from a file."""
    return read_checkpoint(source.decode(errors="replace"))


DECIMAL = re.compile("0|[1-9][0-9]{0,18}", re.ASCII)


def decode64(text: str) -> bytes:
    return base64.b64decode(text, validate=True)


def signature_of(line: str) -> tuple[str, bytes]:
    """A signature line of a note: who signed, and the key's id with the signature."""
    dash, name, signature = line.split(" ")
    if dash != "\u2014" or not name or "+" in name:
        raise ValueError
    return name, decode64(signature)


def note_key_id(name: str, kind: int, public: bytes) -> bytes:
    """What a key of signed notes is known by, with its name."""
    return hashlib.sha256(name.encode() + b"\n" + bytes([kind]) + public).digest()[:4]


def is_signed_by(checkpoint: Checkpoint, public: bytes) -> bool:
    """Is it signed by the log itself, with this key? A wrong signature by that key is a fault."""
    name = checkpoint.origin
    wanted = note_key_id(name, NOTE_KEY, public)
    for signer, signature in checkpoint.signatures:
        if signer == name and signature[:4] == wanted:
            if not is_genuine(signature[4:].hex(), public, checkpoint.body):
                raise Fault(None, f"the signature of the log {name} is not of this checkpoint")
            return True
    return False


def cosigned_at(checkpoint: Checkpoint, name: str, public: bytes) -> int | None:
    """When a witness cosigned (seconds since 1970); None if it did not."""
    wanted = note_key_id(name, COSIGNATURE_KEY, public)
    for signer, signature in checkpoint.signatures:
        if signer == name and signature[:4] == wanted and len(signature) == 76:
            at = int.from_bytes(signature[4:12], "big")
            message = f"cosignature/v1\ntime {at}\n".encode() + checkpoint.body
            if is_genuine(signature[12:].hex(), public, message):
                return at
    return None


def read_verifier_key(text: str) -> tuple[str, int, bytes]:
    """The name, type and public key of a key as signed notes have it: name+id+base64 of type and key."""
    try:
        name, digits, encoded = text.strip().split("+", 2)
        key = decode64(encoded)
        kind, public = key[0], key[1:]
        if not name or len(public) != 32 or note_key_id(name, kind, public).hex() != digits:
            raise ValueError
    except (ValueError, IndexError):
        raise Fault(None, "not a verifier key of signed notes (name+id+key)") from None
    return name, kind, public


def read_log_keys(source: bytes) -> LogKeys:
    """The keys of logs: those that a server lists, one in hex, or verifier keys of signed notes, one a line."""
    text = source.decode(errors="replace").strip()
    if HASH(text):
        return {"": bytes.fromhex(text)}
    if not text.startswith("{"):
        return {name: public for name, _, public in map(read_verifier_key, text.splitlines())}
    try:
        listed = json.loads(text).get("logs", [])
        return {str(log["origin"]): bytes.fromhex(log["public_key"]) for log in listed}
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        raise Fault(None, "its `logs` are not keys of transparency logs") from None


def read_cosigners(source: bytes) -> list[tuple[str, bytes]]:
    """The names and keys of witnesses: verifier keys of signed notes, one a line."""
    keys = map(read_verifier_key, source.decode(errors="replace").strip().splitlines())
    return [(name, public) for name, kind, public in keys if kind == COSIGNATURE_KEY]


class Proof(NamedTuple):
    """A C2SP tlog-proof: where a leaf stands, how it leads to the root, and the checkpoint of that root."""

    place: int
    path: list[bytes]
    checkpoint: Checkpoint


def read_proof(text: Any) -> Proof:
    """A tlog-proof from its text."""
    try:
        head, separator, note = text.partition("\n\n")
        magic, *lines = head.split("\n")
        if lines and lines[0].startswith("extra "):
            decode64(lines.pop(0)[6:])
        word, index = lines.pop(0).split(" ")
        path = list(map(decode64, lines))
        if magic != "c2sp.org/tlog-proof@v1" or not separator or word != "index":
            raise ValueError
        if not DECIMAL.fullmatch(index) or any(len(step) != HASH_BYTES for step in path):
            raise ValueError
        return Proof(int(index), path, read_checkpoint(note))
    except (ValueError, IndexError, AttributeError):
        raise Fault(None, "not a proof of the transparency log (tlog-proof)") from None


class LogTrust(NamedTuple):
    """What an auditor knows of transparency logs."""

    keys: LogKeys
    only_these: bool = True
    """Is a log of any other name a fault? Otherwise there is no telling what it is worth."""
    checkpoints: Sequence[Checkpoint] = ()
    """Older ones that it kept."""
    tiles: Tiles | None = None
    """Where consistency with those is looked up."""
    cosigners: Sequence[tuple[str, bytes]] = ()
    """The names and public keys of witnesses."""
    required: bool = False
    """Is a record without proofs at fault?"""


def leaves_of(record: Record) -> dict[str, bytes]:
    """The leaves that the log should hold of this record, by kind: of its first entry once it started, of its settlement."""
    first, last = record["entries"][0], record["entries"][-1]
    leaves: dict[str, bytes] = {}
    if any(entry["type"] == "game_started" for entry in record["entries"]):
        leaves["created"] = game_leaf(record["game"], "created", 1, first["hash"])
    if last["type"] == "game_settled":
        leaves["settled"] = game_leaf(record["game"], "settled", last["seq"], last["hash"])
    return leaves


def is_logged_asked(record: Record, trust: LogTrust) -> bool:
    """Does check 14 apply: are there proofs, or must there be?"""
    return trust.required or record.get("proofs") is not None


def check_logged(record: Record, trust: LogTrust) -> str | None:
    """The leaves of this record are in the log, which is the one that was seen before; who of the witnesses signed."""
    proofs = record.get("proofs")
    if proofs is None:
        raise Fault(None, "the record has no proofs that it was logged")
    if not shape({kind: optional(text) for kind in LEAF_KINDS})(proofs):
        raise Fault(None, "its proofs are not those of two leaves")
    signed: list[set[str]] = []
    for kind, leaf in leaves_of(record).items():
        place = 1 if kind == "created" else len(record["entries"])
        if proofs[kind] is None:
            missing = f"there is no proof of the leaf `{kind}`"
            raise Fault(place, missing) if trust.required else NotChecked(missing)
        try:
            proof = read_proof(proofs[kind])
            check_proof(leaf, proof, trust)
        except Fault as fault:
            raise Fault(place, fault.detail) from None
        signed.append(
            {name for name, public in trust.cosigners if cosigned_at(proof.checkpoint, name, public)}
        )
    if not trust.cosigners or not signed:
        return None
    return f"cosigned by {len(set.intersection(*signed))} of {len(trust.cosigners)} witnesses"


def check_proof(leaf: bytes, proof: Proof, trust: LogTrust) -> None:
    """One leaf is in the tree of a checkpoint that its log signed, and that agrees with those seen before."""
    checkpoint = proof.checkpoint
    if root_by_inclusion(leaf_hash(leaf), proof.place, checkpoint.size, proof.path) != checkpoint.root:
        raise Fault(None, "its proof does not lead from this entry to the log's checkpoint")
    public = trust.keys.get(checkpoint.origin, trust.keys.get(""))
    if not trust.keys:
        raise NotChecked("no key of the transparency log was given")
    if public is None and not trust.only_these:
        raise NotChecked(f"the transparency log {checkpoint.origin} is not known here")
    if public is None or not is_signed_by(checkpoint, public):
        raise Fault(None, f"the checkpoint of {checkpoint.origin} is not signed with a key of that log")
    for seen in trust.checkpoints:
        check_agrees(seen, checkpoint, trust)


def check_agrees(seen: Checkpoint, checkpoint: Checkpoint, trust: LogTrust) -> None:
    """A checkpoint of this log that somebody kept is of the same history."""
    if seen.origin != checkpoint.origin:
        if is_successor(checkpoint.origin, seen.origin):
            raise Fault(
                None, f"{checkpoint.origin} succeeds the log {seen.origin}, which was rolled back since"
            )
        raise NotChecked(f"the checkpoint that was kept is of another log, {seen.origin}")
    public = trust.keys.get(seen.origin, trust.keys.get(""))
    try:
        is_kept = public is not None and is_signed_by(seen, public)
    except Fault:
        is_kept = False
    if not is_kept:
        raise NotChecked("the checkpoint that was kept is not signed with a key of that log")
    one, other = sorted((seen, checkpoint), key=lambda each: each.size)
    if one.size == other.size:
        proof: list[bytes] = []
    elif trust.tiles is None:
        raise NotChecked("the log's tiles are needed to compare it with the checkpoint that was kept")
    else:
        proof = Tree(other.size, trust.tiles).consistency(one.size)
    if not is_consistent(one.size, one.root, other.size, other.root, proof):
        raise Fault(
            None, f"its log has another history than the one kept, of {seen.size} leaves: both are signed"
        )


def is_successor(origin: str, earlier: str) -> bool:
    """Is this what a log is called that follows on another one, after a rollback?"""
    stem, _, number = earlier.rpartition("/")
    base = stem if stem and DECIMAL.fullmatch(number) and int(number) > 1 else earlier
    later, _, number = origin.rpartition("/")
    return later == base and DECIMAL.fullmatch(number) is not None and int(number) > 1


# -- the whole ------------------------------------------------------------------------------------------------------


def verify(record: Record, server_seed: bytes | None = None) -> list[Check]:
    """Checks 1 to 4 and 11 to 13 as far as they apply. A game that is not settled needs its seed told."""
    checks = verify_entries(record, opened_seed(record) or server_seed)
    if has_settlement(record):
        checks.append(run_check("settlement", check_settlement_without_rules, record))
    if checks[1].verdict == "pass" and has_keys(record):
        checks.append(run_check("signatures", check_signatures, record))
    return checks


def verify_entries(record: Record, seed: bytes | None) -> list[Check]:
    """Checks 1 to 4 and 11; behind a broken form nothing else can be read."""
    checks = [run_check("chain", check_chain, record), run_check("schema", check_schema, record)]
    rest: list[tuple[str, Callable[..., str | None], tuple[Any, ...]]] = [
        ("commitment", check_commitment, (record, seed)),
        ("random", check_random, (record, seed)),
    ]
    if terms_of(record) > 1:
        rest.append(("clocks", check_clocks, (record,)))
    if checks[1].verdict != "pass":
        return checks + [Check(name, "not_checked", None, BROKEN) for name, _, _ in rest]
    return checks + [run_check(name, checker, *arguments) for name, checker, arguments in rest]


def run_check(name: str, checker: Callable[..., str | None], *arguments: Any) -> Check:
    """Make one check and say what came of it; a check that passes may say what that is worth."""
    try:
        worth = checker(*arguments)
    except Fault as fault:
        return Check(name, "fail", fault.entry, fault.detail)
    except NotChecked as reason:
        return Check(name, "not_checked", None, str(reason))
    return Check(name, "pass", None, worth)


def verdict(checks: list[Check]) -> str:
    """`fail` if any check failed, `incomplete` if any was not made, otherwise `pass`."""
    verdicts = {check.verdict for check in checks}
    return "fail" if "fail" in verdicts else "incomplete" if "not_checked" in verdicts else "pass"


def verify_file(file: str, key_file: str | None, log: LogTrust | None = None) -> list[Check]:
    """Every check of an audit that applies, made or not."""
    source = Path(key_file).read_bytes() if key_file else b""
    keys = read_keys(source) if key_file else {}
    log = (log or LogTrust({}))._replace(keys=read_log_keys(source) if key_file else {})
    try:
        record = read_record(Path(file).read_bytes())
    except Fault as fault:
        checks = [Check("schema", "fail", fault.entry, fault.detail)]
    else:
        checks = verify(record)
        if checks[1].verdict == "pass":
            checks.append(run_check("signature", check_signature, record, keys))
            if is_logged_asked(record, log):
                checks.append(run_check("logged", check_logged, record, log))
    made = {check.check: check for check in checks}
    wanted = [name for name in CHECKS if name in made or name not in OPTIONAL_CHECKS]
    return [made.get(name, Check(name, "not_checked", None, why_not_made(name))) for name in wanted]


def why_not_made(name: str) -> str:
    return NEEDS_RULES if name in RULE_CHECKS else BROKEN


FILE_OPTIONS = ("--key", "--checkpoint", "--log", "--cosigners")


def main(arguments: list[str]) -> int:
    given: dict[str, str] = {}
    for option in FILE_OPTIONS:
        if option in arguments[:-1]:
            at = arguments.index(option)
            given[option] = arguments[at + 1]
            arguments = arguments[:at] + arguments[at + 2 :]
    files = [argument for argument in arguments if not argument.startswith("--")]
    if len(files) != 1 or set(arguments) - {"--json", "--require-proofs", files[0]}:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        log = log_trust_of(given, "--require-proofs" in arguments)
        checks = verify_file(files[0], given.get("--key"), log)
    except OSError as error:
        print(f"cannot read {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    except Fault as fault:
        print(f"cannot use {' or '.join(given.values())}: {fault.detail}", file=sys.stderr)
        return 2
    report(checks, "--json" in arguments)
    return {"pass": 0, "fail": 1, "incomplete": 2}[verdict(checks)]


def log_trust_of(given: dict[str, str], required: bool) -> LogTrust:
    """What the options say of transparency logs."""
    kept, place, cosigners = (given.get(option) for option in FILE_OPTIONS[1:])
    return LogTrust(
        {},
        checkpoints=[read_kept_checkpoint(Path(kept).read_bytes())] if kept else [],
        tiles=PublishedTiles(place) if place else None,
        cosigners=read_cosigners(Path(cosigners).read_bytes()) if cosigners else [],
        required=required,
    )


def visible(told: str) -> str:
    """Text of a record for a terminal: what would control it is shown, not sent."""
    return CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", told)


def report(checks: list[Check], as_json: bool) -> None:
    """Tell what was found, to programs or to people."""
    if as_json:
        body = {"verdict": verdict(checks), "checks": [check._asdict() for check in checks]}
        print(json.dumps(body, indent=1))
        return
    for check in checks:
        place = f" (entry {check.entry})" if check.entry else ""
        detail = f": {visible(check.detail)}" if check.detail else ""
        print(f"{check.check:<11} {check.verdict}{place}{detail}")
    print(f"verdict     {verdict(checks)}")


if __name__ == "__main__":
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a record may hold what the terminal cannot show
    sys.exit(main(sys.argv[1:]))
