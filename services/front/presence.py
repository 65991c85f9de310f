"""Presence: which seats with push registrations are followed live by this process, noted where push senders look.

A note fades unless it is renewed, so a process that is killed takes nobody's messages away for long.
"""

import asyncio
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

from events.keys import game_key, partition_key, partition_of
from games.kernel import Viewer
from projections.pushes import GAMES, REGISTRATIONS, presence_key
from services.core.backoff import Backoff
from services.core.metrics import process_name
from services.front.log_reader import AsyncClient

RENEW_PRESENCE_SECONDS = 5.0
"""Between two looks at who is registered, and the longest that a seat which has just registered seems to be absent."""
PRESENCE_SECONDS = 30
"""After which a note fades."""
GATHER_SECONDS = 0.1
"""Meanwhile arrivals and departures gather into one look."""


class SeatFollowed(NamedTuple):
    """A seat of a game that somebody here follows."""

    game: str
    seat: int


class Presence:
    """The seats that are followed on streams and sockets of this process."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client
        self._process = process_name()
        self._streams: Counter[SeatFollowed] = Counter()
        self._noted: set[SeatFollowed] = set()
        self._changed = asyncio.Event()

    @contextmanager
    def following(self, game: str, viewer: Viewer) -> Iterator[None]:
        """For the length of the block a stream shows this game to this viewer."""
        if viewer is None:
            yield
            return
        followed = SeatFollowed(game, viewer)
        self._streams[followed] += 1
        self._changed.set()
        try:
            yield
        finally:
            self._streams[followed] -= 1
            if not self._streams[followed]:
                del self._streams[followed]
                self._changed.set()

    async def run(self) -> None:
        """Note who is there, at every change and again and again."""
        backoff = Backoff("presence")
        while True:
            try:
                await self.note()
                backoff.over()
            except Exception as error:  # whatever a client makes of a store that is away
                await asyncio.sleep(backoff.next(error))
            with suppress(TimeoutError):
                async with asyncio.timeout(RENEW_PRESENCE_SECONDS):
                    await self._changed.wait()
                    await asyncio.sleep(GATHER_SECONDS)
            self._changed.clear()

    async def note(self) -> None:
        """Note the seats that are followed and registered, and take off those that are not any more."""
        if not (self._streams or self._noted):
            return
        present = await self._registered()
        gone, now = self._noted - present, time.time()
        pipe = self._client.pipeline(transaction=False)
        for game, seat in gone:
            pipe.zrem(presence_key(game), self._member(seat))
        for game, seat in present:
            pipe.zadd(presence_key(game), {self._member(seat): now + PRESENCE_SECONDS})
            pipe.expire(presence_key(game), 2 * PRESENCE_SECONDS)
        if gone or present:
            await pipe.execute()
        self._noted = present

    async def _registered(self) -> set[SeatFollowed]:
        """Of the seats that are followed here those that have registered."""
        games: dict[str, set[str]] = defaultdict(set)
        for game, _ in self._streams:
            games[partition_of(game)].add(game)
        asked = [(partition, sorted(some)) for partition, some in games.items()]
        pipe: Any = self._client.pipeline(transaction=False)
        for partition, some in asked:
            pipe.execute_command("SMISMEMBER", partition_key(partition, GAMES), *some)
        answers = await pipe.execute() if asked else []
        with_some = [
            game
            for (_, some), flags in zip(asked, answers, strict=True)
            for game, flag in zip(some, flags, strict=True)
            if flag
        ]
        for game in with_some:
            pipe.hkeys(game_key(game, REGISTRATIONS))
        seats = await pipe.execute() if with_some else []
        registered = {
            SeatFollowed(game, int(seat))
            for game, of_game in zip(with_some, seats, strict=True)
            for seat in of_game
        }
        return registered & self._streams.keys()

    def _member(self, seat: int) -> str:
        return f"{seat} {self._process}"
