"""Child process with limits on time and memory, for work that would hold the interpreter's lock while players wait."""

import os
import resource
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing import get_context
from typing import Any, TypeVar

from services.core.parent_watch import exit_with_parent

T = TypeVar("T")

NICENESS = 10
"""By how much it stands back behind those who serve players."""


class ChildFailed(Exception):
    """The work took more time or memory than there is for it."""


def limit_process(memory: int) -> None:
    """What the process does first: see to it that it ends with its parent, stand back, and bound its memory."""
    exit_with_parent()
    os.nice(NICENESS)
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


class ChildProcess:
    """One process that works for the threads of this one; it is started when it is needed."""

    def __init__(self, seconds: float, memory: int) -> None:
        self._seconds = seconds
        self._memory = memory
        self._lock = threading.Lock()
        self._pool: ProcessPoolExecutor | None = None

    def run(self, work: Callable[..., T], *arguments: Any) -> T:
        """Have some work done there; a function of a module, with arguments that can be pickled."""
        pool = self._get()
        try:
            return pool.submit(work, *arguments).result(self._seconds)
        except (TimeoutError, MemoryError, BrokenProcessPool) as error:
            self._end(pool)
            raise ChildFailed from error

    def _get(self) -> ProcessPoolExecutor:
        with self._lock:
            if self._pool is None:
                begin = partial(limit_process, self._memory)
                self._pool = ProcessPoolExecutor(1, get_context("spawn"), initializer=begin)
            return self._pool

    def _end(self, pool: ProcessPoolExecutor) -> None:
        """Kill a process that has gone too far; the next work has a new one."""
        with self._lock:
            if self._pool is pool:
                self._pool = None
        for process in list((pool._processes or {}).values()):
            process.kill()
        pool.shutdown(wait=False, cancel_futures=True)
