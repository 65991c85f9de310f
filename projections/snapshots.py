"""Snapshots: a folded game as a few bytes, so that nobody has to fold it from the beginning again."""

import logging
import zlib
from typing import Any

import msgspec

from events.canonical import canonical
from events.game import Game
from games.kernel import Registry, Ruleset

log = logging.getLogger(__name__)

FORMAT = 4
"""Goes up when `Game` or the packing changes: snapshots of another format are thrown away and folded again."""

PACKING, QUICK_PACKING = 6, 1
"""How hard snapshots are packed: to 9 it would take longer for nothing; that of a game which is played lasts a second."""


def tag_of(ruleset: Ruleset[Any, Any]) -> str:
    """What a snapshot must have been made with to be read: our format, the rules' version, the shape of their states."""
    return f"{FORMAT}:{ruleset.name}:{ruleset.version}:{ruleset.state_shape}"


def write_snapshot(game: Game) -> bytes:
    """A game as bytes, packed: of what one game takes in the store, nothing else can be made smaller."""
    members = msgspec.structs.asdict(game)
    by_seat = {
        name: {str(seat): value for seat, value in members[name].items()}
        for name in ("decisions", "asked_at", "left")
    }
    return zlib.compress(canonical(members | by_seat), QUICK_PACKING if game.status == "playing" else PACKING)


def read_snapshot(body: bytes, tag: str, rulesets: Registry) -> Game | None:
    """The game of a snapshot; None if it was made with anything but what we have now, or is broken: the log has it all."""
    number, name, version, _ = tag.split(":")
    if int(number) != FORMAT:
        return None
    ruleset = rulesets.get(name, int(version))
    if tag != tag_of(ruleset):
        return None
    try:
        game = msgspec.json.decode(zlib.decompress(body), type=Game)
        if game.state is None:
            return game
        return msgspec.structs.replace(game, state=ruleset.read_state(game.state))
    except (zlib.error, msgspec.MsgspecError) as error:
        log.warning("a snapshot is broken, its game is read from the log: %s", type(error).__name__)
        return None
