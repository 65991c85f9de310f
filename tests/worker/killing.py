"""Bot games under random kill -9: all must end, settled once, projected as their logs say."""

import random
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from tests.worker.house import House, Processes

RULESETS = ("babel", "aton", "temple_of_five", "sa_re")


def bots_of(number: int, house: House) -> tuple[str, tuple[str, ...]]:
    """Which game is the one of this number, and who plays it."""
    ruleset = house.rulesets.latest(RULESETS[number % len(RULESETS)])
    return ruleset.name, ("greedy", *["random"] * (ruleset.seat_counts[0] - 1))


class Aftermath(NamedTuple):
    """How long it took after the last kill until all was done, and how long the slowest game stood still meanwhile."""

    seconds: float
    longest_standstill: float


def survive_kills(
    house: House,
    group: Processes,
    programs: Sequence[str],
    create: Callable[[int], str],
    *,
    games: int,
    seconds: float,
    patience: float,
) -> Aftermath:
    """Play so many games while programs are killed for so long, and wait until all is done."""
    running = [(program, group.start(program)) for program in programs]
    until = time.monotonic() + seconds
    with ThreadPoolExecutor(1) as creator:
        creating = creator.map(create, range(games))
        while time.monotonic() < until:
            time.sleep(random.uniform(0.05, 0.8))
            program, victim = running.pop(random.randrange(len(running)))
            group.kill(victim)
            running.append((program, group.start(program)))
        created = list(creating)
    aftermath = watch(house, created, patience)
    check_all(house, created)
    return aftermath


def watch(house: House, games: Sequence[str], patience: float) -> Aftermath:
    """Look on until all is done."""
    began = time.monotonic()
    moved = dict.fromkeys(games, (0, began))
    longest = 0.0
    while not house.all_done(games):
        now = time.monotonic()
        assert now - began < patience, f"{len(games)} games are not settled after {patience:g} s"
        for game in games:
            version, since = moved[game]
            game_now = house.game(game)
            if game_now.version > version:
                moved[game] = game_now.version, now
            elif not game_now.settled:
                longest = max(longest, now - since)
        time.sleep(0.25)
    return Aftermath(time.monotonic() - began, longest)


def check_all(house: House, games: Sequence[str]) -> None:
    """Every game is done, every projection is what its log gives, and nothing is left to do."""
    for game in games:
        house.check_done(game)
        house.check_projected(game)
    assert list(house.projections.todo()) == []
    assert house.projections.stuck() == {}
