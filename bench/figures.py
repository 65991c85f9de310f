"""What is measured: figures of several rounds, mostly ratios, each with its median, its worst round and its aim."""

import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import truediv
from time import perf_counter
from typing import Any, Literal

Direction = Literal["≥", "≤"]


@dataclass(frozen=True)
class Figure:
    """One row of the report. With `against` it is a ratio, round by round; without, the rounds themselves."""

    name: str
    ours: Sequence[float]
    unit: str
    against: Sequence[float] = ()
    aim: float | None = None
    direction: Direction = "≥"
    """`≥`: more is better; `≤`: less is."""
    most_rounds: bool = False
    """The aim is for four rounds in five, each by itself, and not for the median."""

    @property
    def rounds(self) -> list[float]:
        return list(map(truediv, self.ours, self.against)) if self.against else list(self.ours)

    @property
    def value(self) -> float:
        return statistics.median(self.rounds)

    @property
    def worst(self) -> float:
        return min(self.rounds) if self.direction == "≥" else max(self.rounds)

    @property
    def good_rounds(self) -> int:
        return sum(map(self._reaches, self.rounds))

    @property
    def good(self) -> bool | None:
        """Whether the aim is reached; None if there is none."""
        if self.aim is None:
            return None
        if self.most_rounds:
            return self.good_rounds >= 0.8 * len(self.rounds)
        return self._reaches(self.value)

    def _reaches(self, value: float) -> bool:
        if self.aim is None:
            return True
        return value >= self.aim if self.direction == "≥" else value <= self.aim

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "value": rounded(self.value),
            "worst": rounded(self.worst),
            "aim": None if self.aim is None else f"{self.direction} {self.aim:g}",
            "good": self.good,
            "unit": self.unit,
            "ours": list(map(rounded, self.ours)),
            "against": list(map(rounded, self.against)),
        }


def rounded(value: float) -> float:
    """Four digits are more than any run is good for."""
    return float(f"{value:.4g}")


def rate(work: Callable[[], int]) -> float:
    """Units of work in a second."""
    begun = perf_counter()
    done = work()
    return done / (perf_counter() - begun)


def rates(contenders: Mapping[str, Callable[[], int]], rounds: Iterable[int]) -> dict[str, list[float]]:
    """The rate of each contender in each round, in turn, so that a noisy neighbour disturbs all alike."""
    for work in contenders.values():
        work()
    rates_by_name: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in rounds:
        for name, work in contenders.items():
            rates_by_name[name].append(rate(work))
    return rates_by_name
