"""Every game that the generic suite runs on."""

from tests.rulesets.kit import Kit

KITS: tuple[Kit, ...] = ()
