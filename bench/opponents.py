"""Players for the bots to be measured by, among them some that no playout expects."""

import atexit
import io
import json
import subprocess
import sys
import tarfile
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from games.chance import Stream
from games.kernel import SEARCHING, Bot, Ruleset, Seat
from games.search import Strong

ROOT = Path(__file__).parent.parent
FIRST_ROUND = "3020cf8"
"""The commit whose `greedy` is the first one."""
ABSENT_MINDED = 30
"""Of a hundred moves of the absent-minded, how many are random."""
SPEAKER = """
import json, sys
import msgspec
from games import RULESETS
from games.chance import Stream
for line in sys.stdin:
    asked = json.loads(line)
    ruleset = RULESETS.latest(asked["ruleset"])
    dice = Stream(bytes.fromhex(asked["dice"]), "bot")
    action = ruleset.bot("greedy").choose(ruleset.read_state(asked["view"]), asked["seat"], dice)
    print(json.dumps(msgspec.to_builtins(action)), flush=True)
"""
OPPONENTS = {
    "greedy": "`greedy`",
    "first": "the first `greedy`, before it was mended",
    "absent": f"`greedy`, but {ABSENT_MINDED} % of its moves are random",
    "unguarded": "`strong` without a liking for `greedy`'s choice",
}
"""Every opponent, and what it is called."""


class AbsentMinded(Bot[Any, Any]):
    """Greedy, but for moves that are random."""

    def __init__(self, ruleset: Ruleset[Any, Any]) -> None:
        self._usual, self._random = ruleset.greedy, ruleset.bot("random")

    def choose(self, view: Any, seat: Seat, dice: Stream) -> Any:
        bot = self._random if dice.below(100) < ABSENT_MINDED else self._usual
        return bot.choose(view, seat, dice)


class FirstGreedy(Bot[Any, Any]):
    """The greedy of the first round, in a process that runs the code of then: views go there, actions come back."""

    def __init__(self, ruleset: Ruleset[Any, Any], past: Path) -> None:
        self._ruleset = ruleset
        self._speaker = speaker(past)

    def choose(self, view: Any, seat: Seat, dice: Stream) -> Any:
        asked = {
            "ruleset": self._ruleset.name,
            "view": msgspec.to_builtins(view),
            "seat": seat,
            "dice": dice.word().to_bytes(8, "big").hex(),
        }
        assert self._speaker.stdin
        assert self._speaker.stdout
        self._speaker.stdin.write(json.dumps(asked) + "\n")
        self._speaker.stdin.flush()
        return self._ruleset.read_action(json.loads(self._speaker.stdout.readline()))


@cache
def speaker(past: Path) -> "subprocess.Popen[str]":
    """A process with the code of the past, which this process lets go when it ends itself."""
    process = subprocess.Popen(
        [sys.executable, "-c", SPEAKER], cwd=past, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    atexit.register(process.communicate)
    return process


def unpack_first_round(past: Path) -> None:
    """The rules and bots as they were, in a directory of their own."""
    packed = subprocess.run(
        ["git", "archive", "--format=tar", FIRST_ROUND, "games"], cwd=ROOT, capture_output=True, check=True
    )
    with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as archive:
        archive.extractall(past, filter="data")


def player_of(ruleset: Ruleset[Any, Any], name: str, past: Path) -> Bot[Any, Any]:
    """A player by the name of its level, or by that of an opponent."""
    match name:
        case "first":
            return FirstGreedy(ruleset, past)
        case "absent":
            return AbsentMinded(ruleset)
        case "unguarded":
            return Strong(ruleset, round(SEARCHING["strong"] * ruleset.prospects.playouts), caution=0.0)
    return ruleset.bot(name)
