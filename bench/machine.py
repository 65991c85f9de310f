"""The machine, as the kernel tells of it: who used its processors, and what it is."""

import os
import platform
import subprocess
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

SCRATCH = Path("/var/tmp")
"""Where the stores that are measured are: on a disk, as a rule, where /tmp may be in memory."""
TICKS = os.sysconf("SC_CLK_TCK")
PROC = Path("/proc")
NO_NAMES = {"__main__", "process", "serve"}
"""Modules that say less than the package they are in."""


class Process(NamedTuple):
    """A process, with the seconds of processor time that it used, its ended children's included."""

    pid: int
    parent: int
    seconds: float


def processes() -> dict[int, Process]:
    """All that run now."""
    processes = {}
    for directory in PROC.iterdir():
        if directory.name.isdigit():
            try:
                words = (directory / "stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue  # it ended meanwhile
            used = sum(map(int, words[11:15])) / TICKS
            processes[int(directory.name)] = Process(int(directory.name), int(words[1]), used)
    return processes


def descendants(root: int, running: dict[int, Process]) -> list[Process]:
    """A process and all that it started, parents before children."""
    children = defaultdict(list)
    for process in running.values():
        children[process.parent].append(process)
    family = [running[root]] if root in running else []
    for process in family:
        family += children[process.pid]
    return family


def used_by(root: int) -> float:
    """Seconds of processor time used so far by a process and all that it started."""
    return sum(process.seconds for process in descendants(root, processes()))


def used_by_name(root: int) -> dict[str, float]:
    """The same, apart for each program: who has no name of its own counts with its parent."""
    names: dict[int, str] = {}
    used: dict[str, float] = defaultdict(float)
    for process in descendants(root, processes()):
        name = program(process.pid) or names.get(process.parent, "others")
        names[process.pid] = name
        used[name] += process.seconds
    return dict(used)


def program(pid: int) -> str | None:
    """What a process is called: the module that Python runs, or the command; Valkey is `store`."""
    try:
        words = (PROC / str(pid) / "cmdline").read_text().split("\0")
    except OSError:
        return None
    if "-m" in words:
        parts = words[words.index("-m") + 1].split(".")
        return next((part for part in reversed(parts) if part not in NO_NAMES), None)
    command = Path(words[0].partition(" ")[0]).name  # Valkey adds to it where it listens
    return "store" if command.startswith(("valkey", "redis")) else None if "python" in command else command


@dataclass(frozen=True)
class Outside:
    """How busy others kept the machine while we measured, as shares of it."""

    others: float
    stolen: float
    load_average: float


class Watch:
    """Looks at the whole machine from its making on; all that `ours` started, and itself, are not others."""

    def __init__(self, ours: int) -> None:
        self._ours = ours
        self._begun = self._look()

    def outside(self) -> Outside:
        """What was used since by whom we did not start."""
        at, busy, stolen, ours = (now - then for now, then in zip(self._look(), self._begun, strict=True))
        whole = at * (os.cpu_count() or 1)
        return Outside(max(0.0, (busy - ours) / whole), stolen / whole, os.getloadavg()[0])

    def _look(self) -> tuple[float, float, float, float]:
        with (PROC / "stat").open() as file:
            user, nice, system, _idle, _iowait, irq, softirq, stolen = (
                int(word) / TICKS for word in file.readline().split()[1:9]
            )
        return monotonic(), user + nice + system + irq + softirq, stolen, used_by(self._ours)


def description() -> dict[str, Any]:
    """What was measured, and on what."""
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty"], capture_output=True, text=True, check=False
    )
    return {
        "commit": commit.stdout.strip() or None,
        "cores": os.cpu_count(),
        "processor": processor(),
        "system": platform.platform(),
        "python": sys.version.split()[0],
        "stores_on": file_system(SCRATCH),
    }


def processor() -> str:
    for line in (PROC / "cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def file_system(path: Path) -> str:
    """The kind of file system that a path is on: a store on one in memory keeps nothing."""
    mounts = [line.split() for line in (PROC / "mounts").read_text().splitlines()]
    over = [words for words in mounts if path.resolve().is_relative_to(words[1])]
    return max(over, key=lambda words: len(words[1]))[2]
