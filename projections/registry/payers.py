"""Payers: who created a game without a token, as limits count callers."""

from projections.payers import PAYER
from projections.projection import Projection

PROJECTION = Projection(
    name="payers",
    title="who created a game without a token, as a keyed hash of the address; fades after 60 days",
    game_keys=(PAYER,),
    rebuilt=False,
)
