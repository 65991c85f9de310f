"""The toy game's kit: the generic suite runs on it as on every other game."""

from games.toy import LANTERNS
from tests.rulesets.kit import Kit, Perft, Setting

KIT = Kit(
    ruleset=LANTERNS,
    settings=(Setting(3, {}),),
    hidden=frozenset({"players/hand", "players/laid", "deck"}),
    reveals=frozenset({("cards_revealed", "cards"), ("card_drawn", "card")}),
    perft=(Perft("the first rounds", Setting(3, {}), (6, 24, 48, 264, 960)),),
)
