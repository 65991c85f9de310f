"""Temple of Five: pyramids whose chains of colour send priests to the gods."""

from games.temple_of_five.ruleset import TEMPLE_OF_FIVE, TEMPLE_OF_FIVE_1, temple_of_five

__all__ = ["TEMPLE_OF_FIVE", "TEMPLE_OF_FIVE_1", "temple_of_five"]
