"""Every game that the generic suite runs on."""

from tests.games.aton.kit import KIT as ATON
from tests.games.babel.kit import KIT as BABEL
from tests.rulesets.kit import Kit
from tests.toy_kit import KIT as LANTERNS

KITS: tuple[Kit, ...] = (LANTERNS, ATON, BABEL)
