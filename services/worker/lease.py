"""Lease on a piece of work: renewed by a thread while the work goes on, free seconds after its process is killed.

A claim (`services.worker.queue`) says that something was asked for; jobs may be doubled all the same. What is held is done
by nobody else meanwhile: a thread prolongs both while the work goes on, and nobody does when the process is dead.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from redis.exceptions import LockError
from redis.lock import Lock

from events.store_errors import TRANSIENT
from services.worker.queue import CLAIM_SECONDS, WorkQueue

RENEW_SECONDS = CLAIM_SECONDS / 4


@contextmanager
def hold_lease(queue: WorkQueue, job: str, game: str) -> Iterator[bool]:
    """Hold this work for the length of the block; False if someone else does."""
    lock = Lock(queue.connection, f"stele:held:{job}:{game}", timeout=CLAIM_SECONDS, thread_local=False)
    if not lock.acquire(blocking=False):
        yield False
        return
    over = threading.Event()

    def prolong() -> None:
        while not over.wait(RENEW_SECONDS):
            with suppress(
                LockError, *TRANSIENT
            ):  # lost while we stood still, or the store is away: an append will tell
                lock.reacquire()
                queue.begin(job, game)

    beat = threading.Thread(target=prolong, name=f"hold {job} {game}", daemon=True)
    try:
        queue.begin(job, game)
        beat.start()
        yield True
    finally:
        over.set()
        if beat.is_alive():
            beat.join()
        with suppress(LockError, *TRANSIENT):
            lock.release()
