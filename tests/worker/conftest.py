"""A house on a store of each kind, empty at the beginning of each test."""

from collections.abc import Iterator

import pytest

from tests.servers import ValkeyServer
from tests.worker.house import House


@pytest.fixture
def house(valkey: ValkeyServer) -> Iterator[House]:
    with valkey.client() as client:
        client.flushall()
        yield House(client, client)
