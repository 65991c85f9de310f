"""The archive, filled a while at a time: a worker moves some old games and lets others have their turn."""

import random
import time

from services.core import metrics
from services.core.archiving import DAY, Archivist
from services.worker.queue import WorkQueue

AT_ONCE = 2.0
"""Seconds that a job goes on for, at least one game."""


def archive_for_a_while(archivist: Archivist, days: int, queue: WorkQueue) -> None:
    """Move what was settled so many days ago; if there is more and this helped, it is asked for again."""
    until = time.monotonic() + AT_ONCE
    games = archivist.due(days * DAY)
    random.shuffle(games)  # so that those that have to stay are not always in the way of others
    helped = False
    for number, moved in enumerate(archivist.run(games), 1):
        metrics.JOBS.labels("archive", "failed" if moved.problem else "done").inc()
        helped |= moved.problem is None
        if time.monotonic() > until and number < len(games):
            if helped:
                queue.archive(days)
            return
