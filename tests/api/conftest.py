"""The API over a real store, emptied for every test."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.api.client import Api, build_api
from tests.servers import ValkeyServer

MakeApi = Callable[..., Api]
QUIET = 6
"""The database of `quiet_api`."""


@pytest.fixture
def make_api(valkey: ValkeyServer) -> Iterator[MakeApi]:
    """Makes APIs with settings of the test's choice, each on an empty database of its own (`database=0` to 15)."""
    made: list[Api] = []

    def make(database: int = 0, **settings: Any) -> Api:
        with valkey.client(db=database) as client:
            client.flushdb()
        made.append(build_api(f"{valkey.url}?db={database}", **settings))
        return made[-1]

    yield make
    for api in made:
        api.close()


@pytest.fixture
def api(make_api: MakeApi) -> Api:
    """An API with two hosts and an operator, where everyone may create games."""
    return make_api()


@pytest.fixture(scope="module")
def quiet_api(valkey: ValkeyServer) -> Iterator[Api]:
    """The same, one for a whole module of tests that change nothing but games of their own."""
    with valkey.client(db=QUIET) as client:
        client.flushdb()
    api = build_api(f"{valkey.url}?db={QUIET}")
    yield api
    api.close()
