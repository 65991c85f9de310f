"""The rules of every game, pure: no clock, no network, no store, no chance but the game's own seed."""

from games.aton import Aton
from games.babel import Babel
from games.kernel import Registry
from games.sa_re import SaRe
from games.temple_of_five import TempleOfFive

RULESETS = Registry([Aton(), Babel(), SaRe(), TempleOfFive()])
"""Every ruleset that this installation can play."""
