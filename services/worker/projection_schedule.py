"""Projection schedule: a game is projected at once if work is due, else about once a second, many games per job.

Reads of a game are exact whatever its projections are, by the tail of its log. So projections keep up with games,
not with actions: a game at which ten actions a second are made is projected once for all ten. And as a job costs
more than what it does for one game, those whose moment has come wait a little for one another.
"""

from collections.abc import Mapping

PROJECTION_INTERVAL = 0.6
"""Seconds between two projections of a game that is played and owes nothing: with all that follows, about one."""
COLLECT_SECONDS = 0.2
"""Seconds for which games wait for one another."""


class ProjectionSchedule:
    """Games that were written to and wait for their moment."""

    def __init__(self) -> None:
        self._waiting: dict[str, bool] = {}
        """Is something due at once?"""
        self._due = False
        self._latest: dict[str, float] = {}
        """When games were projected that may have to wait for the next time."""
        self._beat = 0.0

    def __bool__(self) -> bool:
        """Does any game wait?"""
        return bool(self._waiting)

    def hear(self, news: Mapping[str, bool]) -> None:
        """These games were written to; for some of them (True) something is due."""
        for game, due in news.items():
            self._waiting[game] = due or self._waiting.get(game, False)
            if due:
                self._due = True
                self._latest.pop(game, None)

    def ready(self, now: float) -> list[str]:
        """The games whose moment has come, those for which something is due first."""
        if not self._due and now < self._beat:
            return []
        self._latest = {game: when for game, when in self._latest.items() if now - when < PROJECTION_INTERVAL}
        games = [game for game in self._waiting if game not in self._latest]
        games.sort(key=self._waiting.__getitem__, reverse=True)
        for game in games:
            del self._waiting[game]
            self._latest[game] = now
        self._due, self._beat = False, now + COLLECT_SECONDS
        return games
