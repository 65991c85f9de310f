"""Lists are merged from all partitions, page after page: every game once, newest first, in few round trips."""

from collections.abc import Iterator

import msgspec
import pytest
from redis import Redis

from events.keys import PARTITIONS, partition_key, partition_of
from events.store import Client
from projections.list_query import LISTS_FORMAT, ListQuery
from projections.lists import CHUNK, ListPosition, Lists
from projections.lobby import LobbyRow
from tests.round_trips import count_round_trips
from tests.servers import ValkeyCluster, ValkeyServer


@pytest.fixture(params=["valkey", "cluster"])
def client(
    request: pytest.FixtureRequest, valkey: ValkeyServer, valkey_cluster: ValkeyCluster
) -> Iterator[Client]:
    if request.param == "valkey":
        with valkey.client() as one:
            one.flushall()
            yield one
    else:
        with valkey_cluster.client() as many:
            many.flushall(target_nodes="primaries")
            yield many
            many.disconnect_connection_pools()


def put(client: Client, when: int, number: int, partition: int) -> ListPosition:
    """A game in the lobby."""
    game = f"{partition:02d}-{number:026d}"
    row = LobbyRow(game, "babel", {}, "open", "2026-11-16T09:30:12.345Z", 1, [], [], None)
    client.zadd(partition_key(partition_of(game), "lobby:*:*"), {game: when})
    client.hset(partition_key(partition_of(game), "lobby:rows"), game, msgspec.json.encode(row))
    client.set(partition_key(partition_of(game), "lists"), LISTS_FORMAT)
    return ListPosition(when, game)


def pages(lists: Lists, limit: int) -> Iterator[list[str]]:
    after: ListPosition | None = None
    while True:
        page = lists.lobby(ListQuery(), after, limit)
        yield [row.id for row in page.items]
        after = page.next
        if after is None:
            return


@pytest.mark.parametrize("limit", [1, 7, 100, 200])
def test_every_game_of_every_partition_is_listed_once_and_newest_first(client: Client, limit: int) -> None:
    put_down = [put(client, 1000 + number // 3, number, number % PARTITIONS) for number in range(150)]
    games = [game for page in pages(Lists(client), limit) for game in page]
    assert games == [place.game for place in sorted(put_down, reverse=True)]


def test_more_games_of_one_moment_than_are_read_at_once_are_told_apart_by_their_ids(client: Client) -> None:
    put_down = [put(client, 5, number, partition=3) for number in range(2 * CHUNK + 50)]
    put_down += [put(client, when, 10_000 + when, partition=3) for when in (4, 6)]
    games = [game for page in pages(Lists(client), 60) for game in page]
    assert games == [place.game for place in sorted(put_down, reverse=True)]


def test_a_row_that_is_gone_is_left_out(client: Client) -> None:
    kept, gone = put(client, 2, 1, 0), put(client, 3, 2, 1)
    client.hdel(partition_key(partition_of(gone.game), "lobby:rows"), gone.game)
    assert list(pages(Lists(client), 10)) == [[kept.game]]


def test_a_page_takes_two_round_trips_to_each_server(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(40):
        put(client, number, number, number % PARTITIONS)
    lists = Lists(client)
    lists.lobby(ListQuery(), None, 20)  # with connections open
    trips = count_round_trips(monkeypatch)
    assert len(lists.lobby(ListQuery(), None, 20).items) == 20
    assert len(trips) == 2 * servers_of(client)


def servers_of(client: Client) -> int:
    """One, or the three of the cluster."""
    return 1 if isinstance(client, Redis) else 3
