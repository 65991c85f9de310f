"""The embedded store while it runs: its file is rewritten only where the copy leaves room, and its log stays short."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from services.core import store_maintenance
from services.core.datadir import LOG_FILE
from services.core.disk import MB, Disk
from services.core.store_maintenance import StoreMaintenance
from services.host.embedded import EmbeddedStore, server_command
from tests.servers import ValkeyServer, running_valkey, wait_until


@pytest.fixture
def store() -> Iterator[ValkeyServer]:
    with running_valkey(appendonly="always") as server:
        yield server


def grow(store: ValkeyServer) -> None:
    """Write a little over and over: a file with much in it that is of no use any more."""
    with store.client() as client:
        for _ in range(64):
            client.set("same", "x" * 2**14)


@pytest.mark.parametrize(("free_mb", "rewritten"), [(10_000, True), (257, True), (256, False), (0, False)])
def test_the_file_is_rewritten_only_where_the_copy_leaves_the_reserve(
    store: ValkeyServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free_mb: int, rewritten: bool
) -> None:
    monkeypatch.setattr(store_maintenance, "MIN_REWRITE_BYTES", 2**18)
    monkeypatch.setattr(Disk, "free", lambda _: free_mb * MB + 2**20)
    grow(store)
    with store.client() as client:
        before = client.info("persistence")["aof_current_size"]
        if free_mb == 256:
            monkeypatch.setattr(Disk, "free", lambda _: free_mb * MB + 2**16)  # a copy has more than that
        StoreMaintenance(client, Disk(tmp_path, min_free_mb=256)).look()
        if not rewritten:
            assert not client.info("persistence")["aof_rewrite_in_progress"]
            assert client.info("persistence")["aof_current_size"] == before
            return
        wait_until(lambda: client.info("persistence")["aof_current_size"] < before // 2, "the file to shrink")
        StoreMaintenance(client, Disk(tmp_path, min_free_mb=256)).look()
        assert not client.info("persistence")["aof_rewrite_in_progress"], "once is enough"


def test_the_embedded_store_never_rewrites_its_file_by_itself(tmp_path: Path) -> None:
    words = server_command(tmp_path, tmp_path / "s")
    assert words[words.index("--auto-aof-rewrite-percentage") + 1] == "0"


def test_a_long_log_is_rotated_while_the_store_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_maintenance, "LONGEST_LOG", 100)
    store = EmbeddedStore(tmp_path)
    process = store.launch()
    try:
        wait_until(store.is_ready, "the store")
        first = store.log.read_text()
        with store._client() as client:
            StoreMaintenance(client, Disk(tmp_path, min_free_mb=0)).look()
            assert (tmp_path / f"{LOG_FILE}.1").read_text() == first
            client.bgrewriteaof()
            wait_until(
                lambda: store.log.exists() and "rewriting" in store.log.read_text(),
                "it to go on in a new log",
            )
    finally:
        process.kill()
        process.wait()
