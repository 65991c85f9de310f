"""One run of the benchmark: how large it is, what it is doing now, and what else kept the machine busy."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from rich.progress import Progress, TaskID

from bench.figures import Figure
from bench.machine import Outside, Watch


@dataclass(frozen=True)
class Scale:
    """How much is measured: what people should believe, or (`QUICK`) only whether it works."""

    rounds: int = 5
    seconds: float = 4.0
    """Of each measurement."""
    warm: float = 1.0
    """Seconds before it that do not count."""
    players: int = 32
    per_game: int = 50
    """Requests that are made in one game before the next one is begun."""
    fastest: int = 5000
    """Requests a second for which there are games enough."""
    watchers: int = 1000
    watched_seconds: float = 10.0
    long_log: int = 5000
    short_log: int = 100
    crowd: int = 200
    """Games whose projections are to keep up."""
    full_store: int = 100_000
    tables: int = 8
    """Games in which a bot thinks, all at once."""
    thinking_seconds: float = 30.0
    pause: float = 1.0
    """Seconds that a person takes for an action there, more or less."""

    @property
    def games(self) -> int:
        return max(2 * self.players, round((self.seconds + self.warm) * self.fastest / self.per_game))


QUICK = Scale(
    rounds=1,
    seconds=0.4,
    warm=0.1,
    players=16,
    watchers=20,
    watched_seconds=1.0,
    long_log=120,
    short_log=20,
    crowd=24,
    full_store=200,
    tables=2,
    thinking_seconds=4.0,
    pause=0.05,
)


@dataclass
class Run:
    """What the suites need, and what they leave behind besides their figures."""

    scale: Scale
    progress: Progress
    cpu: dict[str, dict[str, list[float]]] = field(default_factory=dict)
    """Microseconds of processor time for one action: by server and program, round by round."""
    outside: list[Outside] = field(default_factory=list)
    _task: TaskID | None = None
    _suite: str = ""

    @contextmanager
    def suite(self, name: str) -> Iterator[None]:
        """Show what is measured while it is."""
        self._suite, self.outside, self.cpu = name, [], {}
        self._task = self.progress.add_task(f"{name} …", total=None)
        try:
            yield
        finally:
            self.progress.remove_task(self._task)
            self._task = None

    def say(self, what: str) -> None:
        """What is being done now."""
        if self._task is not None:
            self.progress.update(self._task, description=f"{self._suite}: {what} …")

    def rounds(self) -> Iterator[int]:
        """The numbers of the rounds; what others use of the machine in each is kept."""
        total = self.scale.rounds
        if self._task is not None:
            self.progress.update(self._task, total=total, completed=0)
        for number in range(1, total + 1):
            self.say(f"round {number} of {total}")
            watch = Watch(os.getpid())
            yield number
            self.outside.append(watch.outside())
            if self._task is not None:
                self.progress.advance(self._task)

    def tell(self, figure: Figure) -> None:
        """The latest round of a figure, for people who look on."""
        self.progress.console.print(
            f"  {figure.name}: {figure.rounds[-1]:.2f} in round {len(figure.rounds)}", style="dim"
        )

    def note_cpu(self, server: str, cpu: dict[str, float]) -> None:
        """What one action cost in this round."""
        rounds = self.cpu.setdefault(server, {})
        for program, microseconds in cpu.items():
            rounds.setdefault(program, []).append(microseconds)
