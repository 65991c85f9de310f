"""The rules of every game, pure: no clock, no network, no store, no chance but the game's own seed."""

from games.aton import ATON
from games.babel import BABEL
from games.kernel import Registry

RULESETS = Registry([ATON, BABEL])
"""Every ruleset that this installation can play."""
