"""The dispatcher: it follows the feeds of appends, enqueues jobs, and sweeps for work that was lost.

The sweeper trusts nothing but the marks in the store: which games are dirty, what they owe, whose clocks have run
out. So whatever process was killed, nothing stays undone for more than a few seconds.
"""

import signal
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from redis.cluster import RedisCluster

from events.store_errors import TRANSIENT, UNAVAILABLE
from projections.store import ProjectionStore
from projections.unlogged import Unlogged
from services.core import metrics
from services.core.backoff import Backoff
from services.core.crash_points import crash_point
from services.core.disk import Disk, disk_of
from services.core.high_water_mark import HighWaterMark
from services.core.logs import log_to_stderr
from services.core.settings import Settings, archives_by_itself, log_dir, read_settings
from services.core.store_maintenance import StoreMaintenance
from services.core.webhooks import Webhooks
from services.worker.feeds import Feeds, games_of
from services.worker.head_recorder import HeadRecorder
from services.worker.projection_schedule import ProjectionSchedule
from services.worker.queue import WaitingJob, WorkQueue, job_for, open_when_available
from services.worker.scrub import Scrub

SWEEP_SECONDS = 2.0
TICK_SECONDS = 0.5
"""Between two looks at the clocks, and the longest wait for news."""
GLANCE_SECONDS = 0.1
"""The longest wait for news while games wait for their moment."""
READ_PAUSE = 0.04
"""Between two reads: meanwhile news gather into one job."""
ARCHIVE_SECONDS = 3600.0
"""Between two looks at what has become old enough for the archive."""
MAINTENANCE_SECONDS = 10.0
"""Between two looks after the embedded store."""
ENOUGH_PROJECTIONS = 4
"""Waiting jobs beyond which no more are asked for: the marks stay where they are."""


class Sweeper:
    """Looks for what was left undone."""

    def __init__(self, projections: ProjectionStore, queue: WorkQueue) -> None:
        self.projections = projections
        self.queue = queue
        self.webhooks = Webhooks(projections.client)
        self._dirty_before: frozenset[str] = frozenset()

    def sweep(self) -> None:
        """Ask again for games that were dirty at the sweep before too, and for what is owed and was not asked for."""
        dirty = frozenset(self.projections.dirty())
        if self.queue.urgent.count < ENOUGH_PROJECTIONS:
            self.queue.project_again(sorted(dirty & self._dirty_before))
            self._dirty_before = dirty
        for projection, game in self.projections.marked():
            projection.publish(self.projections.client, game)
        for name, jobs in self.queue.waiting().items():
            metrics.JOBS_WAITING.labels(name).set(jobs)
        waiting = self.queue.jobs_on_games()
        for game, works in self.projections.todo():
            for work in works:
                if WaitingJob(job_for(work), game) not in waiting:
                    self.queue.do(game, work)

    def look_at_reviews(self) -> None:
        """Have reviews made that are under way and that nobody is at."""
        reviews = self.projections.reviews.under_way()
        waiting = self.queue.jobs_on_games() if reviews else ()
        for game in reviews:
            if WaitingJob("review", game) not in waiting:
                self.queue.review(game)

    def look_at_hints(self) -> None:
        """Have hints made that players wait for and that nobody is at."""
        games = {request.game for request in self.projections.hints.under_way()}
        waiting = self.queue.jobs_on_games() if games else ()
        for game in sorted(games):
            if WaitingJob("hint", game) not in waiting:
                self.queue.hint(game)

    def look_at_ratings(self) -> None:
        """Have the matches rated that are not; they lie in one part of the store, without which all others go on."""
        with suppress(*UNAVAILABLE):
            if self.projections.ratings.stale_pools():
                self.queue.rate()

    def look_at_pushes(self, now: float) -> None:
        """Have push messages sent that are due (seconds since 1970)."""
        games = {due.game for due in self.projections.pushes.due(now)}
        waiting = self.queue.jobs_on_games() if games else ()
        for game in sorted(games):
            if WaitingJob("push", game) not in waiting:
                self.queue.push(game)

    def look_at_webhooks(self, now: float) -> None:
        """Have what is owed to webhooks delivered."""
        try:
            owed = self.webhooks.owed(now)
        except UNAVAILABLE:
            if not isinstance(self.projections.client, RedisCluster):
                raise
            return  # a part of the store is out of reach, which must not stop what the others are due
        waiting = self.queue.jobs_on_games() if owed else ()
        for webhook in owed:
            if WaitingJob("deliver", webhook) not in waiting:
                self.queue.deliver(webhook)

    def look_at_clocks(self, now: float) -> None:
        """Have games looked at whose clocks have run out by now (seconds since 1970)."""
        late = list(self.projections.late(round(now * 1000)))
        waiting = self.queue.jobs_on_games() if late else ()
        for game in late:
            if WaitingJob("expire", game) not in waiting:
                self.queue.expire(game)


class LogPolicy(NamedTuple):
    """How often the transparency log is written on, and whether witnesses sign it."""

    seconds: int
    has_witnesses: bool


class Dispatcher:
    """Passes on what the feeds tell, until it is stopped."""

    def __init__(
        self,
        feeds: Feeds,
        sweeper: Sweeper,
        queue: WorkQueue,
        archive_after: int = 0,
        disk: Disk | None = None,
        log_policy: LogPolicy | None = None,
    ) -> None:
        self.feeds = feeds
        self.archive_after = archive_after
        """Days after which settled games are archived; 0 for never."""
        self.disk = disk
        """The disk that must have room, if it is ours to watch: every job that is asked for takes some."""
        self.upkeep = StoreMaintenance(feeds.client, disk) if disk else None
        self.sweeper = sweeper
        self.queue = queue
        self.cadence = ProjectionSchedule()
        self.stopped = threading.Event()
        self.log_policy = log_policy
        """When the transparency log is written on, if this server keeps one."""
        self._next_tick = self._next_sweep = self._next_archiving = self._next_upkeep = self._next_log = 0.0

    def stop(self, *_: object) -> None:
        """Come to an end within a moment."""
        self.stopped.set()

    def run(self) -> None:
        """Work until stopped; while the store is away, wait ever longer, and while its disk is full, for room."""
        backoff, joined = Backoff("dispatcher"), False
        while not self.stopped.is_set():
            if self.disk and not self.disk.await_room("dispatcher", self.stopped.wait):
                return
            try:
                if not joined:
                    self._take_over()
                    joined = True
                self.turn()
                backoff.over()
            except TRANSIENT as error:
                joined = False  # what was read and not passed on is taken over again, by its marks
                self.stopped.wait(backoff.next(error))

    def turn(self) -> None:
        """Pass on what is new and ready, and do what is due."""
        if self.queue.urgent.count < ENOUGH_PROJECTIONS:
            patience = GLANCE_SECONDS if self.cadence else TICK_SECONDS
            self.cadence.hear(games_of(self.feeds.next(round(1000 * patience))))
            if partitions := self.feeds.back():
                self._catch_up_with(partitions)
            self._pass_on(self.cadence.ready(time.monotonic()))
        self.stopped.wait(READ_PAUSE)
        self._do_what_is_due(time.monotonic())

    def _take_over(self) -> None:
        """Begin where a dispatcher before us was stopped or killed: with every game that is behind."""
        self.feeds.join()
        self._catch_up_with(None)

    def _catch_up_with(self, partitions: Sequence[str] | None) -> None:
        """Have every game of these partitions (None: of all) that is behind projected at once."""
        self.cadence.hear(dict.fromkeys(self.sweeper.projections.dirty(partitions), True))

    def _pass_on(self, games: Sequence[str]) -> None:
        if games:
            crash_point("between the feed and the enqueue")
            self.queue.project(games)

    def _do_what_is_due(self, now: float) -> None:
        if now >= self._next_tick:
            self._next_tick = now + TICK_SECONDS
            self.sweeper.look_at_clocks(time.time())
            self.sweeper.look_at_hints()
            self.sweeper.look_at_pushes(time.time())
        if now >= self._next_sweep:
            self._next_sweep = now + SWEEP_SECONDS
            self.sweeper.sweep()
            self.sweeper.look_at_reviews()
            self.sweeper.look_at_ratings()
            self.sweeper.look_at_webhooks(time.time())
            self._look_at_log(now)
        if self.upkeep and now >= self._next_upkeep:
            self._next_upkeep = now + MAINTENANCE_SECONDS
            self.upkeep.look()
        if self.archive_after and now >= self._next_archiving:
            self._next_archiving = now + ARCHIVE_SECONDS
            self.queue.archive(self.archive_after)

    def _look_at_log(self, now: float) -> None:
        """Have the transparency log written on if leaves wait for it, or witnesses may owe it a signature."""
        if self.log_policy and now >= self._next_log:
            wanted = self.log_policy.has_witnesses or Unlogged(self.feeds.client).count()
            if wanted:
                self._next_log = now + self.log_policy.seconds
                self.queue.write_log()


def dispatch(settings: Settings) -> None:
    """Run a dispatcher in this process until it is told to stop."""
    log_to_stderr(settings.log_level)
    ledger, queue = open_when_available(settings)
    days = settings.archive_after if archives_by_itself(settings) else 0
    sweeper = Sweeper(ledger.projections, queue)
    log_policy = LogPolicy(settings.log_seconds, bool(settings.witnesses)) if log_dir(settings) else None
    dispatcher = Dispatcher(Feeds(ledger.store.client), sweeper, queue, days, disk_of(settings), log_policy)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, dispatcher.stop)
    mark = HighWaterMark(settings.data_dir) if dispatcher.disk else None  # of the embedded store
    if mark:
        recorder = HeadRecorder(ledger.store.client, mark)
        threading.Thread(target=recorder.run, args=[dispatcher.stopped], daemon=True).start()
    scrub = Scrub(ledger.store, ledger.projections, queue, mark, dispatcher.stopped)
    threading.Thread(target=scrub.run, daemon=True).start()
    dispatcher.run()


if __name__ == "__main__":
    dispatch(read_settings())
