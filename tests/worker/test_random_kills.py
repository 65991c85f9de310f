"""A small dose of what `make soak` does at length."""

from redis import Redis

from tests.servers import PATIENCE, ValkeyServer
from tests.worker.house import House, processes
from tests.worker.killing import bots_of, survive_kills


def test_four_games_of_bots_survive_random_kills(store: ValkeyServer) -> None:
    with Redis.from_url(store.tcp_url) as client, processes(store.tcp_url) as group:
        client.flushall()
        house = House(client, client)
        survive_kills(
            house,
            group,
            ("projector", "worker", "worker"),
            lambda number: house.create(*bots_of(number, house)),
            games=4,
            seconds=3,
            patience=2 * PATIENCE,
        )
