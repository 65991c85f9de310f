"""Every game that the generic suite runs on."""

from tests.rulesets.kit import Kit
from tests.toy_kit import KIT as LANTERNS

KITS: tuple[Kit, ...] = (LANTERNS,)
