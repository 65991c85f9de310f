"""What each process of a server holds, as the kernel tells it: memory and open files, looked at again and again."""

import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from bench.machine import descendants, processes, program

MB = 1 << 20
GROWTH, SLACK_MB = 0.10, 4.0
"""What memory may grow by after the warm-up: a tenth, and some pages that the allocator keeps."""
SPARE_FILES = 24
"""Files that a process may open while it works and keep: the connections of its pools to the store."""
STORE = "store"


class Sample(NamedTuple):
    """One process at one moment."""

    seconds: float
    memory: float
    """MB that it holds itself or shares."""
    files: int


class Process(NamedTuple):
    """One process and what was seen of it, from the end of the warm-up on."""

    name: str
    at_rest: int
    """Open files before anyone came."""
    samples: Sequence[Sample]
    left: int
    """Open files after everyone had gone."""

    @property
    def first(self) -> float:
        """MB after the warm-up: the median of the first quarter."""
        return statistics.median(each.memory for each in self._quarter(0))

    @property
    def last(self) -> float:
        """MB in the end: the median of the last quarter."""
        return statistics.median(each.memory for each in self._quarter(-1))

    def _quarter(self, which: int) -> Sequence[Sample]:
        length = max(1, len(self.samples) // 4)
        return self.samples[:length] if which == 0 else self.samples[-length:]

    @property
    def is_flat(self) -> bool:
        return self.last <= self.first * (1 + GROWTH) + SLACK_MB

    @property
    def leaks_files(self) -> bool:
        return self.left > self.at_rest + SPARE_FILES


def store_grows_with_its_logs(store: Process, entries: Sequence[tuple[float, int]]) -> bool:
    """Does the store hold no more for an entry in the second half than in the first? Logs are there to be kept."""
    halves = len(store.samples) // 2
    first, second = store.samples[: halves + 1], store.samples[halves:]
    early, late = (
        (half[-1].memory - half[0].memory, appended(entries, half[0].seconds, half[-1].seconds))
        for half in (first, second)
    )
    allowed = max(early[0], 0.0) / max(early[1], 1) * late[1]
    return late[0] <= 1.5 * allowed + SLACK_MB


def appended(entries: Sequence[tuple[float, int]], begin: float, end: float) -> int:
    """How many entries were appended between these moments."""
    counts = [count for seconds, count in entries if begin <= seconds <= end]
    return counts[-1] - counts[0] if counts else 0


def name_of(pid: int) -> str:
    with suppress(OSError):
        if b"reaper.py" in Path(f"/proc/{pid}/cmdline").read_bytes():
            return "guard"
    return program(pid) or "supervisor"


def family(root: int) -> set[int]:
    """A process and all that it started."""
    return {process.pid for process in descendants(root, processes())}


def look(pids: Iterable[int], seconds: float) -> Iterator[tuple[int, Sample]]:
    """Each of these processes as it is now; those that are gone are left out."""
    for pid in pids:
        with suppress(OSError):
            status = Path(f"/proc/{pid}/status").read_text()
            pages = next(line for line in status.splitlines() if line.startswith("VmRSS"))
            files = sum(1 for _ in Path(f"/proc/{pid}/fd").iterdir())
            yield pid, Sample(seconds, int(pages.split()[1]) / 1024, files)


class Observer:
    """Looks at the processes that run when it is made: those that stay are what a leak would be in."""

    def __init__(self, pids: Iterable[int]) -> None:
        self.names = numbered({pid: name_of(pid) for pid in sorted(pids)})
        self.at_rest = {pid: sample.files for pid, sample in look(self.names, 0.0)}
        self.samples: dict[int, list[Sample]] = {pid: [] for pid in self.names}

    def look(self, seconds: float) -> None:
        for pid, sample in look(self.names, seconds):
            self.samples[pid].append(sample)

    def files(self) -> dict[int, int]:
        return {pid: sample.files for pid, sample in look(self.names, 0.0)}

    @property
    def gone(self) -> list[str]:
        """Those that have ended meanwhile."""
        alive = self.files()
        return [name for pid, name in self.names.items() if pid not in alive]

    def processes(self) -> list[Process]:
        """What was seen of those that are still there."""
        return [
            Process(self.names[pid], self.at_rest[pid], self.samples[pid], files)
            for pid, files in self.files().items()
            if pid in self.at_rest and self.samples[pid]
        ]


def numbered(names: Mapping[int, str]) -> dict[int, str]:
    """The second of a name is called so: `worker 2`."""
    counts: dict[str, int] = {}
    by_pid = {}
    for pid, name in names.items():
        counts[name] = counts.get(name, 0) + 1
        by_pid[pid] = name if counts[name] == 1 else f"{name} {counts[name]}"
    return by_pid
