"""Where chaos takes place: faults by name. Each breaks something, waits a moment, and mends it; what restarts by itself is
left to it.
"""

import json
import os
import signal
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from redis import Redis

from services.worker.queue import QUEUES
from tests.servers import UNLIMITED
from tests.worker.house import House

CLOCK = Path(__file__).parent / "clock"
WORKERS = 2
THINKERS = 1


class Struck(NamedTuple):
    """A fault that was done: what, when, for how long, and which partitions it was to hit."""

    name: str
    start: float
    end: float
    hit: set[str]


class Ground(ABC):
    """A server under chaos. Faults are methods; `kinds` names those that can happen here, the likely ones more often."""

    port: int
    house: House
    queue: Redis
    kinds: tuple[str, ...]

    def __init__(self, directory: Path, dice: Random) -> None:
        self.directory, self.dice = directory, dice
        self.clock = directory / "clock"
        self.clock.write_text("0")
        self.environ = {"PYTHONPATH": str(CLOCK), "CHAOS_CLOCK": str(self.clock), **UNLIMITED}

    @abstractmethod
    def pids(self) -> dict[str, list[int]]:
        """The processes by kind."""

    def strike(self, kind: str) -> Struck:
        """Do one fault."""
        start = time.monotonic()
        hit = getattr(self, kind)()
        return Struck(kind, start, time.monotonic(), hit or set())

    def errors(self) -> list[str]:
        """What processes have logged as an error of theirs, each by its last line."""
        errors = []
        for line in (self.directory / "said").read_text(errors="replace").splitlines():
            with suppress(ValueError, AttributeError):
                entry = json.loads(line)
                if entry.get("level") in ("error", "critical") and "trace" in entry:
                    errors.append(f"{entry['message']}: {' / '.join(entry['trace'].splitlines()[-4:])}")
        return errors

    # -- faults of every ground -------------------------------------------------------------------------------------

    def pause(self) -> None:
        """Some process stands still for a moment."""
        pid = self.dice.choice([pid for pids in self.pids().values() for pid in pids])
        with stopped(pid):
            time.sleep(self.dice.uniform(0.3, 2.0))

    def jump_clock(self) -> None:
        """All clocks are wrong for a while, by up to two hours."""
        self.clock.write_text(str(self.dice.uniform(-7200, 7200)))
        time.sleep(1.0)
        self.clock.write_text("0")

    def muddle_jobs(self) -> None:
        """What waits in the queues is doubled, and its order changed."""
        for name in QUEUES:
            key = f"rq:queue:{name}"
            with suppress(Exception):
                waiting: Any = self.queue.lrange(key, 0, -1)
                again = [*waiting, *self.dice.sample(waiting, len(waiting) // 2)]
                self.dice.shuffle(again)
                with self.queue.pipeline() as pipe:
                    pipe.delete(key)
                    if again:
                        pipe.rpush(key, *again)
                    pipe.execute()


@contextmanager
def stopped(*pids: int) -> Iterator[None]:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)
