"""The games of the house."""

from games.kernel import Registry

RULESETS = Registry([])
