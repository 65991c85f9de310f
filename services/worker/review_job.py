"""The review job: makes some steps in a turn of 15 seconds and stores each, so that a killed worker loses at most one."""

import logging
import time
import traceback

import msgspec

from events.canonical import canonical
from events.entries import Carved
from events.store_errors import TRANSIENT
from replays.review.report import review, review_tag
from replays.review.steps import Step, number_of_steps, steps
from services.core import metrics
from services.core.crash_points import crash_point
from services.core.ledger import Ledger
from services.worker.queue import WorkQueue
from services.worker.thinking import THINKING_GUARD, ThinkingInterrupted

log = logging.getLogger(__name__)

REVIEW_TURN_SECONDS = 15.0
"""Seconds that a job goes on for, at least one step."""
MAX_STEP_TRIES = 3
"""How often somebody may set to work on one step: if it kills whoever tries, it is given up."""


def continue_review(ledger: Ledger, queue: WorkQueue, game: str) -> bool:
    """Make some steps of a review. Is there more to do, by someone?"""
    reviews = ledger.projections.reviews
    run = reviews.run(game)
    if run is None:
        return False
    entries = list(ledger.store.walk(game))
    if not entries:  # no log has this id
        reviews.remove(game)
        return False
    making = ReviewInProgress(ledger, queue, game, run, entries)
    if reviews.begins(game) >= MAX_STEP_TRIES:
        making.fail("whoever made it did not come back")
        return False
    try:
        return making.make_steps()
    except TRANSIENT:
        raise
    except ThinkingInterrupted:
        return False  # this process is to stop: another is asked for it in a moment
    except Exception as error:  # it would fail again: it is told, and not tried for ever
        making.fail(type(error).__name__, "".join(traceback.format_tb(error.__traceback__)))
        return False


class ReviewInProgress:
    """One review, as this process makes it."""

    def __init__(
        self, ledger: Ledger, queue: WorkQueue, game: str, run: bytes, entries: list[Carved]
    ) -> None:
        self.ledger, self.queue, self.game, self.run, self.entries = ledger, queue, game, run, entries
        self.reviews = ledger.projections.reviews
        self.tag = review_tag(entries[-1].hash)

    def make_steps(self) -> bool:
        """Go on until it is done, cancelled, or others have their turn. Is there more to do?"""
        until = time.monotonic() + REVIEW_TURN_SECONDS
        done = {step.version: step for step in map(_read_step, self.reviews.steps(self.game))}
        whole: list[Step] = []
        total = number_of_steps(self.entries)
        walk = steps(self.entries, self.ledger.rulesets, done)
        while len(whole) < total:
            with THINKING_GUARD.at_hand():
                whole.append(next(walk))
            if whole[-1].version in done:
                continue
            crash_point("in the middle of a review")
            if not self._keep(whole[-1], min(99, 100 * len(whole) // total)):
                return False  # it was cancelled
            if len(whole) < total and (time.monotonic() > until or self.queue.is_urged()):
                return True
        self.reviews.finish(self.game, self.run, self.tag, canonical(review(self.entries, whole)))
        metrics.JOBS_DONE.labels("review", "done").inc()
        return False

    def _keep(self, step: Step, progress: int) -> bool:
        written = msgspec.json.encode(step)
        return self.reviews.keep_step(self.game, self.run, step.version, written, progress)

    def fail(self, reason: str, trace: str = "") -> None:
        """Tell that it cannot be made, but nothing that is hidden: of an error its kind alone."""
        self.reviews.fail(self.game, self.run, self.tag, reason)
        metrics.JOBS_DONE.labels("review", "failed").inc()
        members = {"game": self.game, "error": reason, "trace": trace}
        log.error("a review cannot be made", extra={"members": members})


_read_step = msgspec.json.Decoder(Step).decode
