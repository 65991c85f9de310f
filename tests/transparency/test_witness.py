"""Witnesses: what they sign, what they refuse, and two servers that watch each other."""

import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from redis import Redis

from replays.audit.verify import COSIGNATURE_KEY, Tree, cosigned_at, read_checkpoint
from replays.transparency.notes import NoteSigner, submission_text, verifier_key
from services.cli.commands.witness import make_witness_server
from services.core.settings import LogWitness, read_settings
from services.core.transparency_log import TransparencyLog
from services.core.witness import Witness
from services.worker.log_writer import LogWriter
from services.worker.queue import WorkQueue
from tests.servers import ValkeyServer
from tests.transparency.test_writer import latest_of, marks
from tests.transparency.trees import Shelf

LOG = NoteSigner("example.org/log", bytes(range(32)))
SIGNER = NoteSigner("club.example/witness", bytes(range(1, 33)))


class SomeLog:
    """A log in memory that can be asked for any checkpoint."""

    def __init__(self, stem: bytes = b"leaf") -> None:
        self.shelf = Shelf()
        self.notes = [""]
        for number in range(10):
            self.shelf.add(stem + b" %d" % number)
            self.notes.append(LOG.checkpoint(number + 1, self.shelf.tree.root()))

    def offer(self, old: int, size: int) -> str:
        return submission_text(old, Tree(size, self.shelf.tiles).consistency(old), self.notes[size])


@pytest.fixture
def witness(tmp_path: Path) -> Witness:
    return Witness(SIGNER, {LOG.name: LOG.public}, tmp_path / "witness", now=lambda: 1000.9)


def test_a_witness_signs_what_continues_and_keeps_it(witness: Witness, tmp_path: Path) -> None:
    log = SomeLog()
    for old, size in ((0, 3), (3, 3), (3, 8), (8, 10)):
        answer = witness.add_checkpoint(log.offer(old, size))
        assert answer.status == 200
        signed = read_checkpoint(log.notes[size] + answer.body)
        assert cosigned_at(signed, SIGNER.name, SIGNER.public) == 1000
    again = Witness(SIGNER, {LOG.name: LOG.public}, tmp_path / "witness")
    latest = again.latest(LOG.name)
    assert latest
    assert latest.size == 10
    assert not list((tmp_path / "witness").glob("*.evidence"))


@pytest.mark.parametrize(
    ("offer", "status", "body"),
    [
        ((0, 8), 409, "5\n"),
        ((4, 8), 409, "5\n"),
        ((3, 4), 409, "5\n"),
        ((9, 8), 400, None),
    ],
)
def test_a_witness_goes_by_what_it_has_seen(
    witness: Witness, offer: tuple[int, int], status: int, body: str | None
) -> None:
    log = SomeLog()
    assert witness.add_checkpoint(log.offer(0, 5)).status == 200
    answer = witness.add_checkpoint(log.offer(*offer))
    assert answer.status == status
    assert body is None or (answer.body, answer.content_type) == (body, "text/x.tlog.size")


def test_a_witness_refuses_and_names_a_history_that_was_swapped(
    witness: Witness, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    log, other = SomeLog(), SomeLog(b"another")
    assert witness.add_checkpoint(log.offer(0, 5)).status == 200
    assert witness.add_checkpoint(other.offer(5, 5)).status == 409
    assert witness.add_checkpoint(other.offer(5, 8)).status == 422
    assert witness.add_checkpoint(log.offer(5, 8).replace("\n\n", "\nAAAA\n\n", 1)).status == 422
    assert len(list((tmp_path / "witness").glob("*.evidence"))) == 2
    assert [record.members["problem"] for record in caplog.records][:2] == [  # type: ignore[attr-defined]
        "it has signed two trees of 5 leaves",
        "its 8 leaves do not continue the 5 that it had",
    ]
    assert witness.add_checkpoint(log.offer(5, 8)).status == 200, "the true log goes on"


def test_a_witness_signs_for_nobody_else(witness: Witness, caplog: pytest.LogCaptureFixture) -> None:
    log = SomeLog()
    stranger = NoteSigner("stranger.example/log", bytes(32))
    assert witness.add_checkpoint(submission_text(0, [], stranger.checkpoint(1, bytes(32)))).status == 404
    forged = NoteSigner(LOG.name, bytes(32)).checkpoint(1, bytes(32))
    assert witness.add_checkpoint(submission_text(0, [], forged)).status == 403
    assert witness.add_checkpoint(log.offer(0, 3).replace("\n3\n", "\n4\n")).status == 403
    assert witness.add_checkpoint("nothing").status == 400
    assert not caplog.records
    successor = NoteSigner(f"{LOG.name}/2", bytes(range(32))).checkpoint(1, bytes(32))
    assert witness.add_checkpoint(submission_text(0, [], successor)).status == 404
    assert caplog.records[0].members["problem"] == "it succeeds example.org/log, which was rolled back"  # type: ignore[attr-defined]


# -- two servers ------------------------------------------------------------------------------------------------------


@contextmanager
def serving(witness: Witness) -> Iterator[LogWitness]:
    server = make_witness_server(witness, "127.0.0.1", 0)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield LogWitness(f"http://127.0.0.1:{server.server_port}", witness.signer.name, witness.signer.public)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class Club:
    """A server with a log, and a witness for another."""

    def __init__(self, number: int, client: Redis, tmp_path: Path) -> None:
        self.private = bytes([number]) * 32
        self.name = f"club{number}.example/log"
        self.directory = tmp_path / f"club{number}"
        self.log = TransparencyLog(self.directory / "tlog")
        self.client = client
        self.signer = NoteSigner(f"club{number}.example/witness", bytes([number + 100]) * 32)

    def writer(self, witness: LogWitness, *, allow_private: bool = True) -> LogWriter:
        identity = (self.name, self.private)
        queue = WorkQueue(self.client)
        return LogWriter(self.client, queue, self.log, identity, 10, [witness], allow_private=allow_private)

    def witness_of(self, other: "Club") -> Witness:
        public = NoteSigner(other.name, other.private).public
        return Witness(self.signer, {other.name: public}, self.directory / "witness")


def test_two_servers_witness_each_other_and_a_rollback_is_named(
    valkey: ValkeyServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with valkey.client(db=13) as first, valkey.client(db=14) as second:
        for client in (first, second):
            client.flushdb()
        one, two = Club(1, first, tmp_path), Club(2, second, tmp_path)
        by_one, by_two = one.witness_of(two), two.witness_of(one)
        with serving(by_one) as at_one, serving(by_two) as at_two:
            writers = {one: one.writer(at_two), two: two.writer(at_one)}
            for turn, count in enumerate((3, 300, 301), 1):
                for club, writer in writers.items():
                    writer.unlogged.add(marks(count))
                    writer.write(turn * 1000)
                    other = two if club is one else one
                    signed = read_checkpoint(latest_of(club.log).note)
                    assert signed.size == count
                    assert cosigned_at(signed, other.signer.name, other.signer.public)
                if turn == 1:
                    shutil.copytree(one.log.directory, tmp_path / "backup")
            assert not caplog.records
            shutil.rmtree(one.log.directory)
            shutil.copytree(tmp_path / "backup", one.log.directory)
            for turn in (10, 11):
                writers[one].unlogged.add(marks(turn))
                writers[one].write(turn * 1000)
            problems = [record.members["problem"] for record in caplog.records]  # type: ignore[attr-defined]
            assert "it shows 10 leaves, and had 301" in problems, "the witness names it"
            assert "it has seen 301 leaves of this log, which has 10: it was rolled back" in problems, (
                "so does the log"
            )
            assert not cosigned_at(
                read_checkpoint(latest_of(one.log).note), two.signer.name, two.signer.public
            )
            assert list((two.directory / "witness").glob("*.evidence"))
            writers[one].unlogged.add(marks(400))
            writers[one].write(20_000)
            assert not cosigned_at(
                read_checkpoint(latest_of(one.log).note), two.signer.name, two.signer.public
            ), "a log that has grown past what it lost is another one all the same"
            assert "its 400 leaves do not continue the 301 that it had" in [
                record.members.get("problem")  # type: ignore[attr-defined]
                for record in caplog.records
            ]


def test_a_witness_that_is_away_or_private_holds_nothing_up(
    valkey: ValkeyServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with valkey.client(db=13) as client:
        client.flushdb()
        club = Club(1, client, tmp_path)
        away = LogWitness("http://127.0.0.1:9", "away.example/w", bytes(32))
        for turn, private in ((1, True), (2, True), (3, False)):
            writer = club.writer(away, allow_private=private)
            writer.unlogged.add(marks(turn))
            writer.write(turn * 1000)
            assert latest_of(club.log).size == turn
    problems = [record.members["problem"] for record in caplog.records]  # type: ignore[attr-defined]
    assert len(problems) == 2, "the same problem is logged once"


def test_witnesses_are_named_by_address_and_verifier_key() -> None:
    key = verifier_key(SIGNER.name, SIGNER.public, COSIGNATURE_KEY)
    read = read_settings({"STELE_WITNESSES": f"https://club.example/witness/ {key}"})
    assert read.witnesses == (LogWitness("https://club.example/witness", SIGNER.name, SIGNER.public),)
    for wrong in (
        key,
        f"ftp://club.example {key}",
        f"https://club.example {verifier_key(SIGNER.name, SIGNER.public)}",
    ):
        with pytest.raises(Exception, match="STELE_WITNESSES must be a list of addresses"):
            read_settings({"STELE_WITNESSES": wrong})
