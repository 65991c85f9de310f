"""Worker process: RQ's SimpleWorker with JSON jobs from an allow-list, which waits while the store is unavailable."""

import logging
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

from rq import Queue, SimpleWorker
from rq.exceptions import InvalidJobOperation, NoSuchJobError, StopRequested
from rq.job import Job
from rq.serializers import JSONSerializer
from rq.timeouts import BaseDeathPenalty

from events.store_errors import TRANSIENT
from services.core.backoff import STORE_UNAVAILABLE, Backoff
from services.core.disk import Disk, disk_of
from services.core.gc_tuning import tune_gc
from services.core.logs import log_to_stderr
from services.core.settings import Settings, read_settings
from services.worker import jobs
from services.worker.allowlisted_job import AllowlistedJob, JobNotAllowed
from services.worker.priority import WORKER_NICENESS, lower_priority
from services.worker.queue import ORDINARY, QUEUES, WorkQueue, open_when_available
from services.worker.thinking import THINKING_GUARD

log = logging.getLogger(__name__)

WAIT_SECONDS = 3
"""How long one wait for a job lasts: less than a connection may be silent (`connections.TIMEOUT`)."""
RQ_MARGIN = 15
"""What RQ takes off a worker's time to live to get the length of its waits."""
SAME_SIGNAL_SECONDS = 1.0
"""Seconds within which a second signal is the same one, to the process and to its group."""


class Unlimited(BaseDeathPenalty):
    """No limit: RQ would raise an error in whatever a job is doing. Ours bound themselves."""

    def setup_death_penalty(self) -> None:
        """Nothing is set up."""

    def cancel_death_penalty(self) -> None:
        """Nothing is to be cancelled."""


class Worker(SimpleWorker):
    """Waits for a store that is away and for a disk that is full, and is deaf to what the queue's store may command.

    A job that was broken off by the store is told in one line; the marks in the store have it asked for again.
    """

    death_penalty_class = Unlimited
    max_connection_wait_time = STORE_UNAVAILABLE.longest
    """RQ waits for a lost connection by itself."""
    disk: Disk | None = None
    told_to_stop = 0.0
    """When a signal came; 0 if none has."""
    at_rest = False
    """Is there no job at hand, so that a signal may end it at once?"""

    # -- the next job -----------------------------------------------------------------------------------------------

    def dequeue_job_and_maintain_ttl(
        self, timeout: int | None, max_idle_time: int | None = None
    ) -> tuple[Job, Queue] | None:
        """The next job, however long that takes; None if there is none and nobody waits (`timeout` is None)."""
        backoff = Backoff("worker")
        with self._resting():
            while True:
                if self.disk:
                    self.disk.await_room("worker")
                try:
                    found = super().dequeue_job_and_maintain_ttl(timeout, WAIT_SECONDS)
                    backoff.over()
                    if found or timeout is None:
                        return found
                    self.be_known()
                except TRANSIENT as error:
                    time.sleep(backoff.next(error))

    def be_known(self) -> None:
        """Register again with a store that lost what it knew, or heard nothing for long."""
        if not self.connection.hexists(self.key, "birth"):
            self.connection.delete(self.key)
            self.register_birth()  # type: ignore[no-untyped-call]  # of RQ

    # -- a job ------------------------------------------------------------------------------------------------------

    def execute_job(self, job: Job, queue: Queue) -> None:
        try:
            super().execute_job(job, queue)
        except TRANSIENT as error:
            report_interruption(job, error)

    # -- the end ----------------------------------------------------------------------------------------------------

    def request_stop(self, signum: int, frame: FrameType | None) -> None:
        """Told to stop, it finishes the job at hand; but nobody waits for a thought. Told twice, it ends at once.

        A signal may come in the middle of anything, so nothing is asked of the store here.
        """
        now = time.monotonic()
        if self.told_to_stop:
            if now - self.told_to_stop > SAME_SIGNAL_SECONDS:
                raise SystemExit
            return
        self.told_to_stop = now
        if self.at_rest:
            raise StopRequested
        THINKING_GUARD.break_off()

    @contextmanager
    def _resting(self) -> Iterator[None]:
        """For the length of the block there is no job at hand: told to stop (before, or meanwhile), it stops at once."""
        self.at_rest = True
        try:
            if self.told_to_stop:
                raise StopRequested
            yield
        finally:
            self.at_rest = False

    # -- what the store cannot stop ---------------------------------------------------------------------------------

    def heartbeat(self, timeout: int | None = None, pipeline: Any = None) -> None:
        """A store that is away hears nothing, and is no reason to end."""
        with suppress(*TRANSIENT):
            super().heartbeat(timeout, pipeline)

    def run_maintenance_tasks(self) -> None:
        with suppress(*TRANSIENT):
            super().run_maintenance_tasks()  # type: ignore[no-untyped-call]  # of RQ

    def register_death(self) -> None:
        with suppress(*TRANSIENT):
            super().register_death()  # type: ignore[no-untyped-call]  # of RQ

    def subscribe(self) -> None:
        """Signals are how a process is stopped."""

    def check_for_suspension(self, burst: bool) -> None:
        """Nor is it suspended by whoever reaches the queue's store."""


def report_failure(job: Job, kind: type[BaseException], error: BaseException, _trace: Any) -> bool:
    """Log why a job has failed, in one line. (RQ's hook: no other handler is asked then.)"""
    members = {"job": job.id}
    match error:
        case JobNotAllowed():
            log.error("a job was refused: %s", error, extra={"members": members})
        case _ if isinstance(error, TRANSIENT):
            report_interruption(job, error)
        case InvalidJobOperation() | NoSuchJobError():  # it has run twice; the first was done and forgotten
            log.info("a job's double was done first", extra={"members": members})
        case _:
            log.error("a job has failed", exc_info=error, extra={"members": members})
    return False


def report_interruption(job: Job, error: BaseException) -> None:
    what = f"{type(error).__name__}, it will be asked for again"
    log.warning("a job was broken off by the store: %s", what, extra={"members": {"job": job.id}})


def work(settings: Settings, queues: Sequence[str]) -> None:
    """Do the jobs of these queues until told to stop; the one at hand is finished first."""
    log_to_stderr(settings.log_level)
    jobs.job_handlers()
    tune_gc()
    backoff = Backoff("worker")
    while True:
        _, queue = open_when_available(
            settings
        )  # RQ keeps a connection of its own, which waits long for jobs
        worker = make_worker(queue, disk_of(settings), queues)
        try:
            worker.work(logging_level="WARNING")
            if worker.told_to_stop:
                return
            time.sleep(STORE_UNAVAILABLE.longest)  # RQ has given up, and said why
        except TRANSIENT as error:  # it could not even be registered
            time.sleep(backoff.next(error))


def make_worker(queue: WorkQueue, disk: Disk | None = None, names: Sequence[str] = QUEUES) -> Worker:
    """A worker of this process that takes jobs from the queues of these names, first from the first."""
    worker = Worker(
        [each for each in queue.all if each.name in names],
        connection=queue.connection,
        serializer=JSONSerializer,
        job_class=AllowlistedJob,
        worker_ttl=RQ_MARGIN + WAIT_SECONDS,
        exception_handlers=[report_failure],
    )
    worker.disk = disk
    return worker


def queues_of(settings: Settings) -> Sequence[str]:
    """What workers take: thoughts and reviews, too, where there are no thinkers."""
    return (ORDINARY,) if settings.thinkers else QUEUES


if __name__ == "__main__":
    lower_priority(WORKER_NICENESS)
    here = read_settings()
    work(here, queues_of(here))
