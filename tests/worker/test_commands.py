"""`stele projector`, `stele worker` and `stele jobs` as people use them."""

import os
import signal
from datetime import UTC, datetime

import pytest
from click.testing import CliRunner

from services.cli import main
from services.core.connections import TIMEOUT
from services.core.settings import Settings
from services.worker.process import WAIT_SECONDS, Worker, make_worker, queues_of
from services.worker.queue import ORDINARY, QUEUES, REVIEWS, THINKING
from tests.host.running import running
from tests.servers import PATIENCE, is_running, short_directory, wait_until
from tests.worker.house import House, processes
from tests.worker.test_failures import poison

STELE = "import sys; from services.cli import main; main(sys.argv[1:])"


def test_workers_run_under_one_command_come_back_when_killed_and_stop_together(
    house: House, url: str
) -> None:
    with short_directory() as directory:
        env = {"STELE_STORE_URL": url, "STELE_DATA_DIR": str(directory)}
        with running(STELE, "worker", "-n", "2", env=env, directory=directory) as program:
            wait_until(lambda: len(workers(house)) == 2, "two workers")
            victim = workers(house)[0]
            os.kill(victim, signal.SIGKILL)
            program.wait_to_say("starting it again")
            wait_until(lambda: len(set(workers(house)) - {victim}) == 2, "another in its place")
            assert program.stop() == 0
            assert not any(is_running(pid) for pid in workers(house))


def workers(house: House) -> list[int]:
    """The processes of the workers that RQ knows of."""
    return sorted(worker.pid for worker in Worker.all(house.queue.connection) if worker.pid)


def test_thinkers_run_under_the_same_command_and_take_thoughts_and_then_reviews(
    house: House, url: str
) -> None:
    with short_directory() as directory:
        env = {"STELE_STORE_URL": url, "STELE_DATA_DIR": str(directory)}
        with running(STELE, "worker", "--think", env=env, directory=directory) as program:
            program.wait_to_say("thinker 1: ready to think")
            wait_until(lambda: len(workers(house)) == 1, "a thinker")
            (thinker,) = Worker.all(house.queue.connection)
            assert thinker.queue_names() == [THINKING, REVIEWS]
            assert program.stop() == 0


def test_workers_think_last_and_only_where_there_are_no_thinkers() -> None:
    assert queues_of(Settings()) == (ORDINARY,)
    assert queues_of(Settings(thinkers=0)) == (ORDINARY, THINKING, REVIEWS)


def test_processes_told_to_stop_end_cleanly(house: House, url: str) -> None:
    with processes(url, "projector", "worker") as group:
        game = house.create("babel", ("random", "random"))
        wait_until(lambda: house.all_done([game]), "them to be at work")
        for process in group.running:
            process.send_signal(signal.SIGTERM)
        assert [process.wait(PATIENCE) for process in group.running] == [0, 0]


def test_a_worker_waits_for_jobs_no_longer_than_a_connection_may_be_silent(house: House) -> None:
    assert make_worker(house.queue).dequeue_timeout == WAIT_SECONDS < TIMEOUT


def jobs(url: str) -> str:
    said = CliRunner().invoke(main, ["jobs"], env={"STELE_STORE_URL": url, "COLUMNS": "120"})
    assert said.exit_code == 0, said.output
    return " ".join(said.output.split())


def test_jobs_tells_what_waits(house: House, url: str) -> None:
    queues = " ".join(f"0 jobs wait in {name}" for name in QUEUES)
    assert f"{queues} 0 games are behind their logs" in jobs(url)
    house.create()
    assert "1 games are behind their logs" in jobs(url)
    house.hear()
    output = jobs(url)
    assert "1 jobs wait in stele-work" in output
    assert "1 games wait for a worker 0 games are stuck" in output


def test_jobs_tells_which_games_are_stuck_and_why(house: House, url: str) -> None:
    game = house.create()
    poison(house, game)
    house.run()
    assert f"{game} project: MalformedEntry" in jobs(url)


def test_jobs_tells_which_jobs_failed_when_and_why(
    house: House, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object) -> None:
        raise ConnectionError("nobody listens")

    monkeypatch.setattr("services.worker.jobs.job_handlers", away)
    house.queue.expire("00-x")
    make_worker(house.queue).work(burst=True, logging_level="CRITICAL")
    (failure,) = house.queue.failures(10)
    assert (failure.job, failure.reason) == ("expire 00-x", "ConnectionError: nobody listens")
    assert abs((datetime.now(UTC) - failure.when).total_seconds()) < 60
    assert "expire 00-x 0 s ConnectionError: nobody listens" in jobs(url)
