"""Records that anyone may bring are examined apart: in a process of their own, with bounds on time and memory.

To read and check what a stranger has made up may take long however it is done, and a thread that does it would hold
the interpreter's lock while players wait.
"""

import os
import resource
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context

from games import RULESETS
from games.kernel import Registry
from replays.audit.audit import Audit, audit
from replays.audit.heads import Trust
from replays.audit.verify import Fault, read_record
from services.core.orphans import end_with_parent

LONGEST = 60.0
"""Seconds that an examination may take."""
MOST_MEMORY = 2 << 30
POLITENESS = 10
"""By how much it stands back behind those who serve players."""
OBJECT = 12
"""Bytes that an object or a list of a record has at least, on the whole: its members have names."""

Examination = Audit | str
"""What was found; or, if it is no record at all, why not."""
Examine = Callable[[bytes, Trust], Examination]


def examine(rulesets: Registry, source: bytes, trust: Trust) -> Examination:
    """Read and audit a record."""
    if (source.count(b"{") + source.count(b"[")) * OBJECT > len(source) + 1000:
        return "it holds more objects than a record of its size can have"
    try:
        record = read_record(source)
    except Fault as fault:
        return fault.detail
    return audit(record, rulesets, trust=trust)


def examine_by_our_rules(source: bytes, trust: Trust) -> Examination:
    return examine(RULESETS, source, trust)


def begin() -> None:
    """What the process does first: see to it that it ends with its parent, stand back, and bound its memory."""
    end_with_parent()
    os.nice(POLITENESS)
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))


class Apart:
    """Examines records in a process of its own, which is begun when it is needed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pool: ProcessPoolExecutor | None = None

    def __call__(self, source: bytes, trust: Trust) -> Examination:
        pool = self._get()
        try:
            return pool.submit(examine_by_our_rules, source, trust).result(LONGEST)
        except (TimeoutError, MemoryError, BrokenProcessPool):
            self._end(pool)
            return "it cannot be read in the time and memory that there is for it"

    def _get(self) -> ProcessPoolExecutor:
        with self._lock:
            if self._pool is None:
                self._pool = ProcessPoolExecutor(1, get_context("spawn"), initializer=begin)
            return self._pool

    def _end(self, pool: ProcessPoolExecutor) -> None:
        """Kill a process that has gone too far; the next record has a new one."""
        with self._lock:
            if self._pool is pool:
                self._pool = None
        for process in list((pool._processes or {}).values()):
            process.kill()
        pool.shutdown(wait=False, cancel_futures=True)
