"""Fair turns in the slow pool: each caller has one request there at a time, and its others wait in their order.

So the pool's queue holds at most one request of each caller, and whoever sends many keeps nobody but itself waiting.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from services.core import metrics
from services.front.reading import RequestRefused
from services.front.sending import front_problem

MOST_WAITING = 32
"""Slow requests of one caller that are under way or wait; beyond that they are refused."""
TOO_MANY = front_problem(
    429, "rate_limited", f"You have {MOST_WAITING} slow requests under way: wait for some of them."
).with_headers(retry_after="1")


class Line:
    """The requests of one caller."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        """Held by the one that is carried out; it serves those that wait in their order."""
        self.length = 0


class FairTurns:
    """The lines of all callers that have slow requests under way.

    async with turns.turn("address"): …
    """

    def __init__(self) -> None:
        self._lines: dict[str, Line] = {}

    @asynccontextmanager
    async def turn(self, caller: str) -> AsyncIterator[None]:
        """Wait until no other request of this caller is carried out."""
        line = self._lines.setdefault(caller, Line())
        if line.length >= MOST_WAITING:
            metrics.REQUESTS_SHED.labels("caller").inc()
            raise RequestRefused(TOO_MANY)
        line.length += 1
        try:
            async with line.lock:
                yield
        finally:
            line.length -= 1
            if not line.length:
                del self._lines[caller]
