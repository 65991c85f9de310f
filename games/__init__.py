"""The rules of every game, pure: no clock, no network, no store, no chance but the game's own seed."""

from games.aton import Aton
from games.kernel import Registry

RULESETS = Registry([Aton()])
"""Every ruleset that this installation can play."""
