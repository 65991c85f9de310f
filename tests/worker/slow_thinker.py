"""A thinker whose thoughts take as long as a test wants, and are noted in a file: what it saw, each time anew."""

import os
import runpy
import time
from pathlib import Path
from typing import Any

from games.canonical import digest
from games.chance import Stream
from games.kernel import SEARCHING, Bot, Ruleset

NOTES, SECONDS = "TEST_THOUGHTS", "TEST_THINKING_SECONDS"
"""Variables that name the file, and say how long a thought takes."""


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


if __name__ == "__main__":
    Ruleset.bot = bot  # type: ignore[assignment, method-assign]  # that is what this program is for
    runpy.run_module("services.worker.thinker", run_name="__main__")
