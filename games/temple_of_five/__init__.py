"""Temple of Five: pyramids whose chains of colour send priests to the gods."""

from games.temple_of_five.ruleset import TempleOfFive

__all__ = ["TempleOfFive"]
