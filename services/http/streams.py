"""What a live stream follows, as data: a handler describes it, the front sends it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from events.entries import Carved
from events.game import Game
from games.kernel import Viewer
from projections.host_events import FeedCursor, Interest
from services.core.public_status import Include

REWOUND = b"event: rewound\nid: 0\ndata: {}\n\n"
"""The store has lost entries that were sent: what is known of the game is to be forgotten, and asked for from its beginning."""

Moment = tuple[Carved, Game | None]
"""An entry, and the game as it stood after it where frames are made of it."""


class Frames(NamedTuple):
    """Someone wants frames: first of these moments, then of whatever comes after this game."""

    game: Game
    missed: Sequence[Moment]
    include: Include


@dataclass(frozen=True)
class Watch:
    """Someone wants to see a game's events after number `after`, live.

    `generation` is that of the seat's token, None for a viewer without one. `after` must not be beyond the version at
    which the caller was authenticated: every later renewal of the token has to come by. A guest may look on until the
    game is settled, and is not told of that.
    """

    game: str
    viewer: Viewer
    after: int
    generation: int | None = None
    guest: bool = False
    frames: Frames | None = None


@dataclass(frozen=True)
class Listen:
    """Someone wants to hear what happens in many games after a cursor."""

    interest: Interest
    after: FeedCursor
