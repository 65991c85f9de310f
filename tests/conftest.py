"""Fixtures for every test: real servers, one of each per test process, and the default settings."""

import os
from collections.abc import Iterator

import pytest

from services.core.settings import ROWS, variable
from tests.servers import ValkeyCluster, ValkeyServer, running_valkey, short_directory

MORE_THAN_CORES = 2
"""Test processes beyond one for each core: most tests wait more than they work, for processes, windows and clocks."""


def pytest_xdist_auto_num_workers() -> int:
    """What `pytest -n auto` means here."""
    return (os.cpu_count() or 1) + MORE_THAN_CORES


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
