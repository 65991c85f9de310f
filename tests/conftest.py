"""Fixtures for every test: real servers, one of each per test process, the default settings, and the seed."""

import os
from collections.abc import Generator, Iterator

import pytest
from hypothesis import HealthCheck, settings

from services.core.settings import ROWS, variable
from tests.seeding import SEED, seed_everything
from tests.servers import ValkeyCluster, ValkeyServer, running_valkey, short_directory

MORE_THAN_CORES = 2
"""Test processes beyond one for each core: most tests wait more than they work, for processes, windows and clocks."""

settings.register_profile(
    "repeatable", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True, database=None
)
settings.load_profile("repeatable")  # neither a busy machine nor an earlier run makes a test fail


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Hypothesis draws its examples from the seed of the run."""
    if config.getoption("--hypothesis-seed") is None:
        config.option.hypothesis_seed = SEED


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A failure shows the line that repeats it."""
    report = yield
    if report.failed:
        report.sections.append(("seed", f"STELE_TEST_SEED={SEED} .venv/bin/pytest '{item.nodeid}'"))
    return report


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
    for name in (*map(variable, ROWS), "STELE_TEST_SEED"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(autouse=True)
def _seeded(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test draws the same in every run with the same seed."""
    seed_everything(request.node.nodeid, monkeypatch)
