"""How a game begins (3): from the box, or from a position (4.3)."""

from games.chance import Chance
from games.kernel import Course, Position
from games.temple_of_five.position import read_position
from games.temple_of_five.state import Options, State


def opening(options: Options, seats: int, chance: Chance, position: Position | None) -> Course[State]:
    """The game stands at its first decision."""
    return Course.opened_by(read_position(options, seats, chance, position), chance)
