"""Lost entries: a log that ends before an entry that was sent is reported, and counted in `stele_forks`."""

import logging

from events.game import Game
from games.kernel import Refusal
from services.core import metrics

log = logging.getLogger(__name__)


class Rewound(Refusal):
    """A client knows entries that the log does not hold: the store has lost them."""

    def __init__(self, position: int, version: int) -> None:
        super().__init__(
            "rewound",
            f"The log of this game ends at entry {version} and not after entry {position}: the server has lost entries."
            " Forget what you know of the game and read it again.",
        )
        self.more = {"version": version}


def report_lost_entries(game: str, knew: int) -> None:
    """A game's log does not hold the entry of this number any more as this process knew it."""
    metrics.LOGS_DIVERGED.inc()
    log.error(
        "a game was rewound: the store has lost entries", extra={"members": {"game": game, "known_to": knew}}
    )


def check_not_above_head(game: Game, position: int | None) -> None:
    """Refuse a position above the head of the log; for every way by which a client names one, HTTP or socket.

    Only a client that was sent entries which are lost since can know such a position. Anyone can make one up, so these
    cases are also counted apart.
    """
    if position is None or position <= game.version:
        return
    metrics.LOGS_DIVERGED.inc()
    metrics.POSITIONS_ABOVE_HEAD.inc()
    members = {"game": game.id, "position": position, "version": game.version}
    log.warning(
        "a client knows entries that the log does not hold: the game was rewound", extra={"members": members}
    )
    raise Rewound(position, game.version)
