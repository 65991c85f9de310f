"""Requests in the loop and their line to the store: what goes wrong on the way, and what may not."""

import asyncio
import os
import signal
from collections.abc import Callable, Coroutine, Iterator
from contextvars import ContextVar, copy_context
from pathlib import Path
from typing import Any, TypeVar

import pytest
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import NoScriptError
from redis.exceptions import TimeoutError as RedisTimeoutError

from events.store import EMPTY_LOG, Appended, EventStore
from services.core import connections
from services.core.connections import StoreClient, connect
from services.core.greenlet_bridge import await_, in_loop, offload, run_in_greenlet
from services.core.pipelining import PipelinedConnection
from tests.core.relay import relayed
from tests.events.logs import created
from tests.servers import ValkeyServer, running_valkey, short_directory

T = TypeVar("T")


@pytest.fixture(scope="module")
def store() -> Iterator[ValkeyServer]:
    with running_valkey() as server:
        yield server


@pytest.fixture
def socket() -> Iterator[Path]:
    with short_directory() as directory:
        yield directory / "relay"


def client_of(url: str) -> StoreClient:
    client = connect(url)
    assert isinstance(client, StoreClient)
    return client


async def green(work: Callable[[], T]) -> T:
    return await run_in_greenlet(copy_context(), work)


def in_a_loop(server: ValkeyServer, scene: Callable[[StoreClient], Coroutine[Any, Any, T]]) -> T:
    """Play a scene in a loop in which this client has a line."""
    client = client_of(server.url)

    async def play() -> T:
        client.open_loop_connection()
        try:
            return await scene(client)
        finally:
            client.close_loop_connection()
            client.close()

    return asyncio.run(play())


def test_code_in_the_loop_rests_at_any_depth_and_elsewhere_it_blocks(store: ValkeyServer) -> None:
    def work(client: StoreClient) -> tuple[bool, Any]:
        client.set("depth", "1")
        return in_loop(), client.get("depth")

    async def scene(client: StoreClient) -> Any:
        return await green(lambda: work(client)), await asyncio.to_thread(work, client)

    assert in_a_loop(store, scene) == ((True, b"1"), (False, b"1"))


def test_a_pipeline_goes_over_the_line_too(store: ValkeyServer) -> None:
    def work(client: StoreClient) -> list[Any]:
        with client.pipeline(transaction=False) as pipe:
            pipe.hset("piped", "a", "1")
            pipe.hgetall("piped")
            return pipe.execute()

    async def scene(client: StoreClient) -> list[Any]:
        return await green(lambda: work(client))

    assert in_a_loop(store, scene)[1] == {b"a": b"1"}


def test_what_is_ready_in_the_same_moment_goes_out_in_one_write(store: ValkeyServer, socket: Path) -> None:
    async def scene() -> None:
        async with relayed(store, socket) as relay:
            client = client_of(store.url)
            client._url = relay.url
            client.open_loop_connection()
            await green(client.ping)
            before = len(relay.writes)
            requests = [green(lambda n=number: client.incrby("together", n)) for number in range(50)]  # type: ignore[misc]
            await asyncio.gather(*requests)
            assert len(relay.writes) == before + 1
            assert relay.connections == 1
            client.close_loop_connection()

    asyncio.run(scene())


def test_an_append_whose_answer_is_lost_with_its_connection_is_made_once(
    store: ValkeyServer, socket: Path
) -> None:
    async def scene() -> None:
        async with relayed(store, socket) as relay:
            client = client_of(store.url)
            client._url = relay.url
            events, entries = EventStore(client), created().carve()
            client.open_loop_connection()
            await green(client.ping)
            client.script_load(events._append.script)
            relay.lose_answers = 1
            assert await green(lambda: events.append(EMPTY_LOG, entries)) == Appended()
            assert relay.connections == 2
            found = await green(lambda: events.read(entries[0].entry.game))
            assert [carved.hash for carved in found] == [carved.hash for carved in entries]
            client.close_loop_connection()

    asyncio.run(scene())


def test_a_connection_that_dies_twice_is_given_up_and_the_next_request_has_a_new_one(
    store: ValkeyServer, socket: Path
) -> None:
    async def scene() -> None:
        async with relayed(store, socket) as relay:
            client = client_of(store.url)
            client._url = relay.url
            client.open_loop_connection()
            await green(client.ping)
            relay.lose_answers = 3  # the answer, the greeting of the new connection, and no more than that
            with pytest.raises(RedisConnectionError):
                await green(client.ping)
            relay.lose_answers = 0
            assert await green(client.ping)
            client.close_loop_connection()

    asyncio.run(scene())


def test_a_script_that_the_store_does_not_know_is_brought_to_it(store: ValkeyServer) -> None:
    entries = created().carve()

    async def scene(client: StoreClient) -> Any:
        events = EventStore(client)
        client.script_flush()
        with pytest.raises(NoScriptError):
            await green(lambda: client.evalsha(events._append.sha, 0))
        return await green(lambda: events.append(EMPTY_LOG, entries))

    assert in_a_loop(store, scene) == Appended()


def test_a_request_cut_off_while_it_rests_is_unwound_and_nobody_gets_its_answer(store: ValkeyServer) -> None:
    unwound = []

    def work(client: StoreClient) -> Any:
        try:
            return client.echo("for the one who was cut off")
        finally:
            unwound.append(True)

    async def scene(client: StoreClient) -> Any:
        await green(client.ping)
        os.kill(store.pid, signal.SIGSTOP)
        try:
            request = asyncio.create_task(green(lambda: work(client)))
            await asyncio.sleep(0.05)
            request.cancel()
            with pytest.raises(asyncio.CancelledError):
                await request
            assert unwound == [True]
            other = asyncio.create_task(green(lambda: client.echo("for the other")))
            await asyncio.sleep(0.05)
        finally:
            os.kill(store.pid, signal.SIGCONT)
        return await other

    assert in_a_loop(store, scene) == b"for the other"


def test_a_store_that_falls_silent_is_given_up_in_time(
    store: ValkeyServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "TIMEOUT", 0.2)

    async def scene(client: StoreClient) -> Any:
        await green(client.ping)
        os.kill(store.pid, signal.SIGSTOP)
        try:
            requests = [asyncio.create_task(green(client.ping)) for _ in range(3)]
            found = await asyncio.gather(*requests, return_exceptions=True)
            assert [type(each) for each in found] == [RedisTimeoutError] * 3
        finally:
            os.kill(store.pid, signal.SIGCONT)
        return await green(client.ping)

    assert in_a_loop(store, scene) is True


def test_a_store_that_hangs_before_it_greets_gathers_no_connections(socket: Path) -> None:
    async def scene() -> None:
        left = asyncio.Event()

        async def hang(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.read()  # whatever comes, until the client leaves
            writer.close()
            left.set()

        server = await asyncio.start_unix_server(hang, socket)
        line = PipelinedConnection(f"unix://{socket}", patience=0.2)
        try:
            with pytest.raises(RedisConnectionError):
                await line.send(("PING",))
            await asyncio.wait_for(left.wait(), 30)
        finally:
            line.close()
            server.close()

    asyncio.run(scene())


def test_a_store_that_is_away_is_told_at_once_and_found_again_when_it_is_back() -> None:
    with running_valkey() as store:

        async def scene(client: StoreClient) -> None:
            await green(client.ping)
            store.kill9()
            with pytest.raises(RedisConnectionError):
                await green(client.ping)
            store.start()
            assert await green(client.ping)

        in_a_loop(store, scene)


def test_requests_that_rest_do_not_see_one_anothers_context(store: ValkeyServer) -> None:
    whose: ContextVar[int] = ContextVar("whose")

    def work(client: StoreClient, number: int) -> bool:
        whose.set(number)
        client.ping()
        return whose.get() == number

    async def scene(client: StoreClient) -> list[bool]:
        requests = [green(lambda n=number: work(client, n)) for number in range(10)]  # type: ignore[misc]
        return await asyncio.gather(*requests)

    assert all(in_a_loop(store, scene))


def test_what_takes_long_is_done_elsewhere_while_the_loop_goes_on() -> None:
    async def scene() -> tuple[bool, bool]:
        return await green(lambda: (offload(in_loop), in_loop()))

    assert asyncio.run(scene()) == (False, True)


def test_an_error_of_what_is_rested_for_is_raised_where_it_rests() -> None:
    async def broken() -> None:
        raise ValueError("broken")

    async def scene() -> str:
        def work() -> str:
            try:
                await_(broken())
            except ValueError as error:
                return str(error)
            return "nothing"

        return await green(work)

    assert asyncio.run(scene()) == "broken"
