"""The golden records as tests read them, and what their viewers saw."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from events.game import Game, ruleset_of, unfold
from games import RULESETS
from games.kernel import Viewer
from replays.audit.verify import read_record
from replays.record import Record, entries_of
from tests.rulesets.story import builtins

HERE = Path(__file__).parent
RECORDS = sorted(path for path in HERE.glob("*/*.json") if not path.name.endswith(".views.json"))
PARTS = 4
"""A game is looked into at the beginning, at the end, and where it passes from one part to the next."""


@cache
def golden(path: Path) -> Record:
    """A golden record, read once a run."""
    return read_record(path.read_bytes())


def seen(path: Path) -> Any:
    """What its viewers saw, as it was written down with the record."""
    return json.loads(path.with_suffix(".views.json").read_bytes())


def glimpses(record: Record) -> dict[str, Any]:
    """What everyone sees at some versions of a game; nothing of a game that never began."""
    moments = [game for _, game in unfold(entries_of(record), RULESETS) if game.state is not None]
    last = len(moments) - 1
    chosen = sorted({last * part // PARTS for part in range(PARTS + 1)}) if moments else []
    return {str(moments[index].version): glimpse(moments[index]) for index in chosen}


def glimpse(game: Game) -> dict[str, Any]:
    """The hash of the full state, the spectator's view, and what each seat sees otherwise, by JSON pointer."""

    def view(viewer: Viewer) -> Any:
        return builtins(ruleset_of(game, RULESETS).view(game.state, viewer))

    public = view(None)
    return {
        "state": game.state_hash,
        "spectator": public,
        "seats": [differences(public, view(seat)) for seat in range(len(game.chairs))],
    }


def differences(one: Any, other: Any, pointer: str = "") -> dict[str, Any]:
    """Where two JSON values of one form differ, and what stands there in the other one."""
    if one == other:
        return {}
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        pairs = [(str(key), one[key], other[key]) for key in one]
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = [(str(index), *pair) for index, pair in enumerate(zip(one, other, strict=True))]
    else:
        return {pointer: other}
    changes: dict[str, Any] = {}
    for key, before, after in pairs:
        changes |= differences(before, after, f"{pointer}/{key}")
    return changes
