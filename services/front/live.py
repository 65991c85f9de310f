"""Live streams: one reader per process for all who watch a game or wait for its next version."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

from granian.rsgi import ProtocolClosed, ProtocolError

from events.clocks import DEFAULT_PATIENCE, Patience
from events.entries import GameCreated
from events.game import unfold
from events.keys import partition_of, partitions
from events.store import Head
from events.tombstones import Archive
from games.kernel import Registry
from services.core import lost_entries
from services.core.backoff import Backoff
from services.front.channels import Channel, Due, Send, StreamOutcome, Watcher
from services.front.feed import LISTENERS, OF_ONE_HOST, Feed
from services.front.log_reader import (
    READ_LIMIT,
    Closed,
    EntriesFuture,
    FeedFollower,
    Logs,
    MovedGames,
    feed_followers,
    open_client,
    wait_shared,
)
from services.front.open_files import count_open_files
from services.front.presence import Presence
from services.http.streams import Listen, Moment, Watch

log = logging.getLogger(__name__)

RETRY = b"retry: 1000\n\n"
HEARTBEAT = b":\n\n"
HEARTBEAT_SECONDS = 15.0
"""Seconds after which a stream on which nothing happens gets a heartbeat."""
FEED_READ_INTERVAL = 0.04
"""Seconds between two readings of the feeds: what happens in between is read, and told, together."""
WATCHERS_PER_GROUP, YIELD_SECONDS, MAX_YIELDS = 10, 0.001, 40
"""After so many watchers others have their turn for so many seconds; a larger crowd is told in larger groups."""

RESTART_SECONDS = 0.5
"""Seconds after a failure that nobody foresaw."""

Work = Callable[[], Awaitable[None]]


class Shard:
    """Games whose logs are read together: all of them, or on a cluster those of a partition, which may be away alone."""

    def __init__(self, logs: Logs) -> None:
        self.logs = logs
        self.woken: set[Channel] = set()
        self.work = asyncio.Event()
        self.reading: asyncio.Future[None]
        """The reading of the logs' ends that comes next."""

    def wake(self, channel: Channel) -> None:
        """Have what is new in this game read, and told."""
        self.woken.add(channel)
        self.work.set()


class Live:
    """The channels of the games that are watched here, and the tasks that bring them their news."""

    def __init__(
        self,
        url: str,
        rulesets: Registry,
        *,
        clustered: bool = False,
        archive: Archive | None = None,
        patience: Patience = DEFAULT_PATIENCE,
    ) -> None:
        self._client = open_client(url, clustered=clustered)
        self.presence = Presence(self._client)
        self._rulesets = rulesets
        self._patience = patience
        self._sides = [Shard(Logs(self._client, archive)) for _ in (partitions() if clustered else "1")]
        self._channels: dict[str, Channel] = {}
        self._watched = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._closing = False
        self._feeds: dict[asyncio.Task[None], Listen] = {}

    @property
    def watchers(self) -> int:
        """How many streams are open."""
        return sum(len(channel.watchers) for channel in self._channels.values())

    # -- life -----------------------------------------------------------------------------------------------------

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begin to read; nothing is read as long as nobody watches."""
        works: list[Work] = [self._keep_alive, self.presence.run]
        for side in self._sides:
            side.reading = loop.create_future()
            works += [side.logs.run, partial(self._bring_news, side)]
        works += [partial(self._follow, each) for each in feed_followers(self._client)]
        self._tasks = [loop.create_task(self._unfailing(work)) for work in works]

    async def _unfailing(self, work: Work) -> None:
        """Whatever goes wrong in a task: every stream ends, and it begins anew. Clients come back where they were."""
        while True:
            try:
                return await work()
            except Exception:
                log.critical("live streams have failed; they end, and begin anew", exc_info=True)
                for channel in list(self._channels.values()):
                    self._forget(channel)
                    channel.end()
                await asyncio.sleep(RESTART_SECONDS)

    def close(self) -> None:
        """End every stream and every wait now; there will be no others."""
        self._closing = True
        for task in self._tasks:
            task.cancel()
        for side in self._sides:
            side.logs.close()
            side.reading.cancel()
        for feed in self._feeds:
            feed.cancel()
        for channel in self._channels.values():
            channel.end()

    async def stop(self) -> None:
        """Close, and let go of the store."""
        self.close()
        while left := [task for task in self._tasks if not task.done()]:
            for task in left:
                task.cancel()  # again and again: the client may lose one that comes while it connects
            await asyncio.wait(left, timeout=0.1)
        await self._client.aclose()

    # -- watching and waiting -------------------------------------------------------------------------------------

    async def stream(self, watch: Watch, send: Send, *, lines: bool = False) -> StreamOutcome:
        """Send a game's events as this viewer may see them, those there are and those to come, until it is over.

        As server-sent events, or (`lines`) as JSON, one a line; nothing is sent then but events.
        """
        with self.presence.following(watch.game, watch.viewer), self._channel(watch.game) as channel:
            watcher = Watcher(watch, send, lines=lines)
            channel.watchers.add(watcher)
            try:
                if not lines:
                    await watcher.take(Due(RETRY, watcher.cursor))
                await self._catch_up(channel, watcher)
                return await watcher.ended
            except Closed:
                return "interrupted"
            except LostEntries:
                lost_entries.report_lost_entries(watch.game, watcher.cursor)
                await watcher.take(watcher.rewound())
                return "rewound"
            finally:
                watcher.end()
                channel.watchers.discard(watcher)

    def has_room_for_feed(self, listen: Listen) -> bool:
        """May one more listen to what happens in many games? No host takes the places of all others."""
        of_host = sum(other.interest.host == listen.interest.host for other in self._feeds.values())
        return len(self._feeds) < LISTENERS and of_host < OF_ONE_HOST and not self._closing

    async def feed(self, listen: Listen, send: Send, gone: Awaitable[Any], *, lines: bool = False) -> None:
        """Send what happens in all games of a host, or in all games, until the listener has gone."""
        telling = asyncio.create_task(Feed(self._client, listen, send, lines=lines).run())
        leaving = asyncio.ensure_future(gone)
        self._feeds[telling] = listen
        try:
            await asyncio.wait([telling, leaving], return_when=asyncio.FIRST_COMPLETED)
        finally:
            del self._feeds[telling]
            leaving.cancel()
            telling.cancel()
        error = telling.exception() if telling.done() and not telling.cancelled() else None
        if error and not isinstance(error, ProtocolClosed | ProtocolError):
            raise error

    async def newer(self, game: str, version: int, seconds: float) -> bool:
        """Wait until a game's version exceeds a number: True as soon as it does, False when the time is over."""
        with self._channel(game) as channel:
            news: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            channel.waits[news] = version
            try:
                async with asyncio.timeout(seconds):
                    await self._up_to_date(channel)
                    if channel.version <= version:
                        await news
                    return not self._closing
            except (TimeoutError, Closed):
                return False
            finally:
                del channel.waits[news]

    @contextmanager
    def _channel(self, game: str) -> Iterator[Channel]:
        """Subscribe to a game: from here on the feeds wake its channel."""
        channel = self._channels.setdefault(game, Channel(game, self._rulesets, self._patience))
        self._watched.set()
        channel.users += 1
        try:
            yield channel
        finally:
            channel.users -= 1
            if not channel.users:
                self._forget(channel)

    def _forget(self, channel: Channel) -> None:
        if self._channels.get(channel.game) is channel:
            del self._channels[channel.game]
        if not self._channels:
            self._watched.clear()

    async def _up_to_date(self, channel: Channel) -> None:
        """Wait for a reading of the log's end that begins after this call."""
        if self._closing:
            raise Closed
        side = self._side(channel.game)
        side.wake(channel)
        await wait_shared(side.reading)

    async def _catch_up(self, channel: Channel, watcher: Watcher) -> None:
        """Bring a watcher to where the channel is; from then on the channel brings it the news.

        The game was subscribed to before its log is read, so nothing is missed in between; and nothing can happen
        between the last look at the channel's version and `live`.
        """
        await self._up_to_date(channel)
        if channel.ruleset is None:
            await self._learn_rules(channel)
        if channel.settled:
            watcher.open_up()
            if watcher.guest:
                watcher.end("token")
        if watcher.missed and not watcher.ended.done():
            await watcher.take(watcher.due(channel.events(watcher.missed, watcher.rendering)))
            watcher.missed = ()
        while watcher.cursor < channel.version and not watcher.ended.done():
            events = [] if watcher.game else channel.at_hand(watcher.cursor, watcher.rendering)
            if not events:
                events = channel.events(await self._moments_after(watcher, channel.game), watcher.rendering)
            await watcher.take(watcher.due(events))
            await asyncio.sleep(0)
            if watcher.game and watcher.cursor > channel.version:  # it has read what came meanwhile
                await self._up_to_date(channel)
        if watcher.game and not watcher.ended.done():
            if Head(watcher.game.version, watcher.game.hash) != channel.head:
                raise LostEntries(f"{channel.game} has moved on without entry {watcher.cursor}")
            channel.state, watcher.game = watcher.game, None
        watcher.live = True
        if channel.settled:
            watcher.end("complete")

    async def _moments_after(self, watcher: Watcher, game: str) -> list[Moment]:
        """Some entries after those that a watcher has, each with the game after it if it watches frames."""
        entries = await wait_shared(self._side(game).logs.after(game, watcher.cursor))
        if not entries:
            raise LostEntries(f"{game} has no entry {watcher.cursor + 1} any more")
        if not watcher.game:
            return [(carved, None) for carved in entries]
        moments = list(unfold(entries, self._rulesets, watcher.game))
        watcher.game = moments[-1][1]
        return [*moments]

    async def _learn_rules(self, channel: Channel) -> None:
        for carved in await wait_shared(self._side(channel.game).logs.after(channel.game, 0, 1)):
            created: GameCreated = carved.data
            channel.ruleset = self._rulesets.get(created.ruleset, created.ruleset_version)

    # -- news -----------------------------------------------------------------------------------------------------

    async def _follow(self, source: FeedFollower) -> None:
        """Wake the channels of games that move. After every interruption all are woken: feeds only tell, logs know."""
        backoff = Backoff("feeds")
        while await self._watched.wait():
            try:
                await source.seek_end()
                self._wake_moved(None)
                while self._channels:
                    self._wake_moved(await source.next())
                    backoff.over()
                    await asyncio.sleep(FEED_READ_INTERVAL)
            except Exception as error:  # whatever a client makes of a store that is away
                await asyncio.sleep(backoff.next(error))

    def _wake_moved(self, moves: MovedGames | None) -> None:
        if moves is None:
            for channel in self._channels.values():
                self._wake(channel)
            return
        for game, version in moves.items():
            moved = self._channels.get(game)
            if moved and moved.version != version:  # less than we know: entries may have been lost
                self._wake(moved)

    def _side(self, game: str) -> Shard:
        return self._sides[int(partition_of(game)) % len(self._sides)]

    def _wake(self, channel: Channel) -> None:
        self._side(channel.game).wake(channel)

    async def _bring_news(self, side: Shard) -> None:
        """Read on in the logs of woken channels, all in one round trip, and tell their watchers."""
        while await side.work.wait():
            side.work.clear()
            woken, side.woken = side.woken, set()
            done, side.reading = side.reading, asyncio.get_running_loop().create_future()
            try:
                deliveries: list[tuple[Watcher, Due]] = []
                for channel, answer in [(channel, ask_for_news(side.logs, channel)) for channel in woken]:
                    deliveries += await self._advance(channel, answer)
                done.set_result(None)
                await self._deliver(deliveries)
            finally:
                done.cancel()

    async def _advance(self, channel: Channel, answer: EntriesFuture) -> list[tuple[Watcher, Due]]:
        """Bring a channel to the end of its log; what is due to its watchers then."""
        try:
            entries = await answer
            if channel.head is None:
                for latest in entries:
                    channel.moved_to(latest)
                return []
            if not entries or entries[0].hash != channel.head.hash:
                raise LostEntries(f"{channel.game} does not hold entry {channel.head.seq} any more")
            if len(entries) == READ_LIMIT:
                self._wake(channel)
            return channel.tell(entries[1:]) if entries[1:] else []
        except LostEntries:
            if self._channels.get(channel.game) is not channel:  # woken twice: it has been told
                return []
            assert channel.head
            lost_entries.report_lost_entries(channel.game, channel.head.seq)
            deliveries = [(watcher, watcher.rewound()) for watcher in channel.watchers]
            self._forget(channel)
            channel.end_waits()
            return deliveries
        except Exception:
            log.exception("%s: its streams end, their clients may come back", channel.game)
            self._forget(channel)
            channel.end()
            return []

    async def _deliver(self, deliveries: Sequence[tuple[Watcher, Due]]) -> None:
        """Send everyone what is due, some at a time: a crowd must not keep players waiting."""
        some = max(WATCHERS_PER_GROUP, len(deliveries) // MAX_YIELDS)
        for number, (watcher, due) in enumerate(deliveries, 1):
            await watcher.take(due)
            if number % some == 0:
                await asyncio.sleep(YIELD_SECONDS)

    async def _keep_alive(self) -> None:
        """Send a heartbeat on every stream that has been quiet for a while."""
        while True:
            await asyncio.sleep(1)
            count_open_files()
            long_ago = time.monotonic() - HEARTBEAT_SECONDS
            for channel in list(self._channels.values()):
                quiet = [
                    each for each in channel.watchers if each.latest < long_ago and not each.rendering.lines
                ]
                for watcher in quiet:
                    await watcher.take(Due(HEARTBEAT, watcher.cursor))


def ask_for_news(logs: Logs, channel: Channel) -> EntriesFuture:
    """What comes after the entry that is known, and that entry again, to see that it still stands."""
    if channel.head is None:
        return logs.latest(channel.game)
    return logs.after(channel.game, channel.head.seq - 1)


class LostEntries(Exception):
    """A failover of the store has lost entries that were sent before."""
