"""Every game that the generic suite runs on."""

from tests.games.temple_of_five.kit import KIT as TEMPLE_OF_FIVE
from tests.rulesets.kit import Kit
from tests.toy_kit import KIT as LANTERNS

KITS: tuple[Kit, ...] = (LANTERNS, TEMPLE_OF_FIVE)
