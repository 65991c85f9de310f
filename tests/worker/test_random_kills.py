"""A small dose of what `make soak` does at length."""

from redis import Redis

from tests.servers import ValkeyServer
from tests.worker.house import House
from tests.worker.killing import survive_kills


def test_ten_games_of_bots_survive_random_kills(store: ValkeyServer) -> None:
    with Redis.from_url(store.tcp_url) as client:
        client.flushall()
        survive_kills(House(client, client), store.tcp_url, games=10, seconds=5, patience=120)
