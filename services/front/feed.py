"""The feed: what happens in all games of a host, or in all games, as one live stream for each who listens."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from math import inf
from typing import Any, NamedTuple, cast

from events.store_errors import available_answers
from projections.host_events import FeedCursor
from services.core.backoff import Backoff
from services.front.channels import STREAM_BYTES
from services.front.log_reader import AsyncClient
from services.http.streams import Listen

POLL_SECONDS = 0.25
"""Seconds between two looks."""
LINES_PER_POLL = 64
"""Lines that are read of each stream at once."""
FEED_HEARTBEAT_SECONDS = 15.0
LISTENERS = 64
"""Feeds that one process serves at once."""
OF_ONE_HOST = 16
"""Of these, feeds of the same host."""

Send = Callable[[bytes], Awaitable[None]]


class StreamLine(NamedTuple):
    """A line of a stream, by its id there."""

    stream: str
    id: str
    fields: Any


class Feed:
    """One listener, as far as it has been told."""

    def __init__(self, client: AsyncClient, listen: Listen, send: Send, *, lines: bool = False) -> None:
        self._client = client
        self._interest = listen.interest
        self._seen = dict(listen.after.seen)
        self._send = send
        self._lines = lines
        """JSON, one value a line, in place of server-sent events; such a feed goes to who knows what its client has read."""
        self._room = inf if lines else STREAM_BYTES

    async def run(self) -> None:
        """Tell until the client has gone, or has been sent as much as one stream carries: it comes back for more."""
        if not self._lines:
            await self._send(b"retry: 1000\n\n")
        backoff, latest = Backoff("feed"), time.monotonic()
        while self._room > 0:
            try:
                lines = await self._read()
                backoff.over()
            except Exception as error:  # whatever a client makes of a store that is away
                await asyncio.sleep(backoff.next(error))
                continue
            data = self._told(lines)
            if not (data or self._lines) and time.monotonic() - latest > FEED_HEARTBEAT_SECONDS:
                data = b":\nid: %b\n\n" % self._cursor()  # which is remembered, and tells nothing
            if data:
                latest = time.monotonic()
                self._room -= len(data)
                await self._send(data)
            if len(lines) < LINES_PER_POLL:
                await asyncio.sleep(POLL_SECONDS)

    async def _read(self) -> list[StreamLine]:
        """The next lines of all streams; those of a game are in one, in order."""
        await self._client.initialize()
        pipeline = self._client.pipeline(transaction=False)
        for stream, seen in self._seen.items():
            pipeline.xrange(stream, f"({seen}", "+", count=LINES_PER_POLL)
        answers = cast(list[Any], await cast(Any, pipeline).execute(raise_on_error=False))
        return [
            StreamLine(stream, line.decode(), fields)
            for stream, rows in zip(self._seen, available_answers(answers), strict=True)
            for line, fields in rows
        ]

    def _told(self, lines: list[StreamLine]) -> bytes:
        parts = []
        for line in lines:
            self._seen[line.stream] = line.id
            if self._interest.wants(line.fields):
                form = b'{"cursor":"%b","event":%b}\n' if self._lines else b"id: %b\ndata: %b\n\n"
                parts.append(form % (self._cursor(), line.fields[b"event"]))
        return b"".join(parts)

    def _cursor(self) -> bytes:
        return str(FeedCursor(round(time.time() * 1000), self._seen)).encode()
