"""Who begins: the seat that the option `begins` names, or one drawn by lot."""

from typing import Any

from games.chance import Chance
from games.kernel.grammar import Seat
from games.kernel.refusals import InvalidSetup

DRAWN = "drawn"


def check_begins(options: Any, seats: int) -> None:
    """Refuse a seat that this game does not have."""
    begins = _begins(options)
    if begins != DRAWN and begins >= seats:
        raise InvalidSetup("invalid_options", f"Seat {begins} cannot begin: this game has {seats} seats.")


def who_begins(options: Any, seats: int, chance: Chance) -> Seat:
    """The seat that begins. Drawn by lot, it is the first of all seats, shuffled with the label `begins`."""
    begins = _begins(options)
    return chance.shuffle("begins", range(seats))[0] if begins == DRAWN else begins


def _begins(options: Any) -> Any:
    """What the options say; in versions of a game without the option, seat 0 begins."""
    return getattr(options, "begins", 0)
