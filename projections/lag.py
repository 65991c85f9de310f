"""How long ago the oldest entry was appended that is not projected yet."""

from itertools import islice
from typing import Any, cast

from events.clocks import milliseconds
from events.keys import game_key, keys_of
from events.store import entry_in
from projections.store import ProjectionStore

LOOKED_AT = 100
"""Games that are looked at: enough to tell, few enough to ask often."""


def projection_lag(projections: ProjectionStore, now: float) -> float:
    """Seconds by which the game that is behind longest is behind, among some of those that are."""
    ages = (_age(projections, game, now) for game in islice(projections.dirty(), LOOKED_AT))
    return max(ages, default=0.0)


def _age(projections: ProjectionStore, game: str, now: float) -> float:
    client = projections.client
    version = int(cast(bytes | None, client.hget(game_key(game, "snapshot"), "version")) or 0)
    rows = cast(list[Any], client.xrange(keys_of(game).stream, f"{version + 1}-0", "+", count=1))
    if not rows:
        return 0.0
    return now - milliseconds(entry_in(rows[0]).entry.at) / 1000
