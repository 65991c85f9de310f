"""Bot games under random kill -9 of dispatcher and workers: all must end, settled once, projected as their logs say."""

import random
import subprocess
import time

from tests.servers import wait_until
from tests.worker.house import House, Processes, processes

RULESETS = ("babel", "aton", "temple_of_five", "sa_re")
PROGRAMS = ("dispatcher", "worker", "worker")


def survive_kills(house: House, url: str, games: int, seconds: float, patience: float) -> float:
    """Play so many games while processes are killed for so long; seconds from the last kill until all was done."""
    with processes(url) as group:
        running = [(program, group.start(program)) for program in PROGRAMS]
        created = [_create(house, number) for number in range(games)]
        _kill_at_random(group, running, seconds)
        began = time.monotonic()
        wait_until(lambda: house.all_done(created), f"{games} games to be settled", patience)
        took = time.monotonic() - began
    for game in created:
        house.check_done(game)
        house.check_projected(game)
    assert list(house.projections.todo()) == []
    assert house.projections.stuck() == {}
    return took


def _create(house: House, number: int) -> str:
    ruleset = house.rulesets.latest(RULESETS[number % len(RULESETS)])
    return house.create(ruleset.name, ("greedy", *["random"] * (ruleset.seat_counts[0] - 1)))


def _kill_at_random(
    group: Processes, running: list[tuple[str, subprocess.Popen[bytes]]], seconds: float
) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        time.sleep(random.uniform(0.05, 0.8))
        program, victim = running.pop(random.randrange(len(running)))
        group.kill(victim)
        running.append((program, group.start(program)))
