"""The rules of every game, pure: no clock, no network, no store, no chance but the game's own seed."""

from games.babel import BABEL
from games.kernel import Registry
from games.sa_re import SA_RE

RULESETS = Registry([BABEL, SA_RE])
"""Every ruleset that this installation can play."""
