"""What a player may ask for (6): one class an action, with what speaks against it and what comes of it."""

from games.kernel import kinds_in
from games.sa_re.actions import construction, powers, season, sites
from games.sa_re.actions.action import SaReAction

__all__ = ["ACTIONS", "SaReAction"]

ACTIONS = kinds_in(SaReAction, sites, season, powers, construction)
