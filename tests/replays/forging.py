"""Forgeries: good records in which something is changed, and every hash made anew that a forger could make anew."""

import json
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any

from events import commands, seeds
from events.batch import EntryBatch
from events.entries import Clock, total_clock
from events.game import unfold
from games.canonical import digest
from games.kernel import Registry
from replays.audit.audit import audit
from replays.audit.fast_checks import well_formed_entries
from replays.audit.verify import ZEROS, Check, read_record, verify
from replays.record import Record, entries_of, read_entry, write_record
from tests.events.logs import PEOPLE, SERVER_SEED, SITTERS, TOYS, Log, call, created, named

ENTROPY = bytes(range(100, 132))
SEAL = seeds.seal(ENTROPY)
GAME = "07-" + "0" * 26
THREE_PEOPLE = {seat: PEOPLE[seat] for seat in range(3)}

Entry = dict[str, Any]
Change = Callable[[Record], Any]


# -- good records ---------------------------------------------------------------------------------------------------


@cache
def _plain() -> bytes:
    """Created, seated and started by three requests, played to the end, settled."""
    log = Log(created(GAME, sitters=SITTERS[:2], host="club"), people=THREE_PEOPLE, request=call("creating"))

    def write(batch: EntryBatch) -> None:
        commands.sit(batch, 2, SITTERS[2])
        commands.start_if_ready(batch, TOYS, SERVER_SEED)

    log.append(write, call("sitting"))
    log.append(lambda batch: commands.renew_token(batch, {"host": "club"}, 1))
    log.plays_on()
    log.settles()
    return write_record(log.record)


@cache
def _sealed() -> bytes:
    """Two seats sealed, one open; a player resigned, another ran out of time, so that the third won."""
    sitters = (named("Ada", entropy_commitment=SEAL), named("Ben", entropy="tea"))
    log = Log(created(GAME, sitters=sitters, clock=Clock(60)), people=THREE_PEOPLE)
    log.sits(2, named("Cleo", ref="c-1", entropy_commitment=SEAL))
    log.opens(2, ENTROPY)
    log.opens(0, ENTROPY)
    log.plays_on(until=lambda game: game.state.round == 3)
    log.resigns(1)
    log.plays_on(until=lambda game: game.state.round == 4)
    log.times_out(0)
    log.settles()
    return write_record(log.record)


@cache
def _aborted() -> bytes:
    """Called off while a seal was closed."""
    sitters = (*SITTERS[:2], named("Cleo", entropy_commitment=SEAL))
    log = Log(created(GAME, sitters=sitters, host="club"), people=THREE_PEOPLE)
    log.is_aborted("by_host", {"host": "club"})
    log.settles()
    return write_record(log.record)


@cache
def _newest() -> bytes:
    """On a total clock, tagged; a seat was left and taken again, a bot has a name; ended by judgement."""
    sitters = (named("Eve", entropy_commitment=SEAL), named("Ben", entropy="tea"))
    clock = total_clock(600, 10)
    log = Log(created(GAME, sitters=sitters, host="club", clock=clock, tags=("spring", "final")))
    log.append(lambda batch: commands.renew_token(batch, {"host": "club"}, 0))
    log.leaves(0)
    log.sits(0, SITTERS[0])
    log.sits(2, named("Cleo", bot="greedy", ref="engine-7"), {"host": "club"})
    log.plays_on(until=lambda game: game.state.round == 3)
    log.resigns(1)
    log.is_adjudicated(0, 2, by={"host": "club"}, why="The hall closes.")
    log.people |= THREE_PEOPLE
    log.settles()
    return write_record(log.record)


@cache
def _first_terms() -> bytes:
    """Of the first terms, which did not ask when anyone ran out of time; a bot sits there and has no name."""
    sitters = (named("Ada"), named("Ben", entropy="tea"))
    log = Log(created(GAME, sitters=sitters, first_terms=True), people={0: PEOPLE[0], 1: PEOPLE[1]})
    log.sits(2, commands.Sitter(bot="greedy"), {"seat": 0})
    log.plays_on(until=lambda game: game.state.round == 3)
    log.append(lambda batch: commands.withdraw(batch, 1, "timed_out", commands.CLOCK_ACTOR, TOYS))
    log.plays_on()
    log.settles()
    return write_record(log.record)


def newest() -> Record:
    return read_record(_newest())


def first_terms() -> Record:
    return read_record(_first_terms())


def plain() -> Record:
    return read_record(_plain())


def sealed() -> Record:
    return read_record(_sealed())


def aborted() -> Record:
    return read_record(_aborted())


GOOD: dict[str, Callable[[], Record]] = {"plain": plain, "sealed": sealed, "aborted": aborted}


# -- changing them --------------------------------------------------------------------------------------------------


def place_of(record: Record, kind: str, nth: int = 0) -> int:
    """The number of the n-th entry of a type (from the end, if negative)."""
    return [place for place, entry in enumerate(record["entries"], 1) if entry["type"] == kind][nth]


def entry_of(record: Record, kind: str, nth: int = 0) -> Entry:
    """The n-th entry of a type."""
    entry: Entry = record["entries"][place_of(record, kind, nth) - 1]
    return entry


def facts_of(record: Record, kind: str, nth: int = 0) -> list[dict[str, Any]]:
    facts: list[dict[str, Any]] = entry_of(record, kind, nth)["data"]["facts"]
    return facts


def of(kind: str, nth: int = 0, /, **members: Any) -> Change:
    """Set members of the n-th entry of a type."""
    return lambda record: entry_of(record, kind, nth).update(members)


def data(kind: str, nth: int = 0, /, **members: Any) -> Change:
    """Set members of what the n-th entry of a type carries."""
    return lambda record: entry_of(record, kind, nth)["data"].update(members)


def without(kind: str, nth: int, member: str) -> Change:
    """Take a member away from what an entry carries."""
    return lambda record: entry_of(record, kind, nth)["data"].pop(member)


def copied(kind: str, nth: int, to: int) -> Change:
    """Put a copy of an entry before the one that now has the number `to` (0: at the end)."""

    def change(record: Record) -> None:
        copy = json.loads(json.dumps(entry_of(record, kind, nth)))
        at = to - 1 if to else len(record["entries"])
        neighbour = record["entries"][min(at, len(record["entries"]) - 1)]
        record["entries"].insert(at, copy | {"at": neighbour["at"], "state": neighbour["state"], "req": None})

    return change


def dropped(kind: str, nth: int = 0) -> Change:
    """Take an entry away, and every trace of requests that would miss it."""

    def change(record: Record) -> None:
        record["entries"].pop(place_of(record, kind, nth) - 1)
        for entry in record["entries"]:
            entry["req"] = None

    return change


def exact_hash(entry: Entry) -> str:
    return digest({member: entry[member] for member in entry if member != "hash"})


def lenient_hash(entry: Entry) -> str:
    """The hash of an entry as typed decoding understands it, whatever it fills in or leaves out."""
    return read_entry({"hash": None} | entry).hash


def chained(record: Record, hash_of: Callable[[Entry], str] = exact_hash) -> Record:
    """Number the entries anew, hash them anew, and let the settlement and the head speak of the new chain."""
    prev = ZEROS
    for place, entry in enumerate(record["entries"], 1):
        entry |= {"seq": place, "prev": prev}
        with suppress(KeyError, TypeError):
            if entry["data"]["audit"]["head"]:
                entry["data"]["audit"]["head"] = {"seq": place - 1, "hash": prev}
        prev = entry["hash"] = hash_of(entry)
    record["head"] |= {"seq": len(record["entries"]), "hash": prev}
    return record


def folded(record: Record, rulesets: Registry = TOYS) -> Record:
    """Make every state hash anew from the recorded facts, and the chain with them."""
    games = [game for _, game in unfold(entries_of(chained(record)), rulesets)]
    for entry, game in zip(record["entries"], games, strict=True):
        entry["state"] = None if game.state is None else digest(game.state)
    return chained(record)


# -- what checks say ------------------------------------------------------------------------------------------------


def failures(record: Record, rulesets: Registry = TOYS) -> dict[str, int | None]:
    """The checks of an audit that fail, and the first entry that fails each.

    The settlement is left aside: it tells of the good record, so it is wrong of nearly every forged one.
    """
    return _without_settlement(all_failures(record, rulesets))


def all_failures(record: Record, rulesets: Registry = TOYS) -> dict[str, int | None]:
    """`failures`, and that of the settlement."""
    audited = audit(reread(record), rulesets)
    failed = {check["check"]: check["entry"] for check in audited.checks if check["verdict"] == "fail"}
    assert (audited.verdict == "fail") == bool(failed)
    return failed


def faults(record: Record) -> dict[str, int | None]:
    """The checks that need no rules and fail, and the first entry that fails each; the settlement is left aside."""
    return _without_settlement(all_faults(record))


def all_faults(record: Record) -> dict[str, int | None]:
    """`faults`, and that of the settlement."""
    return {check.check: check.entry for check in checked(reread(record)) if check.verdict == "fail"}


def _without_settlement(failed: dict[str, int | None]) -> dict[str, int | None]:
    return {check: entry for check, entry in failed.items() if check != "settlement"}


def checked(record: Record) -> list[Check]:
    """What the verifier says; the audit, which reads sound records in a way of its own, must be of one mind with it."""
    checks = verify(record)
    assert (well_formed_entries(record) is not None) == all(check.verdict == "pass" for check in checks[:2])
    return checks


def unchecked(record: Record, rulesets: Registry = TOYS) -> set[str]:
    """The checks of an audit that could not be made."""
    audited = audit(reread(record), rulesets)
    return {check["check"] for check in audited.checks if check["verdict"] == "not_checked"}


def reread(record: Record) -> Record:
    """A record as whoever receives the file reads it."""
    return read_record(json.dumps(record).encode())
