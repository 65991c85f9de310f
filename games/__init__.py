"""The rules of every game, pure: no clock, no network, no store, no chance but the game's own seed."""

from games.babel import BABEL
from games.kernel import Registry
from games.temple_of_five import TEMPLE_OF_FIVE

RULESETS = Registry([BABEL, TEMPLE_OF_FIVE])
"""Every ruleset that this installation can play."""
