"""Channels and their one reader, without a server in between: what is shared, what is kept, what ends a stream."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest
from granian.rsgi import ProtocolClosed, ProtocolError
from redis import Redis

from events.entries import Carved
from events.keys import keys_of
from events.show import visible_event
from events.store import EMPTY_LOG, EventStore
from games import toy
from services.core import metrics
from services.core.public_status import NOTHING_MORE
from services.front import channels, live, log_reader
from services.front.live import Live
from services.http.streams import Frames, Watch
from tests.events.logs import TOYS
from tests.front.stand_in import Table
from tests.servers import PATIENCE, ValkeyServer


@pytest.fixture(autouse=True)
def _games_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toy, "ROUNDS", 10**6)


@pytest.fixture
def client(valkey: ValkeyServer) -> Iterator[Redis]:
    with valkey.client() as client:
        yield client


@pytest.fixture
def table(client: Redis) -> Table:
    return Table(client)


class Client:
    """Someone at the other end of a stream."""

    def __init__(self, here: Live, watch: Watch) -> None:
        self.got = b""
        self.gone: type[Exception] | None = None
        self.stream = asyncio.create_task(here.stream(watch, self._take))

    async def _take(self, data: bytes) -> None:
        if self.gone:
            raise self.gone("gone")
        self.got += data

    async def has(self, seq: int) -> None:
        await until(lambda: b"id: %d\n" % seq in self.got)

    async def ended(self) -> None:
        await asyncio.wait_for(self.stream, PATIENCE)


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not true():
            await asyncio.sleep(0.01)


@asynccontextmanager
async def running(valkey: ValkeyServer) -> AsyncIterator[Live]:
    here = Live(valkey.url, TOYS)
    here.start(asyncio.get_running_loop())
    try:
        yield here
    finally:
        await here.stop()


@asynccontextmanager
async def reading(valkey: ValkeyServer) -> AsyncIterator[log_reader.FeedFollower]:
    client = log_reader.open_client(valkey.url, clustered=False)
    try:
        yield log_reader.feed_followers(client)[0]
    finally:
        await client.aclose()


def test_an_event_is_rendered_once_for_all_who_see_the_same(
    valkey: ValkeyServer, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    rendered: list[tuple[int, Any]] = []

    def counting(carved: Any, viewer: Any, *args: Any, **options: Any) -> Any:
        rendered.append((carved.seq, viewer))
        return visible_event(carved, viewer, *args, **options)

    monkeypatch.setattr(channels, "visible_event", counting)
    game = table.create()

    async def scene() -> None:
        async with running(valkey) as here:
            crowd = [Client(here, Watch(game, viewer, 0, 0)) for viewer in (None, 1) for _ in range(30)]
            for each in crowd:
                await each.has(5)
            last = await asyncio.to_thread(table.play, game, 10)
            for each in crowd:
                await each.has(last)
        assert sorted(rendered, key=str) == sorted(
            [(seq, viewer) for seq in range(1, last + 1) for viewer in (None, 1)], key=str
        )

    asyncio.run(scene())


def test_watchers_are_counted_and_nothing_is_kept_of_those_who_have_gone(
    valkey: ValkeyServer, table: Table
) -> None:
    async def scene() -> None:
        async with running(valkey) as here:
            games = [table.create() for _ in range(3)]
            crowd = [Client(here, Watch(game, None, 0)) for game in games for _ in range(2)]
            for each in crowd:
                await each.has(5)
            assert here.watchers == 6
            for number, each in enumerate(crowd):
                each.gone = (ProtocolClosed, ProtocolError)[number % 2]
            for game in games:
                await asyncio.to_thread(table.play, game)
            for each in crowd:
                await each.ended()
            assert here.watchers == 0
            assert here._channels == {}

    asyncio.run(scene())


def test_a_quiet_stream_has_a_heartbeat(
    valkey: ValkeyServer, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "HEARTBEAT_SECONDS", 0.5)

    async def scene() -> None:
        async with running(valkey) as here:
            watcher = Client(here, Watch(table.create(), None, 5))
            await until(lambda: watcher.got.endswith(b"\n\n:\n\n:\n\n"))

    asyncio.run(scene())


def test_a_feed_tells_what_moves_from_now_on(valkey: ValkeyServer, table: Table) -> None:
    game = table.create()

    async def scene() -> None:
        async with reading(valkey) as feeds:
            await feeds.seek_end()
            await asyncio.to_thread(table.play, game, 2)
            assert await feeds.next() == {game: 7}
            await asyncio.to_thread(table.play, game)
            assert await feeds.next() == {game: 8}

    asyncio.run(scene())


def test_a_feed_says_when_it_may_have_forgotten_moves_unseen(
    valkey: ValkeyServer, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_reader, "FEED_LENGTH", 5)
    game = table.create()

    async def scene() -> None:
        async with reading(valkey) as feeds:
            await feeds.seek_end()
            await asyncio.to_thread(table.play, game, 5)
            assert await feeds.next() is None
            await asyncio.to_thread(table.play, game, 4)
            assert await feeds.next() == {game: 14}

    asyncio.run(scene())


def test_moves_that_a_feed_has_forgotten_are_found_in_the_log(
    valkey: ValkeyServer, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = log_reader.FeedFollower.next

    async def forgetful(feeds: log_reader.FeedFollower) -> None:
        await original(feeds)

    monkeypatch.setattr(log_reader.FeedFollower, "next", forgetful)
    game = table.create()

    async def scene() -> None:
        async with running(valkey) as here:
            watcher = Client(here, Watch(game, None, 0))
            await watcher.has(5)
            await watcher.has(await asyncio.to_thread(table.play, game, 3))

    asyncio.run(scene())


def test_who_has_read_further_than_its_channel_waits_for_it(
    valkey: ValkeyServer, table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    """A frame's watcher catches up with entry 9 while another comes that only the log has yet: nothing is lost."""
    game = table.create()
    table.play(game, 3)

    async def scene() -> None:
        async with running(valkey) as here:
            before = table.ledger.get(game).game

            class Slow(Client):
                async def _take(self, data: bytes) -> None:
                    await super()._take(data)
                    if b"id: 8" in data:
                        table.play(game)
                        await until(lambda: here._channels[game].version == 9)
                        table.play(game)

            (latest,) = table.ledger.store.read(game)[-1:]
            frames = Frames(before, [(latest, before)], NOTHING_MORE)
            watcher = Slow(here, Watch(game, None, before.version - 1, frames=frames))
            await watcher.has(10)
            table.play(game)
            await watcher.has(11)
            assert watcher.got.count(b"id: ") == 4
            assert not caplog.records

    asyncio.run(scene())


def test_streams_of_a_log_that_has_lost_entries_say_so_and_end(
    valkey: ValkeyServer, table: Table, client: Redis, caplog: pytest.LogCaptureFixture
) -> None:
    counted = metrics.LOGS_DIVERGED._value.get()
    game = table.create()
    table.play(game, 3)
    older = table.ledger.store.read(game)[:-2]

    async def scene() -> None:
        async with running(valkey) as here:
            watcher = Client(here, Watch(game, None, 0))
            await watcher.has(8)
            client.delete(keys_of(game).stream, keys_of(game).retries)
            EventStore(client).append(EMPTY_LOG, older)
            await asyncio.to_thread(Table(client).renew, game, 0)
            await watcher.ended()
            assert watcher.got.count(b"id: ") == 9
            assert watcher.got.endswith(b"event: rewound\nid: 0\ndata: {}\n\n")
            (line,) = [record for record in caplog.records if "rewound" in record.message]
            assert line.members == {"game": game, "known_to": 8}  # type: ignore[attr-defined]
            assert metrics.LOGS_DIVERGED._value.get() == counted + 1
            again = Client(here, Watch(game, None, 6))
            await again.has(7)
            assert b"seat_token_renewed" in again.got

    asyncio.run(scene())


@pytest.mark.parametrize("entries", [8, 10], ids=["as long", "longer"])
def test_a_log_with_other_entries_is_noticed_by_their_hash_however_long_it_is(
    valkey: ValkeyServer, table: Table, client: Redis, entries: int
) -> None:
    game = table.create()
    table.play(game, 3)
    known = table.ledger.store.read(game)

    def holds(log: Sequence[Carved]) -> None:
        client.delete(keys_of(game).stream, keys_of(game).retries)
        EventStore(client).append(EMPTY_LOG, log)

    holds(known[:-2])
    other = Table(client)
    for _ in range(entries - len(known) + 2):
        other.renew(game, 0)
    rebuilt = other.ledger.store.read(game)
    assert len(known) == 8 <= len(rebuilt) == entries
    holds(known)

    async def scene() -> None:
        async with running(valkey) as here:
            watcher = Client(here, Watch(game, None, 0))
            await watcher.has(8)
            holds(rebuilt)
            await asyncio.to_thread(Table(client).renew, game, 0)
            await watcher.ended()
            assert watcher.got.endswith(b"event: rewound\nid: 0\ndata: {}\n\n")
            assert b"seat_token_renewed" not in watcher.got

    asyncio.run(scene())


def test_a_log_that_cannot_be_read_ends_its_own_streams_and_no_others(
    valkey: ValkeyServer, table: Table, client: Redis
) -> None:
    bad, good = table.create(), table.create()

    async def scene() -> None:
        async with running(valkey) as here:
            watchers = {game: Client(here, Watch(game, None, 0)) for game in (bad, good)}
            for watcher in watchers.values():
                await watcher.has(5)
            client.xadd(keys_of(bad).stream, {"e": "{}", "h": "0" * 64}, id="6-0")
            client.xadd(keys_of(bad).feed, {"game": bad, "seq": 6})
            await watchers[bad].ended()
            await watchers[good].has(await asyncio.to_thread(table.play, good))

    asyncio.run(scene())


def test_a_crowd_is_told_with_pauses_for_others(
    valkey: ValkeyServer, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []
    original = asyncio.sleep

    async def noting(seconds: float) -> None:
        pauses.append(seconds)
        await original(seconds)

    game = table.create()

    async def scene() -> None:
        async with running(valkey) as here:
            crowd = [Client(here, Watch(game, None, 0)) for _ in range(200)]
            for each in crowd:
                await each.has(5)
            monkeypatch.setattr(asyncio, "sleep", noting)
            await asyncio.to_thread(table.play, game)
            for each in crowd:
                await each.has(6)
        assert pauses.count(live.YIELD_SECONDS) == 200 // live.WATCHERS_PER_GROUP

    asyncio.run(scene())


def test_nobody_waits_or_watches_once_the_end_has_come(valkey: ValkeyServer, table: Table) -> None:
    game = table.create()

    async def scene() -> None:
        async with running(valkey) as here:
            early = Client(here, Watch(game, None, 5))
            waiting = asyncio.create_task(here.newer(game, 5, 2 * PATIENCE))
            await until(lambda: here.watchers == 1)
            here.close()
            await early.ended()
            assert await asyncio.wait_for(waiting, PATIENCE) is False
            await Client(here, Watch(game, None, 0)).ended()
            assert await here.newer(game, 5, 2 * PATIENCE) is False

    asyncio.run(scene())


def test_after_a_failure_that_nobody_foresaw_streams_end_and_clients_that_come_back_are_served(
    valkey: ValkeyServer, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = table.create()
    deliver, failures = Live._deliver, [RuntimeError("nobody foresaw this")]

    async def fails_once(here: Live, told: Any) -> None:
        if told and failures:
            raise failures.pop()
        await deliver(here, told)

    monkeypatch.setattr(Live, "_deliver", fails_once)

    async def scene() -> None:
        async with running(valkey) as here:
            watcher = Client(here, Watch(game, None, 0))
            await watcher.has(5)
            await asyncio.to_thread(table.play, game)
            await watcher.ended()
            back = Client(here, Watch(game, None, 5))
            await back.has(await asyncio.to_thread(table.play, game, 3))

    asyncio.run(scene())
