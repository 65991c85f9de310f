"""Babel, by Uwe Rosenberg and Hagen Dorgathen, for two players."""

from games.babel.ruleset import BABEL, BABEL_1

__all__ = ["BABEL", "BABEL_1"]
