"""Hints: made when a player asks, and kept for some minutes."""

from projections.projection import Projection

PROJECTION = Projection(
    name="hints",
    title="hints for players; made when one asks, kept for ten minutes",
    keys={"hints": "other"},
    game_keys=("hint",),
    rebuilt=False,
)
