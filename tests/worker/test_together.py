"""Many games in one job: the store is asked once for all of them, and each fails alone."""

from typing import Any

import pytest
from redis.exceptions import ConnectionError as RedisConnectionError

from events.keys import game_id
from services.worker.process import make_worker
from tests.round_trips import count_round_trips
from tests.worker.house import House
from tests.worker.test_failures import poison


def test_many_games_are_projected_in_two_round_trips(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    games = [house.create("babel", (None, None)) for _ in range(20)]
    house.workshop.project([house.create("babel", (None, None))])  # so that the store knows the scripts
    trips = count_round_trips(monkeypatch)
    house.workshop.project(games)
    assert len(trips) == 2
    for game in games:
        house.check_projected(game)


def test_a_store_that_has_forgotten_the_scripts_is_taught_them_again(house: House) -> None:
    games = [house.create("babel", (None, None)) for _ in range(3)]
    house.client.script_flush()
    house.workshop.project(games)
    for game in games:
        house.check_projected(game)


def test_a_game_that_is_not_there_any_more_hinders_no_other(house: House) -> None:
    games = [house.create("babel", (None, None)), game_id(), house.create("babel", (None, None))]
    house.workshop.project(games)
    house.check_projected(games[0])
    house.check_projected(games[2])


def test_what_cannot_be_read_or_stored_of_one_game_hinders_no_other(house: House) -> None:
    games = [house.create("babel", (None, None)) for _ in range(4)]
    poison(house, games[0])
    house.client.set(f"stele:{{{games[2][:2]}}}:game:{games[2]}:snapshot", "not what belongs there")
    house.workshop.project(games)
    house.check_projected(games[1])
    house.check_projected(games[3])
    assert set(house.projections.stuck()) == {games[0], games[2]}


def test_what_games_owe_is_asked_for_before_a_store_that_was_away_for_one_of_them_is_told(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a part of a cluster may be: the error is the answer for its games alone."""
    away, here = house.create(), house.create()
    load = house.projections.load_each

    def partly(games: Any) -> Any:
        return [
            RedisConnectionError("away") if game == away else one
            for game, one in zip(games, load(games), strict=True)
        ]

    monkeypatch.setattr(house.projections, "load_each", partly)
    with pytest.raises(RedisConnectionError):
        house.workshop.project([away, here])
    assert [waiting.game for waiting in house.queue.jobs_on_games()] == [here]
    assert set(house.projections.dirty()) == {away}
    assert house.projections.stuck() == {}


# -- a job in the queue -------------------------------------------------------------------------------------------------


def test_a_job_costs_the_queue_few_round_trips(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """RQ keeps its books step by step."""
    monkeypatch.setattr("services.worker.jobs.job_handlers", lambda: house.workshop)
    monkeypatch.setattr(house.workshop, "expire", lambda _: None)
    worker = make_worker(house.queue)
    worker.register_birth()  # type: ignore[no-untyped-call]  # of RQ

    def work() -> None:
        house.queue.expire(game_id())
        trips.clear()
        job, queue = worker.dequeue_job_and_maintain_ttl(1) or pytest.fail("there is a job")
        worker.execute_job(job, queue)
        worker.heartbeat()

    trips = count_round_trips(monkeypatch)
    work()  # with what RQ looks after from time to time
    work()
    assert len(trips) <= 25


def test_a_job_that_is_done_leaves_nothing_in_the_queue(house: House) -> None:
    house.create("babel", (None, None))
    house.run()
    left = {key.decode() for key in house.queue.connection.scan_iter("rq:*")}
    assert not {key for key in left if key.startswith(("rq:job", "rq:wip", "rq:execution", "rq:results"))}


def test_a_job_whose_worker_was_killed_is_listed_as_failed_after_its_time(
    house: House,
) -> None:
    """It stands among those that are begun until then, as RQ would have it."""
    house.queue.expire(game_id())
    worker = make_worker(house.queue)
    worker.register_birth()  # type: ignore[no-untyped-call]  # of RQ
    job, queue = worker.dequeue_job_and_maintain_ttl(1) or pytest.fail("there is a job")
    worker.prepare_execution(job)
    worker.prepare_job_execution(job)
    registry = queue.started_job_registry
    assert registry.get_job_ids() == [job.id]
    assert house.queue.failures(10) == []
    registry.cleanup(timestamp=2**40)
    (failure,) = house.queue.failures(10)
    assert failure.job == job.description
