"""Retry policies: how long each part of the server waits before it tries again, in one table, and the backoff that follows one.

What is worth another try says `events.store_errors`. The Python client has the same policy in
`stele_client.retrying`: it knows nothing of the server.
"""

import asyncio
import logging
import random
import time
from dataclasses import dataclass

from services.core.greenlet_bridge import await_, in_loop

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class RetryPolicy:
    """Pauses in seconds that double from `first` to `longest`; no more tries after `attempts`, if that is given."""

    first: float
    longest: float
    attempts: int | None = None
    jitter: float = 0.0
    """The part of a pause that is left to chance, so that many do not come back in the same moment."""

    def pause(self, failures: int) -> float:
        """How long to wait after so many failures in a row."""
        grown = min(self.first * 2.0 ** min(failures - 1, 32), self.longest)
        return grown * (1 - self.jitter * random.random())  # noqa: S311  # not a secret


STORE_UNAVAILABLE = RetryPolicy(0.05, 1.0)
"""Processes that cannot reach the store or the queue, or whose writes are refused."""
CONFLICT = RetryPolicy(0.001, 0.05, attempts=200, jitter=0.5)
"""Commands that others' appends overtook. The first is decided anew at once: what came is known by then."""
JOB_FAILED = RetryPolicy(2.0, 60.0)
"""Work on a game that failed by itself: what hinders it hardly goes away soon."""
DELIVERY_REFUSED = RetryPolicy(5.0, 3600.0, jitter=0.2)
"""Receivers of webhooks that do not take an event."""
PUSH_REFUSED = RetryPolicy(10.0, 600.0, attempts=5, jitter=0.2)
"""Push services that do not take a message: it is of no use for long."""
PROCESS_CRASHED = RetryPolicy(0.25, 10.0, attempts=5)
"""Processes of `stele up` that end by themselves."""
SLOT_MOVING = RetryPolicy(0.05, 0.05)
"""Commands to a node of a cluster that is away, or whose slot is on its way to another; and, at most so often, the
question how the slots are shared."""


class Backoff:
    """The growing pauses of one who waits for the store; logged when they begin and when they end, not at every attempt."""

    def __init__(self, reader: str, policy: RetryPolicy = STORE_UNAVAILABLE) -> None:
        self._reader = reader
        self._policy = policy
        self._failures = 0

    def next(self, error: Exception) -> float:
        """How many seconds to wait now."""
        if not self._failures:
            log.warning("%s: the store is away: %s", self._reader, type(error).__name__)
        self._failures += 1
        return self._policy.pause(self._failures)

    def over(self) -> None:
        """The store has answered: the next pauses begin small again."""
        if self._failures:
            log.warning("%s: the store is back", self._reader)
            self._failures = 0


def wait_seconds(seconds: float) -> None:
    """Wait: in the event loop without keeping others waiting."""
    if in_loop():
        await_(asyncio.sleep(seconds))
    else:
        time.sleep(seconds)
