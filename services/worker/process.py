"""A worker process: RQ's plain worker, which never forks and reads jobs as JSON."""

from rq import SimpleWorker
from rq.serializers import JSONSerializer

from services.logs import log_to_stderr
from services.settings import Settings, read_settings
from services.worker import jobs
from services.worker.opening import LONGEST_PAUSE, open_when_there


class Worker(SimpleWorker):
    """Back soon after the store is back."""

    max_connection_wait_time = LONGEST_PAUSE


def work(settings: Settings) -> None:
    """Do jobs until told to stop; the one at hand is finished first."""
    log_to_stderr(settings.log_level)
    jobs.workshop()
    _, queue = open_when_there(settings)  # RQ keeps a connection of its own, which waits long for jobs
    worker = Worker(
        [queue.urgent, queue.patient],
        connection=queue.connection,
        serializer=JSONSerializer,
        worker_ttl=30,
    )
    worker.work(logging_level="WARNING")


if __name__ == "__main__":
    work(read_settings())
