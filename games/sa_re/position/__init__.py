"""Starting from a position: what it leaves out is filled in, what breaks the rules is refused (4.3)."""

from games.sa_re.position.filling import read_position

__all__ = ["read_position"]
