"""Aton: cards laid in secret at four cartouches, priests in four temples."""

from games.aton.ruleset import ATON

__all__ = ["ATON"]
