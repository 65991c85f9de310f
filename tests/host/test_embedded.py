"""The embedded store: durable, private, and never two on one file."""

import os
import signal
import stat
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from redis import Redis
from redis.exceptions import OutOfMemoryError

from services.core.connections import store_url
from services.core.datadir import SOCKET_FILE, embedded_url, socket_of
from services.core.disk import MB
from services.core.memory import fill_of, limit_of, machine_memory
from services.core.settings import CannotStart, Settings
from services.host import embedded
from services.host.embedded import EmbeddedStore, lock_holders
from tests.servers import is_running, short_directory, wait_until


@pytest.fixture
def data_dir() -> Iterator[Path]:
    with short_directory() as directory:
        yield directory


@contextmanager
def serving(store: EmbeddedStore) -> Iterator[subprocess.Popen[bytes]]:
    """The store, launched and ready, for the length of the block."""
    process = store.launch()
    try:
        wait_until(store.is_ready, f"the store: {store.log.read_text()}")
        yield process
    finally:
        process.kill()
        process.wait()


def put_and_get(store: EmbeddedStore) -> None:
    with Redis.from_url(store.url) as client:
        client.set("move", "carved")
        assert client.get("move") == b"carved"


def test_it_listens_on_its_private_socket_only(data_dir: Path) -> None:
    store = EmbeddedStore(data_dir)
    with serving(store), Redis.from_url(store.url) as client:
        assert client.info("server")["tcp_port"] == 0
        assert stat.S_IMODE(socket_of(data_dir).stat().st_mode) == 0o700
        assert socket_of(data_dir).parent == data_dir


def test_every_write_is_on_disk_before_its_answer_and_no_key_is_evicted(data_dir: Path) -> None:
    store = EmbeddedStore(data_dir)
    with serving(store), Redis.from_url(store.url, decode_responses=True) as client:
        wanted = {"appendonly": "yes", "appendfsync": "always", "save": "", "maxmemory-policy": "noeviction"}
        assert client.config_get(*wanted) == wanted


def test_it_fills_no_more_memory_than_it_may_and_says_so_before(data_dir: Path) -> None:
    store = EmbeddedStore(data_dir, limit_of(Settings(data_dir=data_dir, max_memory_mb=24)))
    with serving(store), Redis.from_url(store.url) as client:
        assert int(client.config_get("maxmemory")["maxmemory"]) == 24 * MB
        assert fill_of(client) == "ok"
        seen = [fill_of(client)]

        def fill() -> None:
            for number in range(64):
                client.set(f"games {number}", bytes(MB // 2))
                seen.append(fill_of(client))

        with pytest.raises(OutOfMemoryError):
            fill()
        assert {"ok", "nearly full"} <= {*seen}
        assert client.get("games 0") == bytes(MB // 2)


def test_by_default_it_is_half_of_what_the_machine_or_the_container_has(tmp_path: Path) -> None:
    whole = machine_memory(tmp_path / "none")
    assert limit_of(Settings()) == machine_memory() // 2
    (tmp_path / "max").write_text("max\n")
    (tmp_path / "some").write_text("1000\n")
    assert machine_memory(tmp_path / "max") == whole > machine_memory(tmp_path / "some") == 1000


def test_what_it_acknowledged_survives_kill_9_of_the_server(data_dir: Path) -> None:
    store = EmbeddedStore(data_dir)
    with serving(store) as process:
        put_and_get(store)
        process.kill()
        process.wait()
        assert not store.is_ready()
    with serving(store), Redis.from_url(store.url) as client:
        assert client.get("move") == b"carved"


def test_its_files_are_for_its_owner_only(data_dir: Path) -> None:
    store = EmbeddedStore(data_dir)
    with serving(store):
        put_and_get(store)
        files = [path for path in data_dir.rglob("*") if path.is_file()]
        assert len(files) >= 4
        assert all(stat.S_IMODE(path.stat().st_mode) & 0o077 == 0 for path in files)


def test_a_directory_with_a_long_and_odd_path_has_its_socket_elsewhere(data_dir: Path) -> None:
    deep = data_dir / ("a long é 'name\" " * 10)
    deep.mkdir()
    store = EmbeddedStore(deep)
    with serving(store):
        put_and_get(store)
        elsewhere = socket_of(deep)
        assert len(os.fsencode(elsewhere)) <= embedded.LONGEST_SOCKET_PATH
        assert stat.S_IMODE(elsewhere.parent.stat().st_mode) == 0o700
        assert (deep / "appendonlydir").is_dir()
    with serving(store), Redis.from_url(store.url) as client:
        assert client.get("move") == b"carved"
        assert not elsewhere.parent.exists()
        elsewhere = socket_of(deep)
    store.clear_away()
    assert not elsewhere.parent.exists()
    assert not (deep / SOCKET_FILE).is_symlink()


@pytest.fixture
def orphan(data_dir: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A server whose supervisor is gone: as `launch` starts it, but nobody knows of it any more."""
    store = EmbeddedStore(data_dir)
    with serving(store) as process:
        put_and_get(store)
        yield process


def test_a_server_left_behind_is_ended_before_ours_starts(
    data_dir: Path, orphan: subprocess.Popen[bytes]
) -> None:
    store = EmbeddedStore(data_dir)
    assert list(lock_holders(store.lock_file)) == [orphan.pid]
    with serving(store) as process, Redis.from_url(store.url) as client:
        assert not is_running(orphan.pid)
        assert list(lock_holders(store.lock_file)) == [process.pid]
        assert client.get("move") == b"carved"


def test_a_server_left_behind_that_hangs_is_killed(data_dir: Path, orphan: subprocess.Popen[bytes]) -> None:
    orphan.send_signal(signal.SIGSTOP)
    store = EmbeddedStore(data_dir)
    with serving(store), Redis.from_url(store.url) as client:
        assert not is_running(orphan.pid)
        assert client.get("move") == b"carved"


def test_a_server_left_behind_whose_socket_was_removed_is_found_all_the_same(
    data_dir: Path, orphan: subprocess.Popen[bytes]
) -> None:
    socket_of(data_dir).unlink()
    store = EmbeddedStore(data_dir)
    with serving(store):
        assert not is_running(orphan.pid)


def test_no_second_server_starts_where_the_first_cannot_be_ended(
    data_dir: Path, orphan: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    orphan.send_signal(signal.SIGSTOP)
    monkeypatch.setattr(embedded, "lock_holders", lambda _lock_file: iter(()))
    monkeypatch.setattr(embedded, "STOP_SECONDS", 0.1)
    with pytest.raises(CannotStart, match=f"left behind still uses {data_dir}"):
        EmbeddedStore(data_dir).launch()
    assert is_running(orphan.pid)


def test_a_socket_in_use_is_not_cleared_away(data_dir: Path) -> None:
    store = EmbeddedStore(data_dir)
    with serving(store):
        store.clear_away()
        put_and_get(store)
    store.clear_away()
    assert not socket_of(data_dir).exists()


def test_the_store_is_the_given_one_or_else_the_embedded_one(tmp_path: Path) -> None:
    assert store_url(Settings(data_dir=tmp_path)) == embedded_url(tmp_path)
    assert store_url(Settings(data_dir=tmp_path, store_url="redis://store")) == "redis://store"
