"""Whole games of Babel that are decided beforehand, so that a loader spends nothing on rules."""

import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from bench.servers import scratch
from games import RULESETS
from games.chance import Chance

GAMES = 24


def moves(seed: bytes) -> list[tuple[int, Any]]:
    """A random game: who does what. Every game created with this seed can be played so."""
    babel, dice = RULESETS.latest("babel"), random.Random(seed)
    state, made = babel.fold(None, babel.new_game({}, 2, Chance(seed))), []
    while state.to_act:
        seat = state.to_act[0]
        action = dice.choice(babel.legal_actions(state, seat))
        made.append((seat, msgspec.to_builtins(action)))
        state = babel.fold(state, babel.decide(state, seat, action, Chance(seed)))
    return made


@contextmanager
def scripts(games: int = GAMES) -> Iterator[Path]:
    """A file of such games: `[{"seed", "moves": [[seat, action], …]}, …]`."""
    seeds = [number.to_bytes(32, "big") for number in range(1, games + 1)]
    with scratch() as directory:
        file = directory / "scripts.json"
        file.write_text(json.dumps([{"seed": seed.hex(), "moves": moves(seed)} for seed in seeds]))
        yield file
