"""The rules of every game, pure: no clock, no network, no store, no chance but the game's own seed."""

from games.kernel import Registry

RULESETS = Registry([])
"""Every ruleset that this installation can play."""
