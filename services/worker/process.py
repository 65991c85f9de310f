"""Worker process: an RQ worker without forks, with JSON jobs from an allow-list, that waits while the store is unavailable."""

import logging
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

from rq import Queue
from rq.exceptions import DequeueTimeout, InvalidJobOperation, NoSuchJobError, StopRequested
from rq.job import Job
from rq.serializers import JSONSerializer

from events.store_errors import TRANSIENT
from services.core.backoff import Backoff
from services.core.disk import Disk, disk_of
from services.core.gc_tuning import tune_gc
from services.core.logs import log_to_stderr
from services.core.settings import Settings, read_settings
from services.worker import jobs
from services.worker.allowlisted_job import AllowlistedJob, JobNotAllowed
from services.worker.begun import FrugalWorker
from services.worker.priority import WORKER_NICENESS, lower_priority
from services.worker.queue import ORDINARY, QUEUES, URGENT, WorkQueue, open_when_available
from services.worker.thinking import THINKING_GUARD

log = logging.getLogger(__name__)

WAIT_SECONDS = 3
"""How long one wait for a job lasts: less than a connection may be silent (`connections.TIMEOUT`)."""
RQ_MARGIN = 15
"""What RQ takes off a worker's time to live to get the length of its waits."""


class Worker(FrugalWorker):
    """Waits for a store that is away and for a disk that is full, and is deaf to what the queue's store may command.

    A job that was broken off by the store is told in one line; the marks in the store have it asked for again.
    """

    disk: Disk | None = None
    _at_rest = False

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
                    self.rest()
                    job = self._dequeue(timeout)
                    backoff.over()
                    return job
                except DequeueTimeout:
                    backoff.over()
                except TRANSIENT as error:
                    time.sleep(backoff.next(error))

    def _dequeue(self, timeout: int | None) -> tuple[Job, Queue] | None:
        if self.should_run_maintenance_tasks:
            self.run_maintenance_tasks()
        return self.queue_class.dequeue_any(
            self._ordered_queues,
            timeout,
            connection=self.connection,
            job_class=self.job_class,
            serializer=self.serializer,
            death_penalty_class=self.death_penalty_class,
        )

    # -- a job ------------------------------------------------------------------------------------------------------

    def execute_job(self, job: Job, queue: Queue) -> None:
        try:
            super().execute_job(job, queue)
        except TRANSIENT as error:
            _tell_broken_off(job, error)

    def handle_exception(self, job: Job, *exc_info: Any) -> None:
        """Tell why a job has failed, in one line."""
        match exc_info[1]:
            case JobNotAllowed() as refused:
                log.error("a job was refused: %s", refused, extra={"members": {"job": job.id}})
            case error if isinstance(error, TRANSIENT):
                _tell_broken_off(job, error)
            case (
                InvalidJobOperation() | NoSuchJobError()
            ):  # it has run twice; the first was done and forgotten
                log.info("a job's double was done first", extra={"members": {"job": job.id}})
            case _:
                log.error("a job has failed", exc_info=exc_info, extra={"members": {"job": job.id}})

    # -- the end ----------------------------------------------------------------------------------------------------

    def request_stop(self, signum: int, frame: FrameType | None) -> None:
        """Told to stop, it finishes the job at hand; but nobody waits for a thought."""
        super().request_stop(signum, frame)  # type: ignore[no-untyped-call]  # of RQ
        THINKING_GUARD.break_off()

    def _shutdown(self) -> None:
        """What RQ does at a signal, which may come in the middle of anything: so nothing is asked of the store here.

        RQ goes by a state that says `busy` a little too late and too long, and would miss the signal meanwhile.
        """
        self._stop_requested = True
        if self._at_rest:
            raise StopRequested

    @contextmanager
    def _resting(self) -> Iterator[None]:
        """For the length of the block there is no job at hand: told to stop (before, or meanwhile), it stops at once."""
        self._at_rest = True
        try:
            if self._stop_requested:
                raise StopRequested
            yield
        finally:
            self._at_rest = False

    # -- what the store cannot stop ---------------------------------------------------------------------------------

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


def _tell_broken_off(job: Job, error: BaseException) -> None:
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
            return
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
    )
    worker.disk = disk
    return worker


def queues_of(settings: Settings) -> Sequence[str]:
    """What workers take: thoughts and reviews, too, where there are no thinkers."""
    return (URGENT, ORDINARY) if settings.thinkers else QUEUES


if __name__ == "__main__":
    lower_priority(WORKER_NICENESS)
    here = read_settings()
    work(here, queues_of(here))
