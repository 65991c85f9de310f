"""Measuring fairly on a shared machine: alternate what is compared, take medians, report ratios."""

import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import truediv

ROUNDS = 11


@dataclass(frozen=True)
class Line:
    """One row of the report: what was compared, the ratio, and what we aim for."""

    name: str
    ours: str
    against: str
    ratio: float
    aim: str
    good: bool


class Rate(float):
    """The median rate over some rounds, which are kept: machines change their speed from one to the next."""

    rounds: list[float]

    def __new__(cls, rounds: list[float]) -> "Rate":
        found = super().__new__(cls, statistics.median(rounds))
        found.rounds = rounds
        return found


def rate(work: Callable[[], int]) -> float:
    """Units of work in a second of processor and waiting time."""
    start = time.perf_counter()
    done = work()
    return done / (time.perf_counter() - start)


def medians(contenders: Mapping[str, Callable[[], int]], rounds: int = ROUNDS) -> dict[str, Rate]:
    """The median rate of each contender, measured in turn so that a noisy neighbour disturbs all alike."""
    for work in contenders.values():
        work()
    rates: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(rounds):
        for name, work in contenders.items():
            rates[name].append(rate(work))
    return {name: Rate(found) for name, found in rates.items()}


def at_least(name: str, ours: Rate, theirs: Rate, unit: str, aim: float) -> Line:
    """A row where more is better: our rate divided by theirs, round by round."""
    ratio = statistics.median(map(truediv, ours.rounds, theirs.rounds))
    return Line(name, f"{ours:,.0f} {unit}", f"{theirs:,.0f} {unit}", ratio, f"≥ {aim}", ratio >= aim)


def at_most(name: str, ours: float, theirs: float, unit: str, aim: float) -> Line:
    """A row where less is better: our cost divided by theirs."""
    ratio = ours / theirs
    return Line(name, f"{ours:,.0f} {unit}", f"{theirs:,.0f} {unit}", ratio, f"≤ {aim}", ratio <= aim)


def told(name: str, ours: float, unit: str) -> Line:
    """A row that only tells a figure."""
    return Line(name, f"{ours:,.1f} {unit}", "–", float("nan"), "–", True)
