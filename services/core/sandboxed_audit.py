"""Sandboxed audit of untrusted records: in a separate process with limits on time and memory.

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
from replays.audit.verify import Fault, LogTrust, read_record
from services.core.parent_watch import exit_with_parent

MAX_AUDIT_SECONDS = 60.0
"""Seconds that an examination may take."""
MAX_AUDIT_MEMORY = 2 << 30
NICENESS = 10
"""By how much it stands back behind those who serve players."""
MIN_BYTES_PER_OBJECT = 12
"""Bytes that an object or a list of a record has at least, on the whole: its members have names."""

RecordAudit = Audit | str
"""What was found; or, if it is no record at all, why not."""
RecordAuditor = Callable[[bytes, Trust, LogTrust], RecordAudit]


def audit_record_bytes(rulesets: Registry, source: bytes, trust: Trust, log: LogTrust) -> RecordAudit:
    """Read and audit a record."""
    if (source.count(b"{") + source.count(b"[")) * MIN_BYTES_PER_OBJECT > len(source) + 1000:
        return "it holds more objects than a record of its size can have"
    try:
        record = read_record(source)
    except Fault as fault:
        return fault.detail
    return audit(record, rulesets, trust=trust, log=log)


def audit_by_built_in_rules(source: bytes, trust: Trust, log: LogTrust) -> RecordAudit:
    return audit_record_bytes(RULESETS, source, trust, log)


def limit_process() -> None:
    """What the process does first: see to it that it ends with its parent, stand back, and bound its memory."""
    exit_with_parent()
    os.nice(NICENESS)
    resource.setrlimit(resource.RLIMIT_AS, (MAX_AUDIT_MEMORY, MAX_AUDIT_MEMORY))


class SandboxedAuditor:
    """Examines records in a process of its own, which is begun when it is needed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pool: ProcessPoolExecutor | None = None

    def __call__(self, source: bytes, trust: Trust, log: LogTrust) -> RecordAudit:
        pool = self._get()
        try:
            return pool.submit(audit_by_built_in_rules, source, trust, log).result(MAX_AUDIT_SECONDS)
        except (TimeoutError, MemoryError, BrokenProcessPool):
            self._end(pool)
            return "it cannot be read in the time and memory that there is for it"

    def _get(self) -> ProcessPoolExecutor:
        with self._lock:
            if self._pool is None:
                self._pool = ProcessPoolExecutor(1, get_context("spawn"), initializer=limit_process)
            return self._pool

    def _end(self, pool: ProcessPoolExecutor) -> None:
        """Kill a process that has gone too far; the next record has a new one."""
        with self._lock:
            if self._pool is pool:
                self._pool = None
        for process in list((pool._processes or {}).values()):
            process.kill()
        pool.shutdown(wait=False, cancel_futures=True)
