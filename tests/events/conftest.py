"""The store's contract is held on three kinds of server: an imitation, a real one, and a real cluster."""

from collections.abc import Iterator

import fakeredis
import pytest

from events.store import Client, EventStore
from tests.servers import ValkeyCluster, ValkeyServer

WRITERS = 300
"""Connections enough for every thread of a test."""


@pytest.fixture(params=["fakeredis", "valkey", "cluster"])
def client(request: pytest.FixtureRequest) -> Iterator[Client]:
    match request.param:
        case "fakeredis":
            yield fakeredis.FakeRedis(max_connections=WRITERS)
        case "valkey":
            server: ValkeyServer = request.getfixturevalue("valkey")
            with server.client(max_connections=WRITERS) as one:
                one.flushall()
                yield one
        case _:
            cluster: ValkeyCluster = request.getfixturevalue("valkey_cluster")
            with cluster.client(max_connections=WRITERS) as many:
                yield many
                many.disconnect_connection_pools()  # a cluster client made from a URL leaves them open when closed


@pytest.fixture
def store(client: Client) -> EventStore:
    return EventStore(client)
