"""Fixtures for every test: real servers, one of each per test process, and the default settings."""

from collections.abc import Iterator

import pytest

from services.core.settings import ROWS, variable
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


@pytest.fixture(autouse=True)
def _nothing_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests start from the defaults, whatever is set where they run."""
    for field in ROWS:
        monkeypatch.delenv(variable(field), raising=False)
