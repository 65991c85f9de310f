"""The high-water mark: a store whose file lost its tail is found out at its next start, although no process remembers anything."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from redis import Redis

from events.keys import game_id, keys_of
from events.store import EMPTY_LOG, Appended, EventStore
from services.api.routes.health import losses
from services.cli import main
from services.core.disk import Disk
from services.core.high_water_mark import MARK_FILE, HighWaterMark, MissingEntries
from services.host.embedded import EmbeddedStore
from services.worker.head_recorder import HeadRecorder
from tests.events.logs import finished
from tests.host.test_embedded import serving
from tests.host.test_store_files import tail_of
from tests.servers import short_directory, wait_until


@pytest.fixture
def data_dir() -> Iterator[Path]:
    with short_directory() as directory:
        yield directory


def play(client: Redis, number: int) -> tuple[str, int]:
    """Append a whole game, an entry at a time; its id, and the number of its last entry."""
    game = game_id(bytes([number] * 17))
    head = EMPTY_LOG
    store = EventStore(client)
    for carved in finished(game=game):
        assert store.append(head, [carved]) == Appended()
        head = head._replace(seq=carved.seq, hash=carved.hash)
    return game, head.seq


def cut_to(directory: Path, fraction: float) -> None:
    """What a disk that lies about its writes may do to the store's file."""
    file = tail_of(directory)
    whole = file.read_bytes()
    end = whole.index(
        b"*1\r\n$5\r\nMULTI", int(len(whole) * fraction)
    )  # between two commands: the store sees nothing
    file.write_bytes(whole[:end])


def test_a_start_after_the_files_tail_was_lost_names_every_game_that_lacks_entries(data_dir: Path) -> None:
    store, mark = EmbeddedStore(data_dir), HighWaterMark(data_dir)
    with serving(store), Redis.from_url(store.url) as client:
        assert store.ready_line() == f"Valkey keeps the games in {data_dir}"
        heads = dict(play(client, number) for number in range(3))
        HeadRecorder(client, mark).record()
    cut_to(data_dir, 0.6)
    with serving(store), Redis.from_url(store.url) as client:
        said = store.ready_line()
        found = {game: client.xlen(keys_of(game).stream) for game in heads}
    lost = [
        MissingEntries(game, seq, found[game]) for game, seq in sorted(heads.items()) if found[game] < seq
    ]
    assert lost, "the cut must hit something"
    assert sorted(mark.lost()) == lost
    assert f"lost entries of {len(lost)} games" in said
    assert all(str(each) in said for each in lost)
    assert losses(Disk(data_dir, 0)) == {"truncations": 0, "lost_games": len(lost)}
    with serving(store):
        assert "lost" not in store.ready_line(), "what was reported is not found again"
    assert sorted(mark.lost()) == lost


def test_what_was_lost_is_listed_until_it_is_acknowledged(data_dir: Path) -> None:
    mark = HighWaterMark(data_dir)
    run = [*("losses", "--data-dir"), str(data_dir)]
    assert CliRunner().invoke(main, run).output == "No game is known to have lost entries.\n"
    game = game_id(b"7" * 17)
    mark.note({game: 34}, {})
    store = EmbeddedStore(data_dir)
    with serving(store), Redis.from_url(store.url) as client:
        mark.compare(client)
    line = f"{game} ended at entry 34 and ends at entry 0 now\n"
    assert CliRunner().invoke(main, run).output == line
    assert "Acknowledged" in CliRunner().invoke(main, [*run, "--acknowledge"]).output
    assert losses(Disk(data_dir, 0)) == {"truncations": 0, "lost_games": 0}


def test_an_archived_game_has_lost_nothing(data_dir: Path) -> None:
    store, mark = EmbeddedStore(data_dir), HighWaterMark(data_dir)
    with serving(store), Redis.from_url(store.url) as client:
        game, seq = play(client, 1)
        HeadRecorder(client, mark).record()
        client.delete(keys_of(game).stream)
        client.hset(keys_of(game).archived, "seq", seq)
        assert mark.compare(client) == []
        client.delete(keys_of(game).archived)
        assert mark.compare(client) == [MissingEntries(game, seq, 0)]


def test_the_recorder_reads_on_where_another_was_killed(data_dir: Path) -> None:
    store, mark = EmbeddedStore(data_dir), HighWaterMark(data_dir)
    with serving(store), Redis.from_url(store.url) as client:
        first = HeadRecorder(client, mark)
        heads = dict([play(client, 1)])
        first.record()
        heads |= [play(client, 2)]
        HeadRecorder(client, mark).record()
        client.flushall()
        assert sorted(mark.compare(client)) == sorted(MissingEntries(*head, 0) for head in heads.items())


def test_a_mark_that_cannot_be_read_is_said_and_started_again(data_dir: Path) -> None:
    (data_dir / MARK_FILE).write_bytes(b"no database" * 1000)
    with pytest.raises(sqlite3.DatabaseError):
        HighWaterMark(data_dir).cursors()
    store = EmbeddedStore(data_dir)
    with serving(store):
        assert "heads.sqlite cannot be read" in store.ready_line()
        assert store.ready_line() == f"Valkey keeps the games in {data_dir}"


def test_the_projector_of_an_embedded_store_keeps_the_mark(data_dir: Path) -> None:
    store, mark = EmbeddedStore(data_dir), HighWaterMark(data_dir)
    settings = {"STELE_DATA_DIR": str(data_dir), "STELE_STORE_URL": "", "STELE_MIN_FREE_MB": "0"}
    with serving(store), Redis.from_url(store.url) as client:
        projector = subprocess.Popen(
            [sys.executable, "-P", "-m", "services.worker.projector"], env={**os.environ, **settings}
        )
        try:
            play(client, 1)
            wait_until(lambda: bool(mark.cursors()), "the head to be recorded")
        finally:
            projector.kill()
            projector.wait()
