"""A house on a store that is empty at the beginning of each test, reached by its socket and by an address."""

from collections.abc import Iterator

import pytest
from redis import Redis

from services.core.connections import connect
from tests.seeding import rotated
from tests.servers import ValkeyServer, free_ports, running_valkey
from tests.worker.house import House


@pytest.fixture(scope="session")
def store() -> Iterator[ValkeyServer]:
    """A server that listens on a socket and on a port."""
    with running_valkey(port=free_ports(1)[0]) as server:
        yield server


@pytest.fixture(params=rotated(["socket", "address"]))
def url(request: pytest.FixtureRequest, store: ValkeyServer) -> str:
    return store.url if request.param == "socket" else store.tcp_url


@pytest.fixture
def house(url: str) -> Iterator[House]:
    with Redis.from_url(url) as queue:
        queue.flushall()
        client = connect(url)
        yield House(client, queue)
        client.close()
