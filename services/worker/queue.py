"""The job queue, on RQ: pending work is enqueued once, however often it is seen.

A claim stands for a job that was just asked for, or runs. It fades after a few seconds, so a job that was lost with
its worker is asked for again by a sweep (which leaves out what still waits in the queue); a failed job's claim is
prolonged, so that it is tried again ever more seldom.
"""

import secrets
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from redis import Redis
from rq import Queue
from rq.job import Job
from rq.serializers import JSONSerializer

from events.store import Client
from events.store_errors import TRANSIENT
from projections.payers import payer_of_game
from projections.pending_work import PendingWork
from services.core.backoff import JOB_FAILED, Backoff
from services.core.cluster import SHORT_ANSWER_TIMEOUT
from services.core.connections import connect, connect_queue, open_ledger, store_url
from services.core.ledger import Ledger
from services.core.settings import Settings
from services.worker.allowlisted_job import JOBS_MODULE, AllowlistedJob
from services.worker.fair_thoughts import FairThoughts

ORDINARY, THINKING, REVIEWS = QUEUES = "stele-work", "stele-think", "stele-review"
"""Reviews wait until nobody else does."""
JOB_OF_WORK = {"settle": "settle", "bot": "play_bots", "think": "think"}
"""The job that does each kind of owed work."""

CLAIM_SECONDS = 4
JOB_SECONDS = 60
THINK_JOB_SECONDS = 600
"""How long jobs may take; a thought is given time even where thinkers get a tenth of a core."""
FAILURES_KEPT = 24 * 3600
JOBS_KEPT = 24 * 3600
"""Seconds. A job that nobody has done by then was lost with a worker that had taken it and not yet noted that."""


def open_when_available(settings: Settings) -> tuple[Ledger, "WorkQueue"]:
    """The games and the queue, as soon as both can be reached: a worker process waits for a store that is away."""
    backoff = Backoff("start")
    while True:
        try:
            store = connect(store_url(settings), SHORT_ANSWER_TIMEOUT)
            return open_ledger(settings, client=store), WorkQueue(connect_queue(settings))
        except TRANSIENT as error:
            time.sleep(backoff.next(error))


class WaitingJob(NamedTuple):
    """A job that waits: what is to be done, and for which game."""

    job: str
    game: str


class Failure(NamedTuple):
    """A job that failed: what it was to do, when it was begun, and what the last line of its trace says."""

    job: str
    when: datetime
    reason: str


class WorkQueue:
    """Where jobs wait for a worker."""

    def __init__(self, connection: Redis) -> None:
        self.connection = connection
        self.thoughts = FairThoughts(connection)
        self.patient, self.thinking, self.reviews = self.all = [
            Queue(
                name,
                connection=connection,
                serializer=JSONSerializer,
                job_class=AllowlistedJob,
                default_timeout=THINK_JOB_SECONDS if name in (THINKING, REVIEWS) else JOB_SECONDS,
            )
            for name in QUEUES
        ]

    # -- asking for work ------------------------------------------------------------------------------------------

    def do_all(self, store: Client, game: str, works: Sequence[PendingWork]) -> None:
        """Have done what a game owes, unless someone is at it; a thought has its turn among those of its payer."""
        for job in {job_for(work): None for work in works}:
            if self.claim(job, game):
                if job == "think":
                    self.thoughts.add(payer_of_game(store, game), game)
                self._ask(job, game)

    def expire(self, game: str) -> None:
        """Have the clocks of a game looked at."""
        self._once("expire", game)

    def deliver(self, webhook: str) -> None:
        """Have a webhook delivered what it is owed, unless someone is at it."""
        self._once("deliver", webhook)

    def review(self, game: str) -> None:
        """Have a review made, or gone on with, unless someone is at it."""
        if self.claim("review", game):
            self._enqueue(self.reviews, "review", game, f"review {game}")

    def hint(self, game: str) -> None:
        """Have the hint made that a game's player waits for, unless someone is at it."""
        if self.claim("hint", game):
            self._enqueue(self.thinking, "hint", game, f"hint {game}")

    def push(self, game: str) -> None:
        """Have the push messages of a game sent that are due, unless someone is at it."""
        self._once("push", game)

    def rate(self) -> None:
        """Have the ratings brought up to date, unless someone is at it."""
        self._once("rate", "ratings")

    def is_urged(self) -> bool:
        """Does anything wait that goes before reviews?"""
        return any(queue.count for queue in self.all if queue is not self.reviews)

    def jobs_on_games(self) -> set[WaitingJob]:
        """The work on single games that waits in the queue."""
        return {_read_id(job_id) for queue in self.all for job_id in queue.job_ids}

    def archive(self, days: int) -> None:
        """Have games moved to the archive that were settled so many days ago, a few at a time."""
        self._enqueue(self.patient, "archive", str(days), f"archive games older than {days} days")

    def write_log(self) -> None:
        """Have the transparency log written on, unless someone is at it."""
        self._once("write_log", "tlog")

    def _once(self, job: str, game: str) -> None:
        if self.claim(job, game):
            self._ask(job, game)

    def _ask(self, job: str, game: str) -> None:
        queue = self.thinking if job == "think" else self.patient
        front = job not in ("play_bots", "think")  # bots can wait for what is quickly done, and take turns
        self._enqueue(queue, job, game, f"{job} {game}", front)

    def _enqueue(self, queue: Queue, job: str, argument: str, description: str, front: bool = False) -> None:
        job_id = f"{job}-{argument}-{secrets.token_hex(8)}"
        with self.connection.pipeline() as pipe:  # RQ would write twice otherwise
            queue.enqueue(
                f"{JOBS_MODULE}.{job}",
                argument,
                job_id=job_id,
                at_front=front,
                description=description,
                result_ttl=0,
                failure_ttl=FAILURES_KEPT,
                pipeline=pipe,
            )
            pipe.expire(AllowlistedJob.key_for(job_id), JOBS_KEPT)
            pipe.execute()

    # -- claims -----------------------------------------------------------------------------------------------------

    def claim(self, job: str, game: str) -> bool:
        """Is this asked for by nobody else just now?"""
        return bool(self.connection.set(_claim(job, game), 1, nx=True, ex=CLAIM_SECONDS))

    def begin(self, job: str, game: str, seconds: int = CLAIM_SECONDS) -> None:
        """Someone is at this now, however long it waited."""
        self.connection.set(_claim(job, game), 1, ex=seconds)

    def done(self, job: str, game: str) -> None:
        """Nobody is at this any more: it may be asked for again."""
        self.connection.delete(_claim(job, game), _failures(job, game))

    def failed(self, job: str, game: str) -> None:
        """Try this again, after a pause that doubles with each failure in a row."""
        failures = self.connection.incr(_failures(job, game))
        self.connection.expire(_failures(job, game), round(2 * JOB_FAILED.longest))
        self.connection.set(_claim(job, game), 1, ex=round(JOB_FAILED.pause(failures)))

    # -- what waits, what failed ------------------------------------------------------------------------------------

    def waiting(self) -> dict[str, int]:
        """How many jobs wait in each queue."""
        return {queue.name: queue.count for queue in self.all}

    def failures(self, limit: int) -> list[Failure]:
        """Jobs that failed as a whole, latest first: a worker was killed over them, or the store was away."""
        jobs: list[Job] = []
        for queue in self.all:
            ids = queue.failed_job_registry.get_job_ids(0, limit - 1, desc=True)
            jobs += [job for job in AllowlistedJob.fetch_many(ids, self.connection, JSONSerializer) if job]
        return sorted(map(_failure, jobs), key=lambda failure: failure.when, reverse=True)[:limit]


def job_for(owed: PendingWork) -> str:
    """The job that does what is owed."""
    return JOB_OF_WORK[owed.kind]


def _read_id(job_id: str) -> WaitingJob:
    job, _, rest = job_id.partition("-")
    return WaitingJob(job, rest.rpartition("-")[0])


def _failure(job: Job) -> Failure:
    result = job.latest_result()
    trace = (result.exc_string if result else None) or "unknown"
    when = job.started_at or job.enqueued_at or job.created_at
    return Failure(job.description or job.id, when.replace(tzinfo=UTC), trace.strip().splitlines()[-1])


def _claim(job: str, game: str) -> str:
    return f"stele:claim:{job}:{game}"


def _failures(job: str, game: str) -> str:
    return f"stele:failures:{job}:{game}"
