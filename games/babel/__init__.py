"""Babel, by Uwe Rosenberg and Hagen Dorgathen, for two players."""

from games.babel.ruleset import BABEL

__all__ = ["BABEL"]
