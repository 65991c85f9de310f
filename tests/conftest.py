"""Fixtures for every test: real servers, one of each per test process, started when first asked for."""

from collections.abc import Iterator

import pytest

from tests.servers import ValkeyCluster, ValkeyServer, running_valkey, short_directory


@pytest.fixture(scope="session")
def valkey() -> Iterator[ValkeyServer]:
    """A running Valkey that keeps nothing on disk; tests use keys of their own or flush it first."""
    with running_valkey() as server:
        yield server


@pytest.fixture(scope="session")
def valkey_cluster() -> Iterator[ValkeyCluster]:
    """A running cluster of three Valkeys."""
    with short_directory() as directory:
        cluster = ValkeyCluster(directory)
        cluster.start()
        try:
            yield cluster
        finally:
            cluster.stop()
