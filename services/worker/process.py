"""A worker process: RQ's plain worker, which does its jobs itself and reads them as JSON."""

from rq import SimpleWorker
from rq.serializers import JSONSerializer

from services.core.connections import LONGEST_PAUSE
from services.core.logs import log_to_stderr
from services.core.settings import Settings, read_settings
from services.worker import jobs
from services.worker.queue import WorkQueue, open_when_there

WAIT_SECONDS = 3
"""How long one wait for a job lasts: less than a connection may be silent (`connections.TIMEOUT`)."""
RQ_MARGIN = 15
"""What RQ takes off a worker's time to live to get the length of its waits."""


class Worker(SimpleWorker):
    """Back soon after the store is back, and deaf to RQ's remote commands: signals are how a process is stopped."""

    max_connection_wait_time = LONGEST_PAUSE

    def subscribe(self) -> None:
        pass


def work(settings: Settings) -> None:
    """Do jobs until told to stop; the one at hand is finished first."""
    log_to_stderr(settings.log_level)
    jobs.workshop()
    _, queue = open_when_there(settings)  # RQ keeps a connection of its own, which waits long for jobs
    make_worker(queue).work(logging_level="WARNING")


def make_worker(queue: WorkQueue) -> Worker:
    """A worker of this process that takes jobs from the queue."""
    return Worker(
        [queue.urgent, queue.patient],
        connection=queue.connection,
        serializer=JSONSerializer,
        worker_ttl=RQ_MARGIN + WAIT_SECONDS,
    )


if __name__ == "__main__":
    work(read_settings())
