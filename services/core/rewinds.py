"""Logs that were rewound: a failover has lost entries that a process knew. Whoever notices says so, and counts it."""

import logging

from services.core import metrics

log = logging.getLogger(__name__)


def noticed(game: str, knew: int) -> None:
    """A game's log does not hold the entry of this number any more as this process knew it."""
    metrics.DIVERGED.inc()
    log.error(
        "a game was rewound: the store has lost entries", extra={"members": {"game": game, "known_to": knew}}
    )
