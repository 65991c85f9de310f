"""The writer of the transparency log: every leaf once, wherever it is killed."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis

from events.entries import GameAborted
from events.keys import game_id
from projections.unlogged import LeafMark, Unlogged
from replays.audit.verify import (
    LogTrust,
    check_proof,
    game_leaf,
    is_consistent,
    read_checkpoint,
    read_proof,
    tile_path,
)
from replays.transparency.notes import unbundled
from services.core.crash_points import CRASH_POINT_VARIABLE
from services.core.log_files import PublishedCheckpoint
from services.core.transparency_log import AnotherLog, TransparencyLog
from services.worker.housekeeping import Housekeeper, LogPolicy
from services.worker.log_writer import LogWriter
from services.worker.queue import WorkQueue
from tests.servers import ValkeyServer
from tests.transparency.trees import naive_root
from tests.worker.house import House

DATABASE = 11
IDENTITY = ("example.org/log", bytes(range(32)))
CRASH_POINTS = [
    "before the leaves are committed",
    "between the leaves and their tiles",
    "before the archive has its name",
    "between a tile's file and its row",
    "between the tiles and the checkpoint",
    "between the checkpoint and the marks",
]


@pytest.fixture
def client(valkey: ValkeyServer) -> Iterator[Redis]:
    with valkey.client(db=DATABASE) as client:
        client.flushdb()
        yield client


@pytest.fixture
def log(tmp_path: Path) -> TransparencyLog:
    return TransparencyLog(tmp_path / "tlog")


@pytest.fixture
def writer(client: Redis, log: TransparencyLog) -> LogWriter:
    return LogWriter(client, WorkQueue(client), log, IDENTITY, 10)


@pytest.fixture
def house(client: Redis) -> House:
    house = House(client, client)
    house.ledger.store.logged = True
    return house


def marks(count: int, kind: str = "settled") -> list[LeafMark]:
    return [
        LeafMark(game_id(number.to_bytes(17, "big")), kind, 9, f"{number:064x}") for number in range(count)
    ]


def latest_of(log: TransparencyLog) -> PublishedCheckpoint:
    files = log.present()
    latest = files and files.latest_checkpoint()
    assert latest
    return latest


def published_leaves(log: TransparencyLog) -> list[bytes]:
    """Every leaf of the present log, read as a monitor reads it, and held against the checkpoint."""
    files = log.present()
    checkpoint = files and files.latest_checkpoint()
    assert files
    assert checkpoint
    leaves: list[bytes] = []
    for first in range(0, checkpoint.size, 256):
        width = min(256, checkpoint.size - first)
        bundle = files.entries(first // 256, width)
        assert bundle is not None
        leaves += unbundled(bundle)
        assert files.directory.joinpath(tile_path(0, first // 256)).exists() == (width == 256)
    assert naive_root(leaves) == read_checkpoint(checkpoint.note).root
    return leaves


def check_all_proved(log: TransparencyLog, wanted: list[LeafMark]) -> None:
    keys = {key["origin"]: bytes.fromhex(key["public_key"]) for key in log.listed_keys()}
    for mark in wanted:
        proof = log.proof(game_leaf(*mark))
        assert proof
        check_proof(game_leaf(*mark), read_proof(proof), LogTrust(keys))


def test_a_game_leaves_one_leaf_when_it_starts_and_one_when_it_is_settled(
    house: House, writer: LogWriter, log: TransparencyLog
) -> None:
    game = house.create("babel", (None, "random"), seated=1)
    assert writer.unlogged.count() == 0, "it has not started"
    game = house.create("babel", ("random", "random"))
    first = LeafMark(game, "created", 1, house.log(game)[0].hash)
    assert writer.unlogged.all() == [first]
    writer.write(1000)
    house.run()
    assert house.game(game).settled
    last = LeafMark(game, "settled", house.game(game).version, house.game(game).hash)
    assert writer.unlogged.all() == [first, last], (
        "a settlement marks both, should the log be younger than the game"
    )
    writer.write(1010)
    assert published_leaves(log) == [game_leaf(*first), game_leaf(*last)]
    assert writer.unlogged.count() == 0
    check_all_proved(log, [first, last])


def test_a_game_that_never_started_has_a_settlement_and_no_beginning(house: House, writer: LogWriter) -> None:
    game = house.create("babel", (None, None), seated=1)
    house.ledger.change(game, lambda batch, _: batch.write({"operator": True}, GameAborted("by_operator")))
    house.run()
    assert [mark.kind for mark in writer.unlogged.all()] == ["settled"]


def test_a_store_without_a_log_has_no_marks(client: Redis) -> None:
    house = House(client, client)
    house.create("babel", ("random", "random"))
    assert Unlogged(client).count() == 0


@pytest.mark.parametrize("point", CRASH_POINTS)
def test_a_writer_killed_there_loses_no_leaf_and_doubles_none(
    writer: LogWriter, log: TransparencyLog, client: Redis, point: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    early, late = marks(300)[:20], marks(300)
    writer.unlogged.add(early)
    writer.write(1000)
    before = published_leaves(log)
    writer.unlogged.add(late)
    monkeypatch.setenv(CRASH_POINT_VARIABLE, point)
    child = os.fork()
    if child == 0:
        with Redis.from_url(_url(client)) as own:
            LogWriter(own, WorkQueue(own), log, IDENTITY, 10).write(1010)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 86
    monkeypatch.delenv(CRASH_POINT_VARIABLE)
    writer.write(1020)
    leaves = published_leaves(log)
    assert sorted(leaves) == sorted({game_leaf(*mark) for mark in late})
    assert leaves[:20] == before, "what was published stands where it stood"
    assert writer.unlogged.count() == 0
    check_all_proved(log, late[::50])


def _url(client: Redis) -> str:
    options = client.connection_pool.connection_kwargs
    return (
        f"redis://{options['host']}:{options['port']}?db={options['db']}"
        if "host" in options
        else f"unix://{options['path']}?db={options['db']}"
    )


def test_checkpoints_come_no_sooner_than_they_may_and_only_for_something_new(
    writer: LogWriter, log: TransparencyLog
) -> None:
    one, two, three = marks(3)
    writer.unlogged.add([one])
    writer.write(1000)
    writer.unlogged.add([two])
    writer.write(1009)
    assert len(published_leaves(log)) == 1
    assert writer.unlogged.count() == 1
    writer.write(1010)
    first = latest_of(log)
    writer.write(1030)
    assert log.present().latest_checkpoint() == first  # type: ignore[union-attr]
    proof = log.proof(game_leaf(*one))
    writer.unlogged.add([three])
    writer.write(1040)
    assert log.proof(game_leaf(*one)) == proof, "a proof stays as it is"


def test_one_writer_at_a_time(writer: LogWriter, client: Redis, log: TransparencyLog) -> None:
    client.set("stele:held:write_log:tlog", "another", ex=60)
    writer.unlogged.add(marks(1))
    writer.turn(1000)
    assert log.present() is None
    client.delete("stele:held:write_log:tlog")
    writer.turn(1000)
    assert len(published_leaves(log)) == 1


def test_a_log_of_another_key_is_left_alone(writer: LogWriter, log: TransparencyLog) -> None:
    writer.unlogged.add(marks(1))
    writer.write(1000)
    for identity in (("example.org/log", bytes(32)), ("example.org/other", IDENTITY[1])):
        with pytest.raises(AnotherLog, match=r"example\.org/log"):
            log.ready(*identity)


def test_every_tree_is_consistent_with_those_before(writer: LogWriter, log: TransparencyLog) -> None:
    notes = []
    for turn, end in enumerate((1, 2, 3, 200, 256, 257, 520), 1):
        writer.unlogged.add(marks(end))
        writer.write(turn * 1000)
        notes.append(read_checkpoint(latest_of(log).note))
    files = log.present()
    assert files
    for one in notes:
        for other in notes:
            if one.size <= other.size:
                proof = files.tree(other.size).consistency(one.size)
                assert is_consistent(one.size, one.root, other.size, other.root, proof)


def test_the_projector_asks_for_the_writer_when_leaves_wait(house: House, writer: LogWriter) -> None:
    housekeeper = Housekeeper(house.sweeper, log_policy=LogPolicy(10, False))
    housekeeper.do_what_is_due(1.0)
    assert "write_log" not in [job.job for job in house.queue.jobs_on_games()]
    writer.unlogged.add(marks(1))
    housekeeper.do_what_is_due(12.0)
    assert ("write_log", "tlog") in house.queue.jobs_on_games()


def test_a_restore_to_fewer_leaves_begins_a_successor(
    writer: LogWriter, log: TransparencyLog, tmp_path: Path
) -> None:
    old, new, since = marks(300), marks(400)[300:], marks(500)[400:]
    writer.unlogged.add(old)
    writer.write(1000)
    copy = TransparencyLog(tmp_path / "copy")
    for files in log.logs():
        files.copy_to(copy.directory / files.directory.name)
    assert log.restore(copy, *IDENTITY) is None, "nothing was published since"
    writer.unlogged.add(new)
    writer.write(2000)
    assert latest_of(log).size == 400
    assert log.restore(copy, *IDENTITY) == "example.org/log/2"
    writer.unlogged.add([*old, *since])
    writer.write(3000)
    succeeds, *leaves = published_leaves(log)
    assert succeeds.startswith(b'{"checkpoint":"example.org/log\\n400\\n')
    assert sorted(leaves) == sorted(game_leaf(*mark) for mark in since), (
        "what the first log proves is not logged again"
    )
    check_all_proved(log, [old[0], old[299], new[0], since[0]])
    assert [key["origin"] for key in log.listed_keys()] == ["example.org/log/2", "example.org/log"]


def test_a_restore_on_a_new_machine_begins_a_successor_too(
    writer: LogWriter, log: TransparencyLog, tmp_path: Path
) -> None:
    old = marks(300)
    writer.unlogged.add(old)
    writer.write(1000)
    on_new_machine = TransparencyLog(tmp_path / "on_new_machine")
    assert on_new_machine.restore(log, *IDENTITY) == "example.org/log/2"
    check_all_proved(on_new_machine, old[::60])
    assert on_new_machine.restore(TransparencyLog(tmp_path / "nothing"), *IDENTITY) is None
