#!/usr/bin/env python3
"""Verify the record of a Stele game with nothing but this file and Python's standard library.

    python verify.py RECORD.json [--key KEYS] [--json]

It checks what needs no knowledge of any game's rules: the chain of hashes, the form and order of the entries, that
the opened seed and seals are the ones committed to, that every shuffle is the one the seed gives, that nobody was out
of time who cannot have been, and that the settlement says of all this what is true. With KEYS (a server's
stele-keys.json, or a file with one public key in hex) it also checks the signature, if the package `cryptography` is
there. The other checks of an audit need the rules; they are listed as `not_checked`.
Exit code: 0 everything passed, 1 something failed, 2 something could not be checked.
"""

import hashlib
import hmac
import importlib
import json
import re
import sys
from collections.abc import Callable, Iterator
from datetime import date, datetime
from functools import lru_cache
from io import TextIOWrapper
from pathlib import Path
from typing import Any, NamedTuple

RULE_CHECKS = ("facts", "states", "components", "outcome")
SETTLED_CHECKS = ("chain", "schema", "commitment", "random", *RULE_CHECKS, "clocks")
"""What a settlement tells of, in this order."""
NEWER_CHECKS = {"clocks", "settlement"}
"""What games of the first terms are not asked."""
CHECKS = (*SETTLED_CHECKS, "settlement", "signature")
BROKEN = "the record's form is broken"
NEEDS_RULES = "needs the rules"
ZEROS = "0" * 64
MAX_INTEGER = 2**53 - 1
MAX_DEPTH = 100
MAX_SEATS = 64

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
    """By which terms a game is judged: the second where its first entry says so, otherwise the first."""
    created = record["entries"][0].get("data")
    return 2 if isinstance(created, dict) and is_this(created.get("terms"), 2) else 1


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
    shape({"kind": one_of("fork"), "game": text, "version": number, "position": any_object}),
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
WHY = re.compile(r"[^\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]{1,200}")
"""What is told of an adjudication: no control characters, nothing that turns the direction of text."""
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
DATA: dict[str, Test] = {
    "game_created": shape(GAME_CREATED),
    "seat_taken": shape(
        {
            "seat": number,
            "player": shape({"name_hash": optional(HASH), "ref": optional(text)}),
            "bot": optional(text),
            "entropy": optional(lambda value: text(value) and len(value.encode()) <= 64),
            "entropy_commitment": optional(HASH),
        }
    ),
    "entropy_revealed": shape({"seat": number, "entropy": HASH}),
    "seat_token_renewed": shape({"seat": number, "generation": number}),
    "game_started": shape({"facts": FACTS, "random": RANDOM}),
    "action_taken": shape(
        {"action": lambda a: isinstance(a, dict) and "type" in a, "facts": FACTS, "random": RANDOM}
    ),
    "seat_withdrawn": shape(
        {"seat": number, "cause": one_of("resigned", "timed_out"), "facts": FACTS, "random": one_of([])}
    ),
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
DATA_BY_TERMS = {1: DATA, 2: NEWER_DATA}

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
        "type": one_of(*NEWER_DATA),
        "v": one_of(1),
    }
)

HEAD = shape({"seq": number, "hash": HASH, "signature": optional(text), "key_id": optional(text)})
PEOPLE = each(shape({"seat": number, "name": text, "nonce": hexadecimal(32)}))

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
FOLLOWS_BY_TERMS = {1: FOLLOWS, 2: NEWER_FOLLOWS}


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


class Table:
    """Who sits where and what may come next, as far as the order of entries goes."""

    def __init__(self, record: Record) -> None:
        unknown = set(record) ^ {"format", "game", "ruleset", "ruleset_version", "entries", "people", "head"}
        if unknown:
            raise Fault(
                None, f"members of the record that are missing or unknown: {', '.join(sorted(unknown))}"
            )
        self.game = record["game"]
        self.terms = terms_of(record)
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
        if "facts" in data:
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
        brought = [data[kind] for kind in ("entropy", "entropy_commitment") if data[kind]]
        self.demand(len(brought) <= 1, "entropy both open and sealed")
        self.demand(not (brought and is_seeded(self.created)), "entropy in a seeded game")
        if data["entropy_commitment"]:
            self.closed.add(seat)
        self.taken[seat] = entry
        self.seated_at = entry["at"]

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
        del self.taken[seat]

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
        self.demand(entry["actor"].get("seat") in self.taken, "only a seat acts")

    def seat_withdrawn(self, entry: Entry, data: dict[str, Any]) -> None:
        seat = data["seat"]
        by = {"seat": seat} if data["cause"] == "resigned" else {"system": "clock"}
        self.demand(self.is_player(seat), "no player sits there")
        self.demand(seat not in self.withdrawn, "that seat has withdrawn already")
        self.demand(entry["actor"] == by, "by another actor")
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
            began = since.get(reason) or self.latest["at"]
            waited = milliseconds(entry["at"]) - milliseconds(began)
            enough = self.place > data["limit"] if reason == "too_long" else waited >= data["limit"] * 1000
            self.demand(enough, "its limit is not reached")

    def may_abort(self, actor: dict[str, Any], reason: str) -> bool:
        """Is this who calls a game off for this reason?"""
        if self.terms == 2 and reason in TIMED_ABORTS:
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

    def close_people(self, people: Any) -> None:
        """Names that are given are the ones hashed; those not given may have been forgotten."""
        if not PEOPLE(people):
            raise Fault(None, "`people` is a list of seat, name and nonce")
        for person in people:
            seat, nonce, name = person["seat"], bytes.fromhex(person["nonce"]), person["name"].encode()
            if seat not in self.taken:
                raise Fault(None, f"a name is given for seat {seat}, which nobody took")
            entry = self.taken[seat]
            if entry["data"]["player"]["name_hash"] != sha256(nonce + name):
                raise Fault(entry["seq"], f"the name given for seat {seat} is not the one hashed")
        if len({person["seat"] for person in people}) != len(people):
            raise Fault(None, "a seat is named twice")


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
                self.unsure |= any(map(self.is_bound, self.bots))

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
        seconds = self.clock.get("turn_seconds", self.clock.get("total_seconds"))
        if milliseconds(entry["at"]) < self.started + seconds * 1000:
            raise Fault(entry["seq"], "no clock of this game can have run out by then")


# -- 12. settlement -------------------------------------------------------------------------------------------------


def fairness(record: Record) -> str | None:
    """What the chances of a game (of the second terms) are worth: who could have chosen the deal."""
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
    return record | {"entries": entries, "people": [], "head": head}


def has_settlement(record: Record) -> bool:
    """Is there a settlement that a check can be asked of?"""
    return terms_of(record) == 2 and record["entries"][-1].get("type") == "game_settled"


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
    if not is_well_formed(record["entries"][-1], 2):
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


# -- the whole ------------------------------------------------------------------------------------------------------


def verify(record: Record, server_seed: bytes | None = None) -> list[Check]:
    """Checks 1 to 4, 11 and 12 as far as they apply. A game that is not settled needs its seed told."""
    checks = verify_entries(record, opened_seed(record) or server_seed)
    if has_settlement(record):
        checks.append(run_check("settlement", check_settlement_without_rules, record))
    return checks


def verify_entries(record: Record, seed: bytes | None) -> list[Check]:
    """Checks 1 to 4 and 11; behind a broken form nothing else can be read."""
    checks = [run_check("chain", check_chain, record), run_check("schema", check_schema, record)]
    rest: list[tuple[str, Callable[..., None], tuple[Any, ...]]] = [
        ("commitment", check_commitment, (record, seed)),
        ("random", check_random, (record, seed)),
    ]
    if terms_of(record) == 2:
        rest.append(("clocks", check_clocks, (record,)))
    if checks[1].verdict != "pass":
        return checks + [Check(name, "not_checked", None, BROKEN) for name, _, _ in rest]
    return checks + [run_check(name, checker, *arguments) for name, checker, arguments in rest]


def run_check(name: str, checker: Callable[..., None], *arguments: Any) -> Check:
    """Make one check and say what came of it."""
    try:
        checker(*arguments)
    except Fault as fault:
        return Check(name, "fail", fault.entry, fault.detail)
    except NotChecked as reason:
        return Check(name, "not_checked", None, str(reason))
    return Check(name, "pass")


def verdict(checks: list[Check]) -> str:
    """`fail` if any check failed, `incomplete` if any was not made, otherwise `pass`."""
    verdicts = {check.verdict for check in checks}
    return "fail" if "fail" in verdicts else "incomplete" if "not_checked" in verdicts else "pass"


def verify_file(file: str, key_file: str | None) -> list[Check]:
    """Every check of an audit that applies, made or not."""
    keys = read_keys(Path(key_file).read_bytes()) if key_file else {}
    try:
        record = read_record(Path(file).read_bytes())
    except Fault as fault:
        checks = [Check("schema", "fail", fault.entry, fault.detail)]
    else:
        checks = verify(record)
        if checks[1].verdict == "pass":
            checks.append(run_check("signature", check_signature, record, keys))
    made = {check.check: check for check in checks}
    wanted = [name for name in CHECKS if name in made or name not in NEWER_CHECKS]
    return [made.get(name, Check(name, "not_checked", None, why_not_made(name))) for name in wanted]


def why_not_made(name: str) -> str:
    return NEEDS_RULES if name in RULE_CHECKS else BROKEN


def main(arguments: list[str]) -> int:
    key_file = None
    if "--key" in arguments[:-1]:
        at = arguments.index("--key")
        key_file = arguments[at + 1]
        arguments = arguments[:at] + arguments[at + 2 :]
    files = [argument for argument in arguments if not argument.startswith("--")]
    if len(files) != 1 or set(arguments) - {"--json", files[0]}:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        checks = verify_file(files[0], key_file)
    except OSError as error:
        print(f"cannot read {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    except Fault as fault:
        print(f"cannot use {key_file}: {fault.detail}", file=sys.stderr)
        return 2
    report(checks, "--json" in arguments)
    return {"pass": 0, "fail": 1, "incomplete": 2}[verdict(checks)]


def report(checks: list[Check], as_json: bool) -> None:
    """Tell what was found, to programs or to people."""
    if as_json:
        body = {"verdict": verdict(checks), "checks": [check._asdict() for check in checks]}
        print(json.dumps(body, indent=1))
        return
    for check in checks:
        place = f" (entry {check.entry})" if check.entry else ""
        print(f"{check.check:<11} {check.verdict}{place}{': ' + check.detail if check.detail else ''}")
    print(f"verdict     {verdict(checks)}")


if __name__ == "__main__":
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a record may hold what the terminal cannot show
    sys.exit(main(sys.argv[1:]))
