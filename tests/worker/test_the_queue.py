"""The queue does our jobs alone, whatever somebody puts there, and a job that the store breaks off is told in a line."""

import json
import time
from pathlib import Path
from typing import Any

import pytest
from rq import Callback, Queue
from rq.serializers import JSONSerializer
from rq.webhook import Webhook
from rq.worker import Worker as RQWorker

from services.core.disk import Disk
from services.worker import jobs
from services.worker.allowlisted_job import ALLOWED_JOBS
from services.worker.process import make_worker
from services.worker.queue import JOBS_KEPT, ORDINARY
from tests.servers import running_valkey, short_directory, wait_until
from tests.worker.house import House, processes


def put(house: House, what: str, *arguments: Any, **more: Any) -> None:
    """Put a job into the queue as anyone can who reaches its store."""
    Queue(ORDINARY, connection=house.queue.connection, serializer=JSONSerializer).enqueue(
        what, *arguments, **more
    )


def test_what_is_none_of_ours_is_refused_and_told(
    house: House, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    put(house, "os.system", f"touch {tmp_path}/broken-into")
    house.work()
    assert list(tmp_path.iterdir()) == []
    assert "no job of ours is called 'os.system'" in caplog.text
    (failure,) = house.queue.failures(10)
    assert "no job of ours is called 'os.system'" in failure.reason


@pytest.mark.parametrize(
    ("job", "argument", "more"),
    [
        ("services.worker.jobs.job_handlers", "x", {}),
        ("services.worker.jobs.open_when_available", "x", {}),
        ("settle", "x", {}),
        ("services.worker.jobs.settle", ["a", "list"], {}),
        ("services.worker.jobs.project", "a text", {}),
    ],
)
def test_only_the_jobs_by_name_with_what_they_take_are_done(
    house: House, caplog: pytest.LogCaptureFixture, job: str, argument: Any, more: Any
) -> None:
    put(house, job, argument, **more)
    house.work()
    assert "a job was refused" in caplog.text


def called_back(*_: Any) -> None:
    raise AssertionError("nobody calls this")


def test_nothing_is_called_or_told_after_a_job(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    outcalls: list[Any] = []
    monkeypatch.setattr("rq.webhook.urlopen", lambda *sent, **_: outcalls.append(sent))
    monkeypatch.setattr("tests.worker.test_the_queue.called_back", lambda *_: outcalls.append("called back"))
    put(
        house,
        "services.worker.jobs.settle",
        house.create(),
        on_success=Callback(f"{__name__}.called_back"),
        on_failure=Callback(f"{__name__}.called_back"),
        webhooks=[
            Webhook("http://127.0.0.1:9/told", "finished"),
            Webhook("http://127.0.0.1:9/told", "failed"),
        ],
    )
    house.work()
    assert outcalls == []


def test_every_job_that_we_have_is_in_the_list() -> None:
    ours = {name for name, each in vars(jobs).items() if getattr(each, "__module__", "") == jobs.__name__}
    assert ours - {"job_handlers", "log_writer", "push_sender", "webhook_sender"} == ALLOWED_JOBS


def test_a_job_that_is_lost_with_whoever_has_taken_it_is_not_kept_for_ever(house: House) -> None:
    house.create()
    house.hear()
    (job,) = house.queue.patient.job_ids
    assert house.queue.connection.lpop(house.queue.patient.key), "somebody takes it, and is killed"
    assert 0 < house.queue.connection.ttl(f"rq:job:{job}") <= JOBS_KEPT


def test_a_worker_that_the_store_has_forgotten_is_known_again(house: House) -> None:
    worker = make_worker(house.queue)
    worker.register_birth()  # type: ignore[no-untyped-call]  # of RQ
    house.queue.connection.flushall()
    worker.heartbeat()
    worker.be_known()
    (known,) = RQWorker.all(house.queue.connection)
    assert (known.name, known.pid) == (worker.name, worker.pid)
    assert known.queue_names() == worker.queue_names()
    assert RQWorker.count(queue=house.queue.patient) == 1


def test_while_the_disk_is_full_nothing_is_taken_from_the_queue(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Bots do not play, and what waits goes on waiting."""
    game = house.create()
    house.hear()
    version = house.game(game).version
    disk = Disk(tmp_path, min_free_mb=10**9)
    looks: list[int] = []

    def room_is_made(_: float) -> None:
        looks.append(house.game(game).version)
        assert house.queue.waiting()["stele-work"] == 1
        if len(looks) == 3:
            disk.min_free_mb, disk._checked = 0, 0.0

    monkeypatch.setattr(Disk.await_room, "__defaults__", (room_is_made,))
    monkeypatch.setattr(jobs, "job_handlers", lambda: house.workshop)
    make_worker(house.queue, disk).work(burst=True, logging_level="WARNING")
    assert looks == [version] * 3
    assert house.game(game).version > version
    assert [record.message for record in caplog.records if "disk" in record.message] == [
        "worker: the disk is nearly full: it waits for room"
    ]


def test_while_the_disk_is_full_the_projector_writes_nothing(house: House, tmp_path: Path) -> None:
    game = house.create()
    house.projector.disk = Disk(tmp_path, min_free_mb=10**9)

    def stop_at_the_third_look(_: float) -> bool:
        looks.append(1)
        if len(looks) == 3:
            house.projector.stop()
        return house.projector.stopped.is_set()

    looks: list[int] = []
    house.projector.stopped.wait = stop_at_the_third_look  # type: ignore[assignment]
    house.projector.run()
    assert len(looks) >= 3
    assert list(house.projections.dirty()) == [game]
    assert not any(house.queue.waiting().values())


def lines_of(output: Path) -> list[Any]:
    return [json.loads(line) for line in output.read_text().splitlines()]


def test_a_store_that_dies_in_the_middle_of_a_job_leaves_one_line_and_no_trace() -> None:
    """And the worker lives on: the same process does the next job."""
    with short_directory() as directory, running_valkey(appendonly="always") as store:
        output = directory / "said"
        with output.open("wb") as said, processes(store.url) as group:
            group.output = said
            worker = group.start("worker")
            with store.client() as client:
                house = House(client, client)
                games = [house.create("babel", ("greedy", "greedy")) for _ in range(12)]
                house.hear()
                wait_until(lambda: any(house.game(game).version > 4 for game in games), "bots to play")
            store.kill9()
            wait_until(lambda: bool(output.read_text()), "it to be told")
            store.start()
            with store.client() as client:
                house = House(client, client)
                game = house.create("babel", ("greedy", "greedy"))
                house.hear()
                wait_until(lambda: house.game(game).version > 4, "the worker to go on")
            assert worker.poll() is None
        assert lines_of(output), "it is told"
        assert not any("trace" in line for line in lines_of(output))
        assert len([line for line in lines_of(output) if "broken off" in line["message"]]) <= 2


@pytest.mark.parametrize(
    ("setting", "spoilt", "mended"),
    [("min-replicas-to-write", 1, 0), ("maxmemory", 1, 0)],
    ids=["it has lost its replicas", "it has no memory left"],
)
def test_a_store_that_takes_nothing_ends_no_process(setting: str, spoilt: int, mended: int) -> None:
    with (
        running_valkey(appendonly="always") as store,
        processes(store.url, "projector", "worker") as group,
        store.client() as client,
    ):
        house = House(client, client)
        first = house.create("babel", ("greedy", "greedy"))
        wait_until(lambda: bool(house.game(first).settled), "the first game to be settled")
        client.config_set(setting, spoilt)
        time.sleep(3)  # several sweeps and waits for jobs
        assert [process.poll() for process in group.running] == [None, None]
        client.config_set(setting, mended)
        second = house.create("babel", ("greedy", "greedy"))
        wait_until(lambda: bool(house.game(second).settled), "the second game to be settled")
        assert [process.poll() for process in group.running] == [None, None]


def test_a_store_that_is_long_at_a_script_ends_no_process_and_makes_no_game_stuck() -> None:
    at_it = "local since = redis.call('TIME')[1]; while redis.call('TIME')[1] - since < 3 do end"
    with (
        running_valkey() as store,
        processes(store.url, "projector", "worker") as group,
        store.client() as client,
    ):
        house = House(client, client)
        first = house.create("babel", ("greedy", "greedy"))
        wait_until(lambda: house.game(first).version > 4, "bots to play")
        client.config_set("busy-reply-threshold", 1)
        client.eval(at_it, 0)
        client.config_set("busy-reply-threshold", 5000)
        wait_until(lambda: bool(house.game(first).settled), "the game to be settled")
        assert [process.poll() for process in group.running] == [None, None]
        assert house.projections.stuck() == {}
