"""One run: players and watchers, a seeded schedule of faults, then the checker."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from random import Random

from tests.chaos.checker import Findings, check, longest_by_partition, longest_of_healthy
from tests.chaos.clustered import Clustered
from tests.chaos.damaged import Damaged
from tests.chaos.embedded import Embedded
from tests.chaos.ground import Ground, Struck
from tests.chaos.players import Ack, Caller, Notes, Table, Watcher
from tests.chaos.probers import Still, probers
from tests.servers import short_directory

TABLES, WATCHERS, BOT_GAMES = 4, 2, 4


@dataclass
class Report:
    """What came of a run."""

    kind: str
    seed: int
    struck: list[Struck]
    notes: Notes
    watchers: list[Watcher]
    stills: list[Still]
    stills_of_bots: list[Still]
    findings: Findings
    seconds: float
    errors: list[str]
    broken_promises: list[str] = field(default_factory=list)
    """Of what the server promises about damage that it cannot prevent."""
    silent_losses: list[str] = field(default_factory=list)

    @property
    def gaps(self) -> list[str]:
        return [gap for watcher in self.watchers for gap in watcher.gaps]

    @property
    def healthy_standstill(self) -> float | None:
        """The longest that players waited in a partition while a fault hit others; None if there was no such fault."""
        return longest_of_healthy(self.stills, self.struck)

    @property
    def healthy_standstill_of_bots(self) -> float | None:
        """The longest that a bot let wait there."""
        return longest_of_healthy(self.stills_of_bots, self.struck)

    @property
    def faults(self) -> list[str]:
        """All that must not be, whatever was asked of the store."""
        return (
            self.findings.faults
            + [f"gap: {gap}" for gap in self.gaps]
            + [f"stuck: {each}" for each in self.notes.stuck]
            + [f"error: {each}" for each in self.errors]
            + [f"promise: {each}" for each in self.broken_promises]
            + [f"lost in silence: {each}" for each in self.silent_losses]
        )

    def lines(self) -> list[str]:
        """The report, for people."""
        kinds = Counter(each.name for each in self.struck)
        worst = sorted(longest_by_partition(self.stills).items(), key=lambda each: -each[1])[:4]
        findings = self.findings
        return [
            f"{self.kind}, seed {self.seed}: {len(self.struck)} faults in {self.seconds:.0f} s"
            f" ({', '.join(f'{name} {count}' for name, count in sorted(kinds.items()))})",
            f"  {len(self.notes.acks)} acknowledged actions in {findings.games} games, {findings.entries} entries, {findings.settled} settled",
            f"  at the table: {', '.join(f'{kind} {count}' for kind, count in sorted(self.notes.at_the_table.items()))}",
            f"  lost {len(findings.lost)}, twice {len(findings.twice)}, out of order {len(findings.disorder)}, broken {len(findings.broken)},"
            f" unsettled {len(findings.unsettled)}, projections off {len(findings.projections)}, audits failed {len(findings.audits)}",
            f"  streams: {sum(each.seen for each in self.watchers)} events, {len(self.gaps)} gaps,"
            f" {sum(each.rewound for each in self.watchers)} told of a rewind; connections cut {self.notes.cuts}",
            f"  longest standstill by partition: {', '.join(f'{part} {seconds:.1f} s' for part, seconds in worst)}",
            *self.healthy_lines(),
            f"  answers: {', '.join(f'{status} × {count}' for status, count in self.notes.statuses.most_common(8))}",
            *(f"  ! {fault}" for fault in self.faults[:20]),
        ]

    def healthy_lines(self) -> list[str]:
        """How long healthy partitions stood still while others were hit."""
        players, bots = self.healthy_standstill, self.healthy_standstill_of_bots
        if players is None:
            return []
        of_bots = "" if bots is None else f", its bots for {bots:.1f} s"
        return [
            f"  while others were hit, no healthy partition stood still for more than {players:.1f} s{of_bots}"
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
        of_players, of_bots = probers(lambda: Caller(place.port, notes, cut, stop), seed)
        everyone = [*tables, *watchers, *of_players, *of_bots]
        begin_bot_games(place, notes, cut, stop, seed)
        for thread in everyone:
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
        for thread in everyone:
            thread.join(180)
        say(f"{kind}: looking at what is left")
        findings = check(place.house, list(notes.games), sorted(notes.acks, key=lambda ack: ack.when))
        errors = place.errors()
        broken = place.broken if isinstance(place, Damaged) else []
        silent = place.silent_losses(findings, notes.acks) if isinstance(place, Damaged) else []
    stills, stills_of_bots = (
        [still for each in group for still in each.stills] for group in (of_players, of_bots)
    )
    return Report(
        kind, seed, struck, notes, watchers, stills, stills_of_bots, findings, seconds, errors, broken, silent
    )  # fmt: skip


def strike(place: Ground, name: str, cut: threading.Event) -> Struck:
    if name != "cut":
        return place.strike(name)
    start = time.monotonic()
    cut.set()
    time.sleep(0.7)
    cut.clear()
    return Struck(name, start, time.monotonic(), None)


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
    """A ground of this kind: `embedded`, `damaged`, or `cluster` with the number of replicas that an action waits for."""
    with short_directory() as directory, ExitStack() as on_exit:
        if kind == "embedded":
            yield Embedded(directory, dice, on_exit)
        elif kind == "damaged":
            yield Damaged(directory, dice, on_exit)
        else:
            yield Clustered(directory, dice, on_exit, int(kind.removeprefix("cluster")))
