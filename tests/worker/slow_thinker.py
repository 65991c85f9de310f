"""A thinker whose thoughts take as long as a test wants, and are noted in a file: what it saw, each time anew.

So do the steps of its reviews, but for the first that a process comes to; each has few playouts.
"""

import os
import runpy
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from events.entries import Carved
from games.canonical import digest
from games.chance import Stream
from games.kernel import SEARCHING, Bot, Registry, Ruleset
from replays.review.steps import Step, steps
from services.worker import review_job

NOTES, SECONDS = "TEST_THOUGHTS", "TEST_THINKING_SECONDS"
"""Variables that name the file, and say how long a thought takes."""
FEW = 4
"""Playouts of a decision that is reviewed."""


class Slow(Bot[Any, Any]):
    """Plays as greedy does, but takes its time."""

    def __init__(self, ruleset: Ruleset[Any, Any]) -> None:
        self._ruleset = ruleset

    def choose(self, view: Any, seat: int, dice: Stream) -> Any:
        with Path(os.environ[NOTES]).open("a", encoding="utf-8") as notes:
            notes.write(f"{digest(view)}\n")
        time.sleep(float(os.environ[SECONDS]))
        return self._ruleset.greedy.choose(view, seat, dice)


usual = Ruleset.bot


def bot(ruleset: Ruleset[Any, Any], level: str) -> Bot[Any, Any]:
    return Slow(ruleset) if level in SEARCHING else usual(ruleset, level)


def few_steps(entries: Sequence[Carved], rulesets: Registry, done: Mapping[int, Step]) -> Iterator[Step]:
    return steps(entries, rulesets, done, FEW)


def slow_steps(entries: Sequence[Carved], rulesets: Registry, done: Mapping[int, Step]) -> Iterator[Step]:
    made = 0
    for step in few_steps(entries, rulesets, done):
        if step.version not in done:
            if made:
                time.sleep(float(os.environ[SECONDS]))
            made += 1
        yield step


if __name__ == "__main__":
    Ruleset.bot = bot  # type: ignore[assignment, method-assign]  # that is what this program is for
    vars(review_job)["steps"] = slow_steps
    runpy.run_module("services.worker.thinker", run_name="__main__")
