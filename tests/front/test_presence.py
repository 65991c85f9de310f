"""Presence: a seat that has registered for push messages is noted while somebody follows it live, and no other is."""

import asyncio
import time
from collections.abc import Iterator

import pytest
from redis import Redis

from events.keys import game_id
from projections.pushes import Pushes, Registration
from services.front.log_reader import open_client
from services.front.presence import PRESENCE_SECONDS, Presence
from tests.front.live_server import LiveServer, Stream, serving
from tests.front.stand_in import Table
from tests.servers import ValkeyServer, wait_until

REGISTRATION = Registration("https://push.example.org/1", "", "", 0, 0, "en")


@pytest.fixture
def client(valkey: ValkeyServer) -> Iterator[Redis]:
    with valkey.client() as client:
        client.flushall()
        yield client


def test_those_who_follow_and_have_registered_are_noted(valkey: ValkeyServer, client: Redis) -> None:
    pushes, games = Pushes(client), [game_id() for _ in range(3)]
    pushes.register(games[0], 1, REGISTRATION)
    pushes.register(games[1], 0, REGISTRATION)

    def present() -> set[tuple[int, int]]:
        now = time.time()
        return {
            (at, seat)
            for at, game in enumerate(games)
            for seat in range(2)
            if pushes.is_present(game, seat, now)
        }

    async def follow() -> None:
        reader = open_client(valkey.url, clustered=False)
        presence = Presence(reader)
        with (
            presence.following(games[0], 1),
            presence.following(games[1], 1),
            presence.following(games[2], 0),
        ):
            with presence.following(games[0], 1), presence.following(games[1], None):
                await presence.note()
                assert present() == {(0, 1)}
            await presence.note()
            assert present() == {(0, 1)}, "one of its two streams is left"
            assert not pushes.is_present(games[0], 1, time.time() + PRESENCE_SECONDS + 1), "it fades"
            pushes.register(games[2], 0, REGISTRATION)
            await presence.note()
            assert present() == {(0, 1), (2, 0)}
        await presence.note()
        assert present() == set()
        await reader.aclose()

    asyncio.run(follow())
    assert not list(client.scan_iter("*:present"))


@pytest.fixture(scope="module")
def server(valkey: ValkeyServer) -> Iterator[LiveServer]:
    with serving(LiveServer(valkey.url)) as server:
        yield server


def test_a_stream_of_a_seat_is_noted_until_it_ends(
    server: LiveServer, valkey: ValkeyServer, client: Redis
) -> None:
    game, pushes = Table(client).create(), Pushes(client)
    pushes.register(game, 1, REGISTRATION)
    stream = Stream(server, f"/games/{game}/events?seat=1&generation=0")
    wait_until(lambda: pushes.is_present(game, 1, time.time()), "the seat to be noted")
    assert not pushes.is_present(game, 0, time.time())
    stream.leave()
    wait_until(lambda: not pushes.is_present(game, 1, time.time()), "the note to be taken off")
