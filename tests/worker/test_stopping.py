"""A worker that is told to stop does so, in whatever moment the signal comes: after the job at hand, or else at once."""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from redis import BlockingConnectionPool, Redis
from rq.worker import WorkerStatus

from services.core.connections import connect
from services.core.disk import Disk
from services.worker import jobs
from services.worker.process import Worker, make_worker
from services.worker.thinking import THINKING_GUARD
from tests.servers import ValkeyServer
from tests.worker.house import House

TOO_LONG = 10.0


def tell() -> None:
    os.kill(os.getpid(), signal.SIGTERM)


@pytest.fixture
def house(store: ValkeyServer) -> Iterator[House]:
    """One whose queue is reached as workers reach it."""
    with Redis.from_url(store.url) as client:
        client.flushall()
        queue = connect(store.url)
        assert isinstance(queue, Redis)
        yield House(client, queue)
        queue.close()


@pytest.fixture
def worker(house: House, monkeypatch: pytest.MonkeyPatch) -> Iterator[Worker]:
    """A worker with something to do; one that is told to stop and does not is told again, which it takes for an order."""
    monkeypatch.setattr(jobs, "job_handlers", lambda: house.workshop)
    monkeypatch.setattr(THINKING_GUARD, "_stopped", False)
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    impatience = threading.Timer(TOO_LONG, tell)
    impatience.start()
    house.create()
    house.hear()
    yield make_worker(house.queue)
    impatience.cancel()
    for number, handler in handlers.items():
        signal.signal(number, handler)


def once(
    when: Callable[[], bool], do: Callable[[], None], function: Callable[..., Any]
) -> Callable[..., Any]:
    """This function, which does something else first, the first time that it is called when this holds."""
    done: list[int] = []

    def called(*args: Any, **kwargs: Any) -> Any:
        if not done and when():
            done.append(1)
            do()
        return function(*args, **kwargs)

    return called


@pytest.mark.parametrize(
    "moment",
    [
        "get_heartbeat_ttl",
        "prepare_job_execution",
        "handle_job_success",
        "execute_job",
        "dequeue_job_and_maintain_ttl",
    ],
)
def test_it_stops_though_the_signal_comes_between_two_steps(
    house: House, worker: Worker, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    monkeypatch.setattr(worker, moment, once(lambda: True, tell, getattr(worker, moment)))
    worker.work(logging_level="WARNING")
    assert house.queue.failures(10) == []


def test_it_stops_though_the_signal_comes_when_the_last_job_is_just_done(
    house: House, worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    def is_last() -> bool:
        return worker.get_state() == WorkerStatus.BUSY and not any(house.queue.waiting().values())

    monkeypatch.setattr(worker, "heartbeat", once(is_last, tell, worker.heartbeat))
    worker.work(logging_level="WARNING")


def test_it_stops_while_it_waits_for_room_on_the_disk(
    worker: Worker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = worker.disk = Disk(tmp_path, min_free_mb=0)

    def fill() -> None:
        disk.min_free_mb, disk._checked = 10**9, 0.0
        threading.Timer(0.2, tell).start()

    monkeypatch.setattr(
        disk, "await_room", once(lambda: worker.get_state() == WorkerStatus.BUSY, fill, disk.await_room)
    )
    worker.work(logging_level="WARNING")


def test_a_signal_while_a_connection_is_taken_from_the_pool_waits_for_none(
    house: House, worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool = cast(BlockingConnectionPool, house.queue.connection.connection_pool).pool
    monkeypatch.setattr(pool, "_get", once(lambda: worker.get_state() == WorkerStatus.BUSY, tell, pool._get))
    worker.work(logging_level="WARNING")
    assert house.queue.failures(10) == []
