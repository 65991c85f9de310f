"""One run: players and watchers, a seeded schedule of faults, then the checker."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from random import Random

from tests.chaos.checker import Findings, Window, check, longest_of_healthy, longest_standstill
from tests.chaos.clustered import Clustered
from tests.chaos.embedded import Embedded
from tests.chaos.ground import Ground, Struck
from tests.chaos.players import Ack, Caller, Notes, Table, Watcher
from tests.servers import short_directory

TABLES, WATCHERS, BOT_GAMES = 6, 2, 4
AFTERMATH = 1.0
"""Seconds after a fault that count as its time."""


@dataclass
class Report:
    """What came of a run."""

    kind: str
    seed: int
    struck: list[Struck]
    notes: Notes
    watchers: list[Watcher]
    findings: Findings
    seconds: float
    errors: list[str]

    @property
    def gaps(self) -> list[str]:
        return [gap for watcher in self.watchers for gap in watcher.gaps]

    @property
    def standstill(self) -> dict[str, float]:
        return longest_standstill(self.notes.acks)

    @property
    def healthy_standstill(self) -> float | None:
        """The longest that a partition stood still during a failover of others; None if there was none."""
        windows = [
            Window(each.start, each.end + AFTERMATH, each.hit if len(each.hit) > 1 else None)
            for each in self.struck
        ]
        return longest_of_healthy(self.notes.acks, windows)

    @property
    def faults(self) -> list[str]:
        """All that must not be, whatever was asked of the store."""
        return (
            self.findings.faults
            + [f"gap: {gap}" for gap in self.gaps]
            + [f"stuck: {each}" for each in self.notes.stuck]
            + [f"error: {each}" for each in self.errors]
        )

    def lines(self) -> list[str]:
        """The report, for people."""
        kinds = Counter(each.name for each in self.struck)
        worst = sorted(self.standstill.items(), key=lambda each: -each[1])[:4]
        healthy = self.healthy_standstill
        findings = self.findings
        return [
            f"{self.kind}, seed {self.seed}: {len(self.struck)} faults in {self.seconds:.0f} s"
            f" ({', '.join(f'{name} {count}' for name, count in sorted(kinds.items()))})",
            f"  {len(self.notes.acks)} acknowledged actions in {findings.games} games, {findings.entries} entries, {findings.settled} settled",
            f"  lost {len(findings.lost)}, twice {len(findings.twice)}, out of order {len(findings.disorder)}, broken {len(findings.broken)},"
            f" unsettled {len(findings.unsettled)}, projections off {len(findings.projections)}, audits failed {len(findings.audits)}",
            f"  streams: {sum(each.seen for each in self.watchers)} events, {len(self.gaps)} gaps,"
            f" {sum(each.rewound for each in self.watchers)} told of a rewind; connections cut {self.notes.cuts}",
            f"  longest standstill by partition: {', '.join(f'{part} {seconds:.1f} s' for part, seconds in worst)}"
            + ("" if healthy is None else f"; of healthy partitions during failovers {healthy:.1f} s"),
            f"  answers: {', '.join(f'{status} × {count}' for status, count in self.notes.statuses.most_common(8))}",
            *(f"  ! {fault}" for fault in self.faults[:20]),
        ]


def chaos(kind: str, faults: int, seed: int, say: Callable[[str], None], rest: float = 2.0) -> Report:
    """So many faults on this kind of ground, with some seconds between them."""
    dice = Random(seed)
    notes, stop, cut = Notes(), threading.Event(), threading.Event()
    with ground(kind, dice) as place:
        tables = [
            Table(number, Caller(place.port, notes, cut, stop), Random(seed * 1000 + number))
            for number in range(TABLES)
        ]
        watchers = [Watcher(place.port, notes, stop) for _ in range(WATCHERS)]
        begin_bot_games(place, notes, cut, stop, seed)
        for thread in (*tables, *watchers):
            thread.start()
        time.sleep(rest)
        began = time.monotonic()
        struck = []
        each_once = list(dict.fromkeys(place.kinds))
        for number in range(faults):
            name = each_once[number] if number < len(each_once) else dice.choice(place.kinds)
            struck.append(strike(place, name, cut))
            say(f"{kind}: {number + 1}/{faults} {name} ({struck[-1].end - struck[-1].start:.1f} s)")
            time.sleep(dice.uniform(0.5, 1.5) * rest)
            if isinstance(place, Clustered):
                place.restart_the_dead()
        seconds = time.monotonic() - began
        stop.set()
        for thread in (*tables, *watchers):
            thread.join(180)
        say(f"{kind}: looking at what is left")
        findings = check(place.house, list(notes.games), sorted(notes.acks, key=lambda ack: ack.when))
        errors = place.errors()
    return Report(kind, seed, struck, notes, watchers, findings, seconds, errors)


def strike(place: Ground, name: str, cut: threading.Event) -> Struck:
    if name != "cut":
        return place.strike(name)
    start = time.monotonic()
    cut.set()
    time.sleep(0.7)
    cut.clear()
    return Struck(name, start, time.monotonic(), set())


def begin_bot_games(
    place: Ground, notes: Notes, cut: threading.Event, stop: threading.Event, seed: int
) -> None:
    """Games that only workers and thinkers play: all must be settled in the end."""
    caller = Caller(place.port, notes, cut, stop)
    for number in range(BOT_GAMES):
        wish = {
            "ruleset": "aton" if number % 2 else "babel",
            "players": [{"bot": "greedy"}, {"bot": "keen" if number == 0 else "random"}],
        }
        _, game = caller.call("POST", "/v1/games", wish, key=f"chaos-bots-{seed}-{number}-of-a-run")
        notes.games.append(game["id"])


def lost(acks: list[Ack], findings: Findings) -> str:
    return f"{len(findings.lost)} of {len(acks)}"


@contextmanager
def ground(kind: str, dice: Random) -> Iterator[Ground]:
    """A ground of this kind: `embedded`, or `cluster` with the number of replicas that an action waits for."""
    with short_directory() as directory, ExitStack() as on_exit:
        if kind == "embedded":
            yield Embedded(directory, dice, on_exit)
        else:
            yield Clustered(directory, dice, on_exit, int(kind.removeprefix("cluster")))
