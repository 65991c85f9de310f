"""Babel, by Uwe Rosenberg and Hagen Dorgathen, for two players."""

from games.babel.ruleset import Babel

__all__ = ["Babel"]
