"""Maps a function over items in several processes."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from typing import TypeVar

FRESH_PROCESSES = get_context("forkserver")
"""Copies of a process that has threads may wait for ever for a lock that one of those held."""
T = TypeVar("T")
R = TypeVar("R")


@contextmanager
def map_in_processes(work: Callable[[T], R], items: Iterable[T], jobs: int) -> Iterator[Iterator[R]]:
    """Do the work on several processes at once (one job: in this one); results come as they are ready."""
    if jobs == 1:
        yield map(work, items)
    else:
        with FRESH_PROCESSES.Pool(jobs) as pool:
            yield pool.imap_unordered(work, items, chunksize=4)
            pool.close()  # and let them go home: one that is ended at work may leave a lock behind
            pool.join()
