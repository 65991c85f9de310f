"""The record of a selfplay game: written entry by entry as a server would, and settled."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from events import commands
from events.batch import EntryBatch, EntryFactory
from events.canonical import canonical
from events.entries import Carved
from events.keys import game_id
from games.kernel import Registry, Ruleset
from replays.audit.audit import settlement
from replays.record import Record, to_record

Move = tuple[int, Any]
"""A seat and the action that it took."""


def selfplay_record(
    ruleset: Ruleset[Any, Any],
    options: Mapping[str, Any],
    levels: Sequence[str],
    seed: bytes,
    moves: Sequence[Move],
) -> Record:
    """The record of a game that began from this seed and went like this."""
    rulesets, entry_factory = Registry([ruleset]), EntryFactory()
    batch = EntryBatch(entry_factory, None, game_id())
    new = commands.NewGame(ruleset, options, len(levels), seed, origin={"kind": "seeded"})
    commands.create(batch, commands.ANONYMOUS_ACTOR, new)
    for seat, level in enumerate(levels):
        commands.sit(batch, seat, commands.Sitter(bot=level), by=commands.ANONYMOUS_ACTOR)
    commands.start_if_ready(batch, rulesets, seed)
    entries: list[Carved] = batch.carve()
    for seat, action in moves:
        batch = EntryBatch(entry_factory, batch.game, batch.id)
        commands.act(batch, seat, json.loads(canonical(action)), rulesets, seed)
        entries += batch.carve()
    batch = EntryBatch(entry_factory, batch.game, batch.id)
    commands.settle(batch, seed, settlement(to_record(entries, {}), rulesets, seed))
    return to_record(entries + batch.carve(), {})
