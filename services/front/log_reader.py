"""Log reader of the event loop: follows the feeds of appends and reads new entries, many games per round trip."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeVar, cast

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from events.entries import Carved
from events.feeds import feeds_read_together, lines_in
from events.keys import keys_of
from events.store import FEED_LENGTH, entry_in
from events.tombstones import Archive, NoArchive, Tombstone, read_tombstone
from services.core.backoff import Backoff
from services.core.cluster_clients import ClusterReader

log = logging.getLogger(__name__)

AsyncClient = Redis
T = TypeVar("T")

READ_LIMIT = 64
"""Entries that are read at once: few enough to be decoded in a millisecond or two."""
READS_PER_ROUND_TRIP = 32
"""Parts of logs that are asked for in one round trip."""
BLOCK_MS = 5_000
NODE_BLOCK_MS = 1_000
"""On a cluster a reading blocks for less long, so that it is soon noticed if another node has taken over."""
DEAD_CONNECTION_SECONDS = 10.0
"""Seconds without an answer after which a connection to the store is given up; longer than a read may block."""

MovedGames = Mapping[str, int]
"""Games that were written to, with their versions."""


def open_client(url: str, *, clustered: bool) -> AsyncClient:
    """A client that fails at once when the store is away: who reads along waits and tries again by itself."""
    if clustered:
        return ClusterReader(url)
    return Redis.from_url(url, socket_timeout=DEAD_CONNECTION_SECONDS, retry=Retry(NoBackoff(), 0))


class FeedFollower:
    """Follows some feeds, which must lie in one slot if the store is a cluster."""

    def __init__(self, client: AsyncClient, feeds: Sequence[str], block_ms: int = BLOCK_MS) -> None:
        self._client = client
        self._block_ms = block_ms
        self._ends = dict.fromkeys(feeds, b"")

    async def seek_end(self) -> None:
        """Forget what was before: the next lines are those written from now on."""
        await self._client.initialize()
        for feed in self._ends:
            lines = cast(Any, await self._client.xrevrange(feed, count=1))
            self._ends[feed] = lines[0][0] if lines else b"0-0"

    async def next(self) -> MovedGames | None:
        """What has moved; after some seconds perhaps nothing. None: some moves may have gone unseen."""
        answer = await self._client.xread(cast(Any, self._ends), block=self._block_ms)
        moved: dict[str, int] = {}
        unseen = False
        for feed, lines in lines_in(answer):
            self._ends[feed] = lines[-1][0]
            for _, line in lines:
                moved[line[b"game"].decode()] = int(line[b"seq"])
            unseen |= len(lines) >= FEED_LENGTH  # a whole feed: lines before these may have been trimmed
        return None if unseen else moved


def feed_followers(client: AsyncClient) -> list[FeedFollower]:
    """Who together follow all feeds."""
    if isinstance(client, ClusterReader):
        groups = feeds_read_together(clustered=True)
        return [
            FeedFollower(client.clone(2 * NODE_BLOCK_MS / 1000), feeds, NODE_BLOCK_MS) for feeds in groups
        ]
    return [FeedFollower(client, feeds) for feeds in feeds_read_together(clustered=False)]


class Closed(Exception):
    """Nothing is read any more: the process is about to stop."""


async def wait_shared(answer: asyncio.Future[T]) -> T:
    """Wait for an answer for which others wait too: whoever gives up leaves it to them."""
    try:
        return await asyncio.shield(answer)
    except asyncio.CancelledError:
        if answer.cancelled():
            raise Closed from None
        raise


class ReadRequest(NamedTuple):
    """Some entries of a log: those after number `after`, or (None) the latest; this many at most."""

    game: str
    after: int | None
    limit: int


EntriesFuture = asyncio.Future[list[Carved]]


class Logs:
    """Parts of logs. What is asked for in the same moment is read in one round trip, equal asks only once."""

    def __init__(self, client: AsyncClient, archive: Archive | None = None) -> None:
        self._client = client
        self._archive = archive or NoArchive()
        self._asked: dict[ReadRequest, EntriesFuture] = {}
        self._work = asyncio.Event()
        self._closed = False

    def after(self, game: str, after: int, limit: int = READ_LIMIT) -> EntriesFuture:
        """Entries after this number, by a reading that begins after this call."""
        return self._ask(ReadRequest(game, after, limit))

    def latest(self, game: str) -> EntriesFuture:
        """The latest entry, if there is any, by a reading that begins after this call."""
        return self._ask(ReadRequest(game, None, 1))

    def _ask(self, ask: ReadRequest) -> EntriesFuture:
        if self._closed:
            raise Closed
        answer = self._asked.get(ask)
        if answer is None:
            answer = self._asked[ask] = asyncio.get_running_loop().create_future()
            self._work.set()
        return answer

    async def run(self) -> None:
        """Answer what is asked, however long the store may be away in between."""
        backoff = Backoff("logs")
        while await self._work.wait():
            batch = {ask: self._asked.pop(ask) for ask in list(self._asked)[:READS_PER_ROUND_TRIP]}
            if not self._asked:
                self._work.clear()
            try:
                await self._answer(batch, backoff)
            finally:  # only if this task was cancelled is there still one to cancel
                for answer in batch.values():
                    answer.cancel()

    async def _answer(self, batch: Mapping[ReadRequest, EntriesFuture], backoff: Backoff) -> None:
        while True:
            try:
                parts = await self._read(list(batch))
                stones = await self._tombstones(
                    [ask for ask, rows in zip(batch, parts, strict=True) if not rows]
                )
                break
            except Exception as error:  # whatever a client makes of a store that is away
                await asyncio.sleep(backoff.next(error))
        backoff.over()
        for (ask, answer), rows in zip(batch.items(), parts, strict=True):
            if not answer.done():
                try:
                    if stone := stones.get(ask):
                        answer.set_result(await self._from_archive(ask, stone))
                    else:
                        answer.set_result([entry_in(row) for row in rows])
                except Exception as error:
                    answer.set_exception(error)
            await asyncio.sleep(0)  # decoding takes a while: others have their turn between two parts

    async def _read(self, asks: Sequence[ReadRequest]) -> list[Any]:
        await self._client.initialize()  # a cluster’s client must not learn the layout several times at once
        pipeline = self._client.pipeline(transaction=False)
        for game, after, limit in asks:
            stream = keys_of(game).stream
            if after is None:
                pipeline.xrevrange(stream, count=limit)
            else:
                pipeline.xrange(stream, f"{after + 1}-0", "+", count=limit)
        return cast(list[Any], await cast(Any, pipeline).execute())

    async def _tombstones(self, asks: Sequence[ReadRequest]) -> dict[ReadRequest, Tombstone]:
        """Which of these logs have moved to the archive."""
        stones = {}
        for ask in asks:
            fields = await cast(Any, self._client.hgetall(keys_of(ask.game).archived))
            if fields:
                stones[ask] = read_tombstone(fields)
        return stones

    async def _from_archive(self, ask: ReadRequest, stone: Tombstone) -> list[Carved]:
        log = await asyncio.to_thread(self._archive.entries, ask.game, stone.seq, stone.hash)
        after = len(log) - 1 if ask.after is None else ask.after
        return list(log[after : after + ask.limit])

    def close(self) -> None:
        """Nothing can be asked any more; whoever waits for an answer is told so."""
        self._closed = True
        for answer in self._asked.values():
            answer.cancel()
        self._asked.clear()
