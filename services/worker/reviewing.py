"""Making reviews: step by step, a while at a time. Each step is kept, so whoever is killed is gone on from."""

import logging
import time
import traceback

import msgspec

from events.canonical import canonical
from events.entries import Carved
from events.weather import WEATHER
from replays.review.report import review, tag_of
from replays.review.steps import Step, number_of_steps, steps
from services.core import metrics
from services.core.faults import fault
from services.core.ledger import Ledger
from services.worker.queue import WorkQueue

log = logging.getLogger(__name__)

AT_ONCE = 15.0
"""Seconds that a job goes on for, at least one step."""
MOST_TRIES = 3
"""How often somebody may set to work on one step: if it kills whoever tries, it is given up."""


class Reviewing:
    """One review, as it is gone on with by this process."""

    def __init__(self, ledger: Ledger, queue: WorkQueue, game: str) -> None:
        self.ledger, self.queue, self.game = ledger, queue, game
        self.reviews = ledger.projections.reviews

    def go_on(self) -> bool:
        """Make some steps. Is there more to do?"""
        run = self.reviews.run(self.game)
        if run is None:
            return False
        entries = list(self.ledger.store.walk(self.game))
        tag = tag_of(entries[-1].hash)
        if self.reviews.begins(self.game) >= MOST_TRIES:
            self._fail(run, tag, "whoever made it did not come back")
            return False
        try:
            return self._steps(run, entries, tag)
        except WEATHER:
            raise
        except (
            Exception
        ) as error:  # whatever is wrong with it would be wrong again: it is told, and not tried for ever
            trace = "".join(traceback.format_tb(error.__traceback__))
            self._fail(run, tag, type(error).__name__, trace)
            return False

    def _steps(self, run: bytes, entries: list[Carved], tag: str) -> bool:
        until = time.monotonic() + AT_ONCE
        done = {step.version: step for step in map(_read_step, self.reviews.steps(self.game))}
        whole, total = [], number_of_steps(entries)
        for step in steps(entries, self.ledger.rulesets, done):
            whole.append(step)
            if step.version in done:
                continue
            fault("in the middle of a review")
            self.queue.begin("review", self.game)
            progress = min(99, 100 * len(whole) // total)
            if not self.reviews.keep_step(self.game, run, step.version, msgspec.json.encode(step), progress):
                return False  # it was cancelled
            if time.monotonic() > until and len(whole) < total:
                return True
        self.reviews.finish(self.game, run, tag, canonical(review(entries, whole)))
        metrics.JOBS.labels("review", "done").inc()
        return False

    def _fail(self, run: bytes, tag: str, reason: str, trace: str = "") -> None:
        """Tell that it cannot be made, but nothing that is hidden: of an error its kind alone."""
        self.reviews.fail(self.game, run, tag, reason)
        metrics.JOBS.labels("review", "failed").inc()
        members = {"game": self.game, "error": reason, "trace": trace}
        log.error("a review cannot be made", extra={"members": members})


_read_step = msgspec.json.Decoder(Step).decode
