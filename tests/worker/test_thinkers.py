"""Thinkers as processes: whatever they are busy with or die of, all else comes through, and no decision is thought over."""

import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis

from tests.servers import PATIENCE, ValkeyServer, wait_until
from tests.worker.house import House, Processes, processes
from tests.worker.slow_thinker import NOTES, SECONDS

FOR_EVER = "600"
QUICKLY = "0.15"


@pytest.fixture
def house(store: ValkeyServer) -> Iterator[House]:
    with Redis.from_url(store.url) as client:
        client.flushall()
        yield House(client, client)


class Thinkers:
    """Projector and worker at work, and thinkers to be started, whose thoughts are noted."""

    def __init__(self, group: Processes, notes: Path) -> None:
        self.group = group
        self.notes = notes

    def start(self, seconds: str) -> "Processes":
        self.group.start("slow thinker", **{NOTES: str(self.notes), SECONDS: seconds})
        return self.group

    def thoughts(self) -> Counter[str]:
        """How often each decision was thought about."""
        return Counter(self.notes.read_text().split() if self.notes.exists() else ())


@pytest.fixture
def thinkers(store: ValkeyServer, house: House, tmp_path: Path) -> Iterator[Thinkers]:
    with processes(store.url, "projector", "worker") as group:
        yield Thinkers(group, tmp_path / "thoughts")


def test_while_all_thinkers_are_busy_everything_else_comes_through(house: House, thinkers: Thinkers) -> None:
    """Projections, greedy bots, the clock and a settlement, of other games and of the very game that is thought about."""
    thinkers.start(FOR_EVER)
    busy = house.create("temple_of_five", ("strong", "greedy", None))
    wait_until(lambda: thinkers.thoughts().total() == 1, "the thinker to be busy")
    waiting = house.create("babel", ("strong", None))
    played = house.create("babel", ("greedy", "random"))
    late = house.create("babel", (None, None), clock=1)
    wait_until(lambda: house.all_done([played, late]), "other games to be played, lost on time and settled")
    house.check_done(played)
    house.check_done(late)
    wait_until(lambda: house.queue.waiting()["stele-think"] == 1, "the other thought to wait its turn")
    assert 1 not in house.game(busy).to_act, "the greedy bot has decided beside the one that thinks"
    house.act(busy, 2)
    wait_until(lambda: not any(house.projections.dirty()), "projections to be up to date")
    assert house.game(busy).to_act == (0,)
    assert house.game(waiting).to_act == (0,)
    assert thinkers.thoughts().total() == 1


def test_a_thinker_that_is_killed_loses_nothing_but_its_thought(house: House, thinkers: Thinkers) -> None:
    game = house.create("babel", ("strong", None))
    doomed = thinkers.start(FOR_EVER).running[-1]
    wait_until(lambda: thinkers.thoughts().total() == 1, "it to think")
    thinkers.group.kill(doomed)
    thinkers.start(QUICKLY)
    wait_until(lambda: house.types(game).count("action_taken") == 1, "another to think, soon")
    (again,) = (times for times in thinkers.thoughts().values() if times > 1)
    assert again == 2


def test_a_thinker_that_is_told_to_stop_does_so_at_once_and_another_goes_on(
    house: House, thinkers: Thinkers
) -> None:
    game = house.create("babel", ("strong", None))
    stopping = thinkers.start(FOR_EVER).running[-1]
    wait_until(lambda: thinkers.thoughts().total() == 1, "it to think")
    stopping.send_signal(signal.SIGTERM)
    assert stopping.wait(PATIENCE) == 0
    assert house.queue.waiting()["stele-think"] == 1, "it has handed its thought on"
    thinkers.start(QUICKLY)
    wait_until(lambda: house.types(game).count("action_taken") == 1, "another to think")


def test_nobody_thinks_twice_about_one_decision_though_every_job_is_doubled(
    house: House, thinkers: Thinkers
) -> None:
    for _ in range(2):
        thinkers.start(QUICKLY)
    games = [house.create("aton", ("strong", "greedy")) for _ in range(3)]

    def double() -> bool:
        jobs = house.queue.thinking.job_ids
        if once := [job for job in jobs if jobs.count(job) == 1]:
            house.client.rpush("rq:queue:stele-think", *once)
        return all(house.types(game).count("action_taken") >= 12 for game in games)

    wait_until(double, "some rounds")
    thoughts = thinkers.thoughts()
    assert thoughts.total() >= 15
    assert set(thoughts.values()) == {1}
