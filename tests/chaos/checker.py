"""What must hold after the chaos, looked up in the store by code of its own: it reads entries as bytes and hashes them itself."""

import hashlib
import json
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from events.keys import keys_of
from games import RULESETS
from replays.audit.audit import audit
from replays.record import to_record
from tests.chaos.ground import Struck
from tests.chaos.players import Ack
from tests.chaos.probers import Still
from tests.worker.house import House

PATIENCE = 240.0


@dataclass
class Findings:
    """What the checker found; of all lists but `lost` none may hold anything."""

    games: int = 0
    entries: int = 0
    lost: list[str] = field(default_factory=list)
    """Acknowledged actions that are not in the log."""
    twice: list[str] = field(default_factory=list)
    disorder: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    unsettled: list[str] = field(default_factory=list)
    settled: int = 0
    projections: list[str] = field(default_factory=list)
    audits: list[str] = field(default_factory=list)

    @property
    def faults(self) -> list[str]:
        """All that must not be; losses are told apart, as they depend on how durable the store was asked to be."""
        kinds = ("twice", "disorder", "broken", "unsettled", "projections", "audits")
        return [f"{kind}: {each}" for kind in kinds for each in getattr(self, kind)]


def check(house: House, games: Sequence[str], acks: Sequence[Ack]) -> Findings:
    """Look at every game once all that was owed is done."""
    findings = Findings(games=len(set(games)))
    wait_for_settlements(house, games, findings)
    by_game: dict[str, list[Ack]] = defaultdict(list)
    for ack in acks:
        by_game[ack.game].append(ack)
    for game in dict.fromkeys(games):
        rows: Any = house.client.xrange(keys_of(game).stream)
        log = [(number.decode(), fields[b"e"], fields[b"h"].decode()) for number, fields in rows]
        findings.entries += len(log)
        entries = check_chain(game, log, findings)
        check_acks(game, entries, [digest for _, _, digest in log], by_game[game], findings)
        if entries:
            check_rest(house, game, entries, findings)
    return findings


def wait_for_settlements(house: House, games: Sequence[str], findings: Findings) -> None:
    """Every game that is over is settled in the end, and nothing stays dirty."""
    until = time.monotonic() + PATIENCE
    left = set(games)
    while time.monotonic() < until:
        left = {
            game for game in left if house.client.exists(keys_of(game).stream) and not at_rest(house, game)
        }
        if not left and not any(house.projections.dirty()):
            return
        time.sleep(0.3)
    findings.unsettled += sorted(left)


def at_rest(house: House, game: str) -> bool:
    """Is nothing owed to it: settled, or waiting for people?"""
    state = house.game(game)
    return bool(state.settled) or state.status in ("open", "sealing", "playing")


def check_chain(game: str, log: Sequence[tuple[str, bytes, str]], findings: Findings) -> list[Any]:
    """Numbers without a gap, hashes that follow one another."""
    entries, before = [], "0" * 64
    for place, (number, raw, digest) in enumerate(log, 1):
        entry = json.loads(raw)
        good = (
            number == f"{place}-0"
            and entry["seq"] == place
            and entry["prev"] == before
            and hashlib.sha256(raw).hexdigest() == digest
        )
        if not good:
            findings.broken.append(f"{game} entry {place}")
        entries.append(entry)
        before = digest
    return entries


def check_acks(game: str, entries: list[Any], hashes: list[str], acks: list[Ack], findings: Findings) -> None:
    """Every acknowledged action stands where its player was told, once, and in the order in which they heard of it."""
    applied: dict[str, list[int]] = defaultdict(list)
    for entry in entries:
        if entry["req"]:
            applied[entry["req"]["key"]].append(entry["seq"])
            first, last = entry["req"]["of"]
            if not first <= entry["seq"] <= last:
                findings.twice.append(f"{game} entry {entry['seq']}")
    for key, numbers in applied.items():
        first, last = entries[numbers[0] - 1]["req"]["of"]
        if numbers != list(range(first, last + 1)):
            findings.twice.append(f"{game} request {key[:8]}")
    latest = 0
    for ack in acks:
        stands = ack.version <= len(hashes) and hashes[ack.version - 1] == ack.hash
        if not stands or ack.version not in applied[ack.request]:
            findings.lost.append(f"{game} version {ack.version}")
        elif ack.version <= latest:
            findings.disorder.append(f"{game} version {ack.version}")
        else:
            latest = ack.version


def check_rest(house: House, game: str, entries: list[Any], findings: Findings) -> None:
    """Settled once and last, projected as its log says, with an audit that is clean."""
    settlements = [entry["seq"] for entry in entries if entry["type"] == "game_settled"]
    if settlements not in ([], [len(entries)]):
        findings.twice.append(f"{game} was settled at {settlements}")
    if not soon(lambda: is_projected(house, game)):
        findings.projections.append(game)
    if settlements:
        findings.settled += 1
        audited = audit(to_record(house.log(game), house.ledger.store.people(game)), RULESETS)
        failed = [one["check"] for one in audited.checks if one["verdict"] == "fail"]
        if failed:
            findings.audits.append(f"{game}: {failed}")


def is_projected(house: House, game: str) -> bool:
    try:
        house.check_projected(game)
    except AssertionError:
        return False
    return True


def soon(true: Callable[[], bool]) -> bool:
    """Does this hold within some seconds? Clocks that were wrong may have somebody time out even now."""
    until = time.monotonic() + 20
    while time.monotonic() < until:
        if true():
            return True
        time.sleep(0.2)
    return False


# -- standstills ------------------------------------------------------------------------------------------------------

AFTERMATH = 1.0
"""Seconds after a fault that count as its time."""


def longest_by_partition(stills: Sequence[Still]) -> dict[str, float]:
    """For each partition the longest time in which nothing happened."""
    longest: dict[str, float] = defaultdict(float)
    for still in stills:
        longest[still.partition] = max(longest[still.partition], still.seconds)
    return dict(longest)


def longest_of_healthy(stills: Sequence[Still], struck: Sequence[Struck]) -> float | None:
    """The longest standstill of a partition that was healthy while others were not; None if there was none.

    Healthy is a partition during a fault, and for a second after it, that hits some partitions (a primary that dies, is
    silent or gives a slot away) but not this one. A standstill that also overlaps another fault, one that hits this
    partition or any (a process of ours that is killed or stopped, a clock that jumps), is left out: nobody could say
    which of the two it came from.
    """
    longest = None
    for still in stills:
        faults = [each for each in struck if overlap(still, each)]
        if faults and all(each.hit is not None and still.partition not in each.hit for each in faults):
            longest = max(longest or 0.0, still.seconds)
    return longest


def overlap(still: Still, fault: Struck) -> bool:
    return still.start < fault.end + AFTERMATH and still.end > fault.start
