"""A game of built-in players as a record: written entry by entry as a server would, and settled."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from events import acts
from events.canonical import canonical
from events.entries import Carved
from events.keys import game_id
from events.scribe import Page, Scribe
from games.kernel import Registry, Ruleset
from replays.audit.audit import settlement
from replays.record import Record, to_record

Move = tuple[int, Any]
"""A seat and the action that it took."""


def record_of(
    ruleset: Ruleset[Any, Any],
    options: Mapping[str, Any],
    levels: Sequence[str],
    seed: bytes,
    moves: Sequence[Move],
) -> Record:
    """The record of a game that began from this seed and went like this."""
    rulesets, scribe = Registry([ruleset]), Scribe()
    page = Page(scribe, None, game_id())
    new = acts.NewGame(ruleset, options, len(levels), seed, origin={"kind": "seeded"})
    acts.create(page, acts.ANONYMOUS, new)
    for seat, level in enumerate(levels):
        acts.sit(page, seat, acts.Sitter(bot=level), by=acts.ANONYMOUS)
    acts.start_if_ready(page, rulesets, seed)
    entries: list[Carved] = page.carve()
    for seat, action in moves:
        page = Page(scribe, page.game, page.id)
        acts.act(page, seat, json.loads(canonical(action)), rulesets, seed)
        entries += page.carve()
    page = Page(scribe, page.game, page.id)
    acts.settle(page, seed, settlement(to_record(entries, {}), rulesets, seed))
    return to_record(entries + page.carve(), {})
