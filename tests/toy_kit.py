"""The toy game's kit: the generic suite runs on it as on every other game."""

from games.toy import LANTERNS
from tests.rulesets.kit import Kit, Perft, Setting

THREE = Setting(seats=3, options={})

KIT = Kit(
    ruleset=LANTERNS,
    settings=(THREE,),
    hidden=frozenset({"players/hand", "players/laid", "deck"}),
    reveals=frozenset({("cards_revealed", "cards"), ("card_drawn", "card")}),
    perft=(Perft("the first rounds", THREE, (6, 24, 48, 264, 960)),),
)
