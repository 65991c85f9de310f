"""A house of games on an empty store."""

from collections.abc import Iterator

import pytest

from tests.servers import ValkeyServer
from tests.worker.house import House


@pytest.fixture
def house(valkey: ValkeyServer) -> Iterator[House]:
    with valkey.client() as client:
        client.flushall()
        yield House(client, client)
