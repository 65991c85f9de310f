"""The store and the queue as the worker processes open them: they wait for a store that is away, and do not crash."""

import logging
import time

from services.core.connections import AWAY, connect_queue, open_ledger
from services.core.ledger import Ledger
from services.core.settings import Settings
from services.worker.queue import WorkQueue

log = logging.getLogger(__name__)

FIRST_PAUSE, LONGEST_PAUSE = 0.05, 1.0


class Pauses:
    """The growing pauses between attempts to reach a store that is away; told once, not at every attempt."""

    def __init__(self) -> None:
        self._seconds = FIRST_PAUSE

    def next(self, error: Exception) -> float:
        """How long to wait now."""
        if self._seconds == FIRST_PAUSE:
            log.warning("the store is away: %s", type(error).__name__)
        seconds, self._seconds = self._seconds, min(2 * self._seconds, LONGEST_PAUSE)
        return seconds

    def over(self) -> None:
        """The store is there."""
        self._seconds = FIRST_PAUSE


def open_when_there(settings: Settings) -> tuple[Ledger, WorkQueue]:
    """The games and the queue, as soon as both can be reached."""
    pauses = Pauses()
    while True:
        try:
            return open_ledger(settings), WorkQueue(connect_queue(settings))
        except AWAY as error:
            time.sleep(pauses.next(error))
