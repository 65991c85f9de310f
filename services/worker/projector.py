"""The projector: reads the feeds of its partitions, and projects the games that were written to.

It trusts nothing but the marks in the store: a game stays dirty until it is projected. So whatever process is killed,
another one begins with every game of its partitions that is behind.
"""

import signal
import threading
import time
from collections.abc import Iterable, Sequence
from queue import SimpleQueue

from rq import Queue

from events.keys import partitions
from events.store_errors import TRANSIENT
from services.core.backoff import Backoff
from services.core.crash_points import crash_point
from services.core.disk import Disk, disk_of
from services.core.gc_tuning import tune_gc
from services.core.high_water_mark import HighWaterMark
from services.core.logs import log_to_stderr
from services.core.settings import Settings, archives_by_itself, log_dir, read_settings
from services.worker.feeds import Feeds, games_of
from services.worker.head_recorder import HeadRecorder
from services.worker.housekeeping import Housekeeper, LogPolicy, Sweeper
from services.worker.job_handlers import JobHandlers
from services.worker.partition_leases import RENEW_LEASE_SECONDS, PartitionLeases
from services.worker.projection_schedule import ProjectionSchedule
from services.worker.queue import open_when_available
from services.worker.scrub import Scrub

WAIT_FOR_NEWS = 0.5
"""The longest wait for news."""
GLANCE_SECONDS = 0.1
"""The same while games wait for their moment."""
READ_PAUSE = 0.04
"""Between two reads: meanwhile news gather."""
GAMES_PER_BATCH = 64
"""Games that are projected together at most, in two round trips."""
QUEUE_OF_PROJECTIONS = "stele-project"
"""The queue in which versions up to 0.2.0 had projections asked for; the marks say the same."""


class Projector:
    """Projects the games of its partitions until it is stopped."""

    def __init__(
        self,
        feeds: Feeds,
        handlers: JobHandlers,
        leases: PartitionLeases | None = None,
        disk: Disk | None = None,
    ) -> None:
        self.feeds = feeds
        self.handlers = handlers
        self.leases = leases
        """By which it shares the partitions with others; None: they are all its own."""
        self.disk = disk
        """The disk that must have room, if it is ours to watch: every projection takes some."""
        self.schedule = ProjectionSchedule()
        self.stopped = threading.Event()
        self.held: list[str] = []
        self._left_behind: SimpleQueue[str] = SimpleQueue()
        self._outage = Backoff("projections")
        self._next_renewal = 0.0

    def stop(self, *_: object) -> None:
        """Come to an end within a moment."""
        self.stopped.set()

    def run(self) -> None:
        """Work until stopped; while the store is away, wait ever longer, and while its disk is full, for room."""
        backoff = Backoff("projector")
        while not self.stopped.is_set():
            if self.disk and not self.disk.await_room("projector", self.stopped.wait):
                return
            try:
                self.turn()
                backoff.over()
            except TRANSIENT as error:
                self.held = []  # what was read and not projected is taken over again, by its marks
                self.stopped.wait(backoff.next(error))

    def turn(self) -> None:
        """Project what is new and ready."""
        self.hold_partitions(time.monotonic())
        patience = GLANCE_SECONDS if self.schedule else WAIT_FOR_NEWS
        if self.held:
            self.schedule.hear(games_of(self.feeds.next(round(1000 * patience))))
        if back := self.feeds.back():
            self.catch_up_with(back)
        self.schedule.hear(dict.fromkeys(self.take_left_behind(), True))
        self.project(self.schedule.ready(time.monotonic()))
        self.stopped.wait(READ_PAUSE if self.held else patience)

    def hold_partitions(self, now: float) -> None:
        """Renew the lease when it is time, and begin with the games of new partitions that are behind."""
        if self.held and (self.leases is None or now < self._next_renewal):
            return
        self._next_renewal = now + RENEW_LEASE_SECONDS
        try:
            held = self.leases.renew() if self.leases else partitions()
        except TRANSIENT:
            if self.held:
                return  # the queue's store is away: what is held can be projected all the same
            raise
        if held == self.held:
            return
        self.feeds.join(held)
        self.catch_up_with([each for each in held if each not in self.held])
        self.held = held

    def catch_up_with(self, of: Sequence[str]) -> None:
        """Have every game of these partitions that is behind projected at once."""
        self.schedule.hear(dict.fromkeys(self.handlers.projections.dirty(of), True))

    def leave_behind(self, games: Iterable[str]) -> None:
        """Games that were seen to be behind for a while, by a sweep (of another thread)."""
        for game in games:
            self._left_behind.put(game)

    def take_left_behind(self) -> list[str]:
        """Those games, once."""
        return [self._left_behind.get() for _ in range(self._left_behind.qsize())]

    def project(self, games: Sequence[str]) -> None:
        """Project these games. Those that are out of reach have their turn again soon, and delay no other."""
        for start in range(0, len(games), GAMES_PER_BATCH):
            batch = games[start : start + GAMES_PER_BATCH]
            crash_point("between the feed and the projection")
            try:
                self.handlers.project(batch)
                self._outage.over()
            except TRANSIENT as error:
                self._outage.next(error)
                self.schedule.hear(dict.fromkeys(batch, False))


def run_projector(settings: Settings) -> None:
    """Run a projector in this process until it is told to stop; the one that leads keeps house."""
    log_to_stderr(settings.log_level)
    ledger, queue = open_when_available(settings)
    tune_gc()
    client, disk = ledger.store.client, disk_of(settings)
    Queue(QUEUE_OF_PROJECTIONS, connection=queue.connection).delete()
    leases = PartitionLeases(queue.connection)
    projector = Projector(Feeds(client), JobHandlers(ledger, queue), leases, disk)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, projector.stop)
    housekeeper = Housekeeper(
        Sweeper(ledger.projections, queue, projector.leave_behind),
        (archives_by_itself(settings) and settings.archive_after) or 0,
        disk,
        LogPolicy(settings.log_seconds, bool(settings.witnesses)) if log_dir(settings) else None,
        leads=lambda: leases.leads,
    )
    mark = HighWaterMark(settings.data_dir) if disk else None  # of the embedded store
    if mark:
        recorder = HeadRecorder(client, mark)
        threading.Thread(target=recorder.run, args=[projector.stopped], daemon=True).start()
    scrub = Scrub(ledger.store, ledger.projections, queue, mark, projector.stopped)
    threading.Thread(target=scrub.run, daemon=True).start()
    threading.Thread(target=housekeeper.run, args=[projector.stopped], daemon=True).start()
    projector.run()
    leases.give_up()


if __name__ == "__main__":
    run_projector(read_settings())
