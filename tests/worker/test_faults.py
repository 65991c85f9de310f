"""Processes killed at the worst moments: nothing is lost, done twice, or left undone for more than ten seconds."""

import time
from collections.abc import Iterator

import pytest
from redis import Redis

from services.core.crash_points import CRASH_POINT_VARIABLE
from tests.servers import PATIENCE, ValkeyServer, wait_until
from tests.worker.house import House, Processes, processes

FAULTS = {
    "between the feed and the projection": "projector",
    "between the checkpoint and the enqueue": "projector",
    "in the middle of a bot's move": "worker",
    "between the audit and its append": "worker",
}


@pytest.fixture
def group(store: ValkeyServer, house: House) -> Iterator[Processes]:
    with processes(store.url) as running:
        yield running


@pytest.fixture
def house(store: ValkeyServer) -> Iterator[House]:
    with Redis.from_url(store.url) as client:
        client.flushall()
        yield House(client, client)


@pytest.mark.parametrize(("point", "victim"), FAULTS.items())
def test_a_process_killed_there_leaves_nothing_undone(
    house: House, group: Processes, point: str, victim: str
) -> None:
    doomed = group.start(victim, **{CRASH_POINT_VARIABLE: point})
    for program in {"projector", "worker"} - {victim}:
        group.start(program)
    game = house.create("babel", ("greedy", "greedy"))
    assert group.wait_for_death(doomed) == 86
    assert not house.game(game).settled
    group.start(victim)
    check_prompt_end(house, game)


def test_a_game_appended_while_no_projector_listens_is_not_lost(house: House, group: Processes) -> None:
    group.kill(group.start("projector"))
    game = house.create("babel", ("greedy", "greedy"))
    group.start("projector")
    group.start("worker")
    check_prompt_end(house, game)


def test_a_queue_that_loses_everything_loses_no_work(house: House, group: Processes) -> None:
    group.start("projector")
    games = [house.create("babel", ("greedy", "greedy")) for _ in range(3)]
    wait_until(lambda: any(house.queue.waiting().values()), "work to wait")
    house.clear_queue()
    group.start("worker")
    for game in games:
        check_prompt_end(house, game)


def check_prompt_end(house: House, game: str) -> None:
    """From now on something happens at least every minute, until all is done."""
    version, since = 0, time.monotonic()
    while not house.all_done([game]):
        if house.game(game).version > version:
            version, since = house.game(game).version, time.monotonic()
        assert time.monotonic() - since < PATIENCE, f"stuck at version {version}"
        time.sleep(0.05)
    house.check_done(game)
    house.check_projected(game)
