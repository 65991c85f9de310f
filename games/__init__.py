"""The rules of every game, pure: no clock, no network, no store, no chance but the game's own seed."""

from games.aton import ATON
from games.babel import BABEL, BABEL_1
from games.kernel import Registry
from games.sa_re import SA_RE, SA_RE_1
from games.temple_of_five import TEMPLE_OF_FIVE, TEMPLE_OF_FIVE_1

RULESETS = Registry([ATON, BABEL_1, BABEL, SA_RE_1, SA_RE, TEMPLE_OF_FIVE_1, TEMPLE_OF_FIVE])
"""Every ruleset that this installation can play."""
