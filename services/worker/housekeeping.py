"""Housekeeping: a thread of the leading projector that looks for what is due or was left undone, and asks for it.

It trusts nothing but the marks in the store: what games owe, whose clocks have run out, which reviews, hints and
deliveries wait. So whatever process was killed, nothing stays undone for more than a few seconds.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from events.store_errors import TRANSIENT
from projections.store import ProjectionStore
from projections.unlogged import Unlogged
from services.core import metrics
from services.core.backoff import Backoff
from services.core.disk import Disk
from services.core.store_maintenance import StoreMaintenance
from services.core.webhooks import Webhooks
from services.worker.queue import WaitingJob, WorkQueue, job_for

log = logging.getLogger(__name__)

SWEEP_SECONDS = 2.0
TICK_SECONDS = 0.5
"""Between two looks at the clocks, and at the hints that players wait for."""
ARCHIVE_SECONDS = 3600.0
"""Between two looks at what has become old enough for the archive."""
MAINTENANCE_SECONDS = 10.0
"""Between two looks after the embedded store."""
CHORE_SECONDS = 0.1
"""Between two looks at which chores are due."""


class Sweeper:
    """Looks for what was left undone."""

    def __init__(
        self,
        projections: ProjectionStore,
        queue: WorkQueue,
        leave_behind: Callable[[Iterable[str]], None],
    ) -> None:
        self.projections = projections
        self.queue = queue
        self.leave_behind = leave_behind
        """Has games projected that were passed over."""
        self.webhooks = Webhooks(projections.client)
        self._dirty_before: frozenset[str] = frozenset()

    def sweep(self) -> None:
        """Ask again for games that were dirty at the sweep before too, and for what is owed and was not asked for."""
        dirty = frozenset(self.projections.dirty())
        passed_over = sorted(dirty & self._dirty_before)
        self.leave_behind([game for game in passed_over if self.queue.claim("project", game)])
        self._dirty_before = dirty
        for projection, game in self.projections.marked():
            projection.publish(self.projections.client, game)
        for name, jobs in self.queue.waiting().items():
            metrics.JOBS_WAITING.labels(name).set(jobs)
        waiting = self.queue.jobs_on_games()
        for game, works in self.projections.todo():
            lost = [work for work in works if WaitingJob(job_for(work), game) not in waiting]
            if lost:
                self.queue.do_all(self.projections.client, game, lost)

    def look_at_reviews(self) -> None:
        """Have reviews made that are under way and that nobody is at."""
        self._ask_for("review", self.projections.reviews.under_way(), self.queue.review)

    def look_at_hints(self) -> None:
        """Have hints made that players wait for and that nobody is at."""
        games = {request.game for request in self.projections.hints.under_way()}
        self._ask_for("hint", sorted(games), self.queue.hint)

    def look_at_ratings(self) -> None:
        """Have the matches rated that are not."""
        if self.projections.ratings.stale_pools():
            self.queue.rate()

    def look_at_pushes(self, now: float) -> None:
        """Have push messages sent that are due (seconds since 1970)."""
        games = {due.game for due in self.projections.pushes.due(now)}
        self._ask_for("push", sorted(games), self.queue.push)

    def look_at_webhooks(self, now: float) -> None:
        """Have what is owed to webhooks delivered."""
        self._ask_for("deliver", self.webhooks.owed(now), self.queue.deliver)

    def look_at_clocks(self, now: float) -> None:
        """Have games looked at whose clocks have run out by now (seconds since 1970)."""
        self._ask_for("expire", self.projections.late(round(now * 1000)), self.queue.expire)

    def _ask_for(self, job: str, subjects: Iterable[str], ask: Callable[[str], None]) -> None:
        """Ask for this job on each of these, unless it waits already."""
        wanted = list(subjects)
        waiting = self.queue.jobs_on_games() if wanted else ()
        for subject in wanted:
            if WaitingJob(job, subject) not in waiting:
                ask(subject)


class LogPolicy(NamedTuple):
    """How often the transparency log is written on, and whether witnesses sign it."""

    seconds: int
    has_witnesses: bool


@dataclass
class Chore:
    """Something that is done again and again."""

    seconds: float
    """From one time to the next."""
    work: Callable[[], object]
    due: float = 0.0


class Housekeeper:
    """Does the chores of a server, one after another; one that fails keeps no other from being done."""

    def __init__(
        self,
        sweeper: Sweeper,
        archive_after: int = 0,
        disk: Disk | None = None,
        log_policy: LogPolicy | None = None,
        leads: Callable[[], bool] = lambda: True,
    ) -> None:
        self.disk = disk
        """The disk that must have room, if it is ours to watch: every job that is asked for takes some."""
        self.leads = leads
        """Is this the process that keeps house?"""
        self.queue, self.client = sweeper.queue, sweeper.projections.client
        self._outage = Backoff("housekeeping")
        self._next_log = 0.0
        self.chores = [
            Chore(TICK_SECONDS, lambda: sweeper.look_at_clocks(time.time())),
            Chore(TICK_SECONDS, sweeper.look_at_hints),
            Chore(TICK_SECONDS, lambda: sweeper.look_at_pushes(time.time())),
            Chore(SWEEP_SECONDS, sweeper.sweep),
            Chore(SWEEP_SECONDS, sweeper.look_at_reviews),
            Chore(SWEEP_SECONDS, sweeper.look_at_ratings),
            Chore(SWEEP_SECONDS, lambda: sweeper.look_at_webhooks(time.time())),
        ]
        if log_policy:
            self.chores.append(Chore(SWEEP_SECONDS, lambda: self.look_at_log(log_policy)))
        if disk:
            self.chores.append(Chore(MAINTENANCE_SECONDS, StoreMaintenance(self.client, disk).look))
        if archive_after:
            self.chores.append(Chore(ARCHIVE_SECONDS, lambda: self.queue.archive(archive_after)))

    def run(self, stopped: threading.Event) -> None:
        """Do what is due until stopped; while the disk is full, wait for room."""
        while not stopped.wait(CHORE_SECONDS):
            if self.disk and not self.disk.await_room("housekeeping", stopped.wait):
                return
            if self.leads():
                self.do_what_is_due(time.monotonic())

    def do_what_is_due(self, now: float) -> None:
        """Do each chore whose time has come."""
        failed = False
        for chore in self.chores:
            if now < chore.due:
                continue
            chore.due = now + chore.seconds
            try:
                chore.work()
            except TRANSIENT as error:
                chore.due, failed = now + self._outage.next(error), True
            except Exception:  # the next time it may be done
                log.exception("a chore has failed")
        if not failed:
            self._outage.over()

    def look_at_log(self, policy: LogPolicy) -> None:
        """Have the transparency log written on if leaves wait for it, or witnesses may owe it a signature."""
        now = time.monotonic()
        if now >= self._next_log and (policy.has_witnesses or Unlogged(self.client).count()):
            self._next_log = now + policy.seconds
            self.queue.write_log()
