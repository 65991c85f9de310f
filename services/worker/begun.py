"""RQ's plain worker, with one write to the store before a job and one after it.

RQ itself asks some two dozen times for each job: about results, retries and jobs that depend on others, of which ours have
none; and each of its writes waits for the disk. What is noted here is what somebody reads. A killed worker leaves behind what
RQ's own would: its job in the register of those that are begun, from where RQ has it listed as failed after its time.
"""

import signal
import sys
import traceback
from types import FrameType
from typing import Any
from uuid import uuid4

from redis.client import Pipeline
from rq import Queue, SimpleWorker, worker_registration
from rq.executions import Execution
from rq.job import Job
from rq.timeouts import JobTimeoutException, UnixSignalDeathPenalty
from rq.utils import now
from rq.worker import WorkerStatus

A_MOMENT = 0.01
"""Seconds, in which the store has mostly answered."""


class Penalty(UnixSignalDeathPenalty):
    """Breaks off a job that takes too long, but none that asks the store just now: that has an end of its own.

    In the midst of it the pool would keep a connection for ever, or a lock that everybody waits for.
    """

    def handle_death_penalty(self, signum: int, frame: FrameType | None) -> None:
        if asks_the_store(frame):
            signal.setitimer(signal.ITIMER_REAL, A_MOMENT)
        else:
            super().handle_death_penalty(signum, frame)  # type: ignore[no-untyped-call]  # of RQ


def asks_the_store(frame: FrameType | None) -> bool:
    """Is this, or what has called it, the client of the store?"""
    while frame:
        if frame.f_globals.get("__name__", "").startswith("redis."):
            return True
        frame = frame.f_back
    return False


class FrugalWorker(SimpleWorker):
    """Notes that a job is begun, does it, and notes that it is done or has failed."""

    death_penalty_class = Penalty

    def execute_job(self, job: Job, queue: Queue) -> None:
        try:
            self._begin(job, queue)
            seconds = job.timeout or queue.DEFAULT_TIMEOUT
            with self.death_penalty_class(seconds, JobTimeoutException, job_id=job.id):  # type: ignore[no-untyped-call]  # of RQ
                job.perform()
            self._forget(job, queue)
        except BaseException:  # as RQ does: whatever ends a job is noted, a second signal to stop included
            self._fail(job, queue, sys.exc_info())

    def _begin(self, job: Job, queue: Queue) -> None:
        """Who is at what, and until when it must be over."""
        seconds = self.get_heartbeat_ttl(job)
        self.execution = Execution(uuid4().hex, job.id, self.connection, self.name)
        with self.connection.pipeline() as pipe:
            queue.started_job_registry.add_execution(self.execution, pipe, seconds)
            job.prepare_for_execution(self.name, pipe)
            self.set_state(WorkerStatus.BUSY, pipe)
            self.set_current_job_id(job.id, pipe)
            self.heartbeat(seconds, pipe)
            if len(self.queues) == 1:  # RQ takes from a single queue by way of another
                pipe.lrem(queue.intermediate_queue_key, 1, job.id)
            pipe.execute()

    def _forget(self, job: Job, queue: Queue) -> None:
        """A job that is done leaves nothing."""
        assert self.execution, "it was begun"
        with self.connection.pipeline() as pipe:
            queue.started_job_registry.remove_execution(self.execution, pipeline=pipe)
            self.set_current_job_id(None, pipe)
            pipe.delete(job.key)
            pipe.execute()
        self.execution = None

    def _fail(self, job: Job, queue: Queue, exc_info: Any) -> None:
        """A job that has failed is told, and kept for those who look after it."""
        job.ended_at = now()
        self.handle_exception(job, *exc_info)
        told = "".join(traceback.format_exception(*exc_info))
        self.handle_job_failure(job, queue, queue.started_job_registry, told)

    def rest(self) -> None:
        """Nothing is to be done: this worker lives, and may be told to stop at once."""
        with self.connection.pipeline() as pipe:
            self.set_state(WorkerStatus.IDLE, pipe)
            self.heartbeat(pipeline=pipe)
            was_forgotten, *_ = pipe.execute()  # by a store that lost what it knew, or heard nothing for long
            if was_forgotten:
                pipe.hset(self.key, mapping=self.serialize())
                worker_registration.register(self, pipe)
                pipe.execute()

    def heartbeat(self, timeout: int | None = None, pipeline: Pipeline | None = None) -> None:
        """That it lives is written together with what it does; RQ would write it once more by itself after each job."""
        if pipeline is not None:
            super().heartbeat(timeout, pipeline)
