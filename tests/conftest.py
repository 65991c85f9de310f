"""Fixtures for every test: real servers, one of each per test process, started when first asked for."""

from collections.abc import Iterator

import pytest

from tests.servers import ValkeyCluster, ValkeyServer, short_directory


@pytest.fixture(scope="session")
def valkey() -> Iterator[ValkeyServer]:
    """A running Valkey that keeps nothing on disk; tests use keys of their own or flush it first."""
    with short_directory() as directory:
        server = ValkeyServer(directory)
        server.start()
        try:
            yield server
        finally:
            server.stop()


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
