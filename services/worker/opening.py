"""The store and the queue as the worker processes open them: they wait for a store that is away, and do not crash."""

import time

from services.core.connections import AWAY, Pauses, connect_queue, open_ledger
from services.core.ledger import Ledger
from services.core.settings import Settings
from services.worker.queue import WorkQueue


def open_when_there(settings: Settings) -> tuple[Ledger, WorkQueue]:
    """The games and the queue, as soon as both can be reached."""
    pauses = Pauses("start")
    while True:
        try:
            return open_ledger(settings), WorkQueue(connect_queue(settings))
        except AWAY as error:
            time.sleep(pauses.next(error))
