"""Starting from a position: what it leaves out is filled in, what breaks the rules is refused (4.3)."""

from games.temple_of_five.position.filling import blank, read_position
from games.temple_of_five.position.soundness import seen_on_board

__all__ = ["blank", "read_position", "seen_on_board"]
