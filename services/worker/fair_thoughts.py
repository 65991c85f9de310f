"""Fair queueing of thoughts: the caller whose games have had least of the thinkers' time has the next turn.

A job of the thinkers' queue is a turn to think; which game has it is decided when the turn comes. Each caller has a line
of games and a virtual time, the seconds that its thoughts have taken; one that comes back after a while begins where
the others are. So whoever has many bots think delays its own games. (Start-time fair queueing.)
"""

from typing import cast

from redis import Redis

from events.scripts import Script

PREFIX = "stele:thoughts:"
FAIR_SECONDS = 3600
"""For how long it is remembered who has had how much, if nobody thinks."""
EXPECTED_THOUGHT_SECONDS = 0.5
"""What a turn is charged when it begins, so that two thinkers do not give their turns to the same caller."""


class FairThoughts:
    """The games that wait for a thought, by who pays for it."""

    def __init__(self, connection: Redis) -> None:
        self._connection = connection
        self._change = Script(connection, "services.worker", "fair_thoughts.lua")

    def add(self, payer: str, game: str) -> None:
        """A game waits for a thought, behind its payer's others; it waits once."""
        self._change(self._keys, ["add", PREFIX, FAIR_SECONDS, payer, game])

    def next(self) -> tuple[str, str] | None:
        """The game that has the next turn, and who pays for it; None if none waits."""
        found = self._change(self._keys, ["next", PREFIX, FAIR_SECONDS, str(EXPECTED_THOUGHT_SECONDS)])
        if not found:
            return None
        game, payer = cast(list[bytes], found)
        return game.decode(), payer.decode()

    def charge(self, payer: str, seconds: float) -> None:
        """A turn has taken so many seconds of a processor."""
        self._change(
            self._keys, ["charge", PREFIX, FAIR_SECONDS, payer, str(seconds - EXPECTED_THOUGHT_SECONDS)]
        )

    @property
    def _keys(self) -> list[str]:
        return [f"{PREFIX}waiting", f"{PREFIX}used"]
