"""The feed: what happens in all games of a host, or in all games, as one live stream for each who listens."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

from events.weather import parts_of
from projections.happenings import Cursor, Interest
from services.core.connections import Pauses
from services.front.channels import STREAM_BYTES
from services.front.tail import AsyncClient

EVERY = 0.25
"""Seconds between two looks."""
AT_ONCE = 64
"""Lines that are read of each stream at once."""
QUIET = 15.0
LISTENERS = 64
"""Feeds that one process serves at once."""
OF_ONE_HOST = 16
"""Of these, feeds of the same host."""

Send = Callable[[bytes], Awaitable[None]]


@dataclass(frozen=True)
class Listen:
    """Someone wants to hear what happens after a cursor."""

    interest: Interest
    after: Cursor


class Line(NamedTuple):
    """A line of a stream, by its id there."""

    stream: str
    id: str
    fields: Any


class Feed:
    """One listener, as far as it has been told."""

    def __init__(self, client: AsyncClient, listen: Listen, send: Send) -> None:
        self._client = client
        self._interest = listen.interest
        self._seen = dict(listen.after.seen)
        self._send = send
        self._room = STREAM_BYTES

    async def run(self) -> None:
        """Tell until the client has gone, or has been sent as much as one stream carries: it comes back for more."""
        await self._send(b"retry: 1000\n\n")
        pauses, latest = Pauses("feed"), time.monotonic()
        while self._room > 0:
            try:
                lines = await self._read()
                pauses.over()
            except Exception as error:  # whatever a client makes of a store that is away
                await asyncio.sleep(pauses.next(error))
                continue
            data = self._told(lines)
            if not data and time.monotonic() - latest > QUIET:
                data = b":\nid: %b\n\n" % self._cursor()  # which is remembered, and tells nothing
            if data:
                latest = time.monotonic()
                self._room -= len(data)
                await self._send(data)
            if len(lines) < AT_ONCE:
                await asyncio.sleep(EVERY)

    async def _read(self) -> list[Line]:
        """The next lines of all streams; those of a game are in one, in order."""
        await self._client.initialize()
        pipeline = self._client.pipeline(transaction=False)
        for stream, seen in self._seen.items():
            pipeline.xrange(stream, f"({seen}", "+", count=AT_ONCE)
        answers = cast(list[Any], await cast(Any, pipeline).execute(raise_on_error=False))
        return [
            Line(stream, line.decode(), fields)
            for stream, rows in zip(self._seen, parts_of(answers), strict=True)
            for line, fields in rows
        ]

    def _told(self, lines: list[Line]) -> bytes:
        parts = []
        for line in lines:
            self._seen[line.stream] = line.id
            if self._interest.wants(line.fields):
                parts.append(b"id: %b\ndata: %b\n\n" % (self._cursor(), line.fields[b"event"]))
        return b"".join(parts)

    def _cursor(self) -> bytes:
        return str(Cursor(round(time.time() * 1000), self._seen)).encode()
