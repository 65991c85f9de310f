"""Cache of a bot's choices by view: playouts that start from one position meet the same views again and again."""

from functools import lru_cache
from typing import Any

import msgspec

from games.chance import Stream, WatchedStream
from games.kernel.bots import Bot
from games.kernel.grammar import A, S, Seat

MOST_VIEWS = 1 << 13
"""Choices that are kept; then the cache starts anew. A view takes up to a kilobyte."""

_encode = msgspec.msgpack.Encoder().encode


class CachingBot(Bot[S, A]):
    """Plays as another bot does. A choice in which that bot drew nothing at random is made once for each view."""

    def __init__(self, bot: Bot[S, A]) -> None:
        self._bot = bot
        self._chosen: dict[bytes, A] = {}

    def choose(self, view: S, seat: Seat, dice: Stream) -> A:
        key = _encode((seat, view))
        if key in self._chosen:
            return self._chosen[key]
        watched = WatchedStream(dice)
        action = self._bot.choose(view, seat, watched)
        if not watched.was_drawn_from:
            if len(self._chosen) >= MOST_VIEWS:
                self._chosen = {}
            self._chosen[key] = action
        return action


@lru_cache(maxsize=16)
def caching(bot: Bot[Any, Any]) -> CachingBot[Any, Any]:
    """The one cache of a bot."""
    return CachingBot(bot)
