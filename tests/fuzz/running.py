"""Running fuzzers: attempt after attempt, for so many seconds."""

import time
from random import Random
from typing import NamedTuple

from tests.fuzz.fuzzers import Attempt


class Failure(NamedTuple):
    """An attempt that failed, and its number: the same number fails again."""

    number: int
    error: Exception


class Ran(NamedTuple):
    attempts: int
    failures: list[Failure]


def run(name: str, attempt: Attempt, seconds: float, first: int = 0, most_failures: int = 1) -> Ran:
    """Make attempts for a while; gives up after some failures."""
    failures: list[Failure] = []
    until, number = time.monotonic() + seconds, first
    while time.monotonic() < until and len(failures) < most_failures:
        try:
            attempt(Random(f"{name} {number}"))
        except Exception as error:  # whatever it is, it is what is looked for
            failures.append(Failure(number, error))
        number += 1
    return Ran(number - first, failures)
