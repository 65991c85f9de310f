"""When a game is projected: at once if something is due or it was quiet before, else about once a second.

Reads of a game are exact whatever its projections are, by the tail of its log. So projections keep up with games,
not with actions: a game at which ten actions a second are made is projected once for all ten.
"""

from collections.abc import Mapping

EVERY = 1.0
"""Seconds between two projections of a game that is played and owes nothing."""


class Cadence:
    """Games that were written to and wait for their moment."""

    def __init__(self) -> None:
        self._waiting: dict[str, None] = {}
        self._latest: dict[str, float] = {}
        """When games were projected that may have to wait for the next time."""

    def __bool__(self) -> bool:
        """Does any game wait?"""
        return bool(self._waiting)

    def hear(self, news: Mapping[str, bool]) -> None:
        """These games were written to; for some of them (True) something is due."""
        for game, due in news.items():
            self._waiting[game] = None
            if due:
                self._latest.pop(game, None)

    def ready(self, now: float) -> list[str]:
        """The games whose moment has come."""
        self._latest = {game: when for game, when in self._latest.items() if now - when < EVERY}
        games = [game for game in self._waiting if game not in self._latest]
        for game in games:
            del self._waiting[game]
            self._latest[game] = now
        return games
