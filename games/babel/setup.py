"""How a game begins (3): from the box, or from a position (4.4)."""

from collections.abc import Mapping
from typing import Any

from games.babel.position import DERIVED, read_position
from games.babel.state import Options, State
from games.babel.turns import start_turn
from games.babel.zones import ZONES
from games.chance import Chance
from games.kernel import Course, Position


def opening(options: Options, seats: int, chance: Chance, position: Position | None) -> Course[State]:
    """An ordinary game begins with the first draw; a position is taken as it stands."""
    course = Course.opened_by(read_position(options, chance, position), chance)
    if not _says_something(position):
        start_turn(course, 1)
    return course


def _says_something(position: Position | None) -> bool:
    """Whether a position says more than options, derived members and nulls."""

    def says(value: Any) -> bool:
        if isinstance(value, Mapping):
            return any(says(inner) for member, inner in value.items() if member not in derived)
        return value is not None

    derived = DERIVED | ZONES.counts
    members = {**(position or {}), "options": None}
    players = members.pop("players", None) or ()
    return says(members) or any(says(player) for player in players)
