"""Snapshots: a folded game as compressed bytes, so that nobody has to fold its whole log again."""

import logging
import zlib
from dataclasses import replace
from typing import Any

import msgspec

from events.canonical import canonical
from events.game import Game
from games.kernel import Registry, Ruleset

log = logging.getLogger(__name__)

SNAPSHOT_FORMAT = 5
"""Goes up when `Game` or the packing changes: snapshots of another format are thrown away and folded again."""

ZLIB_LEVEL, QUICK_ZLIB_LEVEL = 6, 1
"""How hard snapshots are packed: to 9 it would take longer for nothing; that of a game which is played lasts a second."""


def snapshot_tag(ruleset: Ruleset[Any, Any]) -> str:
    """What a snapshot must have been made with to be read: our format, the rules' version, the shape of their states."""
    return f"{SNAPSHOT_FORMAT}:{ruleset.name}:{ruleset.version}:{ruleset.state_shape}"


def write_snapshot(game: Game) -> bytes:
    """A game as bytes, packed: of what one game takes in the store, nothing else can be made smaller."""
    members = msgspec.structs.asdict(game)
    by_seat = {
        name: {str(seat): value for seat, value in members[name].items()}
        for name in ("decisions", "decision_hashes", "asked_at", "left")
    }
    return zlib.compress(
        canonical(members | by_seat | _first_state(game)),
        QUICK_ZLIB_LEVEL if game.status == "playing" else ZLIB_LEVEL,
    )


def _first_state(game: Game) -> dict[str, Any]:
    """Of the states that can be restored the first one, and the facts that lead from it to the others and the present."""
    if game.lineage is None:
        return {}
    points = [replace(point, state=None, sights={}) for point in game.lineage.points]
    return {"state": game.lineage.points[0].state, "lineage": replace(game.lineage, points=tuple(points))}


def _with_states(game: Game, ruleset: Ruleset[Any, Any]) -> Game:
    """A game whose snapshot has its first state alone, with all of its states."""
    state = ruleset.read_state(game.state)
    if game.lineage is None:
        return msgspec.structs.replace(game, state=state)
    first, *others = game.lineage.points
    points = [replace(first, state=state)]
    for point in others:
        facts = tuple(ruleset.read_facts(point.facts))
        state = ruleset.fold(state, facts)
        points.append(replace(point, facts=facts, state=state))
    return msgspec.structs.replace(game, state=state, lineage=replace(game.lineage, points=tuple(points)))


def read_snapshot(body: bytes, tag: str, rulesets: Registry) -> Game | None:
    """The game of a snapshot; None if it was made with anything but what we have now, or is broken: the log has it all."""
    number, name, version, _ = tag.split(":")
    if int(number) != SNAPSHOT_FORMAT:
        return None
    ruleset = rulesets.get(name, int(version))
    if tag != snapshot_tag(ruleset):
        return None
    try:
        game = msgspec.json.decode(zlib.decompress(body), type=Game)
        if game.state is None:
            return game
        return _with_states(game, ruleset)
    except (zlib.error, msgspec.MsgspecError) as error:
        log.warning("a snapshot is broken, its game is read from the log: %s", type(error).__name__)
        return None
