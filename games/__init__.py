"""The rules of every game, pure: no clock, no network, no store, no chance but the game's own seed."""

from games.aton import ATON
from games.babel import BABEL
from games.kernel import Registry
from games.sa_re import SA_RE
from games.temple_of_five import TEMPLE_OF_FIVE

RULESETS = Registry([ATON, BABEL, SA_RE, TEMPLE_OF_FIVE])
"""Every ruleset that this installation can play."""
