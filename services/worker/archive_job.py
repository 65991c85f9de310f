"""The archive job: moves some old games to the archive for two seconds, then lets other jobs have their turn."""

import random
import time

from services.core import metrics
from services.core.archivist import SECONDS_PER_DAY, Archivist
from services.worker.queue import WorkQueue

ARCHIVE_TURN_SECONDS = 2.0
"""Seconds that a job goes on for, at least one game."""


def archive_due_games(archivist: Archivist, days: int, queue: WorkQueue) -> None:
    """Move what was settled so many days ago; if there is more and this helped, it is asked for again."""
    until = time.monotonic() + ARCHIVE_TURN_SECONDS
    games = archivist.due(days * SECONDS_PER_DAY)
    random.shuffle(games)  # so that those that have to stay are not always in the way of others
    helped = False
    for number, moved in enumerate(archivist.run(games), 1):
        metrics.JOBS_DONE.labels("archive", "failed" if moved.problem else "done").inc()
        helped |= moved.problem is None
        if time.monotonic() > until and number < len(games):
            if helped:
                queue.archive(days)
            return
