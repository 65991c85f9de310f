"""Bit rot: a log of which a byte has changed is found, counted, and neither backed up nor restored."""

import gzip
import hashlib
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest

from events.integrity import DamagedLog, check_log
from events.keys import keys_of
from projections.health import backlog
from services.core.backup import MANIFEST, Backup, CannotRestore, Restore, file_of
from services.core.high_water_mark import HighWaterMark, MissingEntries
from services.worker import scrub
from services.worker.scrub import Scrub
from tests.worker.house import House

GAMES = 3


@pytest.fixture(autouse=True)
def _in_haste(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scrub, "BREATH_SECONDS", 0)


@pytest.fixture
def games(house: House) -> list[str]:
    """Some games, projected as they are."""
    games = [house.create(bots=(None,) * 3) for _ in range(GAMES)]
    house.workshop.project(games)
    return games


def rot(house: House, game: str) -> None:
    """Change the second entry, which still can be read, and leave its hash as it was."""
    house.rewrite(
        game,
        lambda row: (
            row | {b"e": row[b"e"].replace(b'"at":"20', b'"at":"21')} if b'"seq":2' in row[b"e"] else row
        ),
    )


def checked(house: House, mark: HighWaterMark | None = None) -> int:
    return Scrub(house.ledger.store, house.projections, house.queue, mark).check_all()


def test_a_scrub_finds_a_log_of_which_a_byte_has_changed(
    house: House, games: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    assert checked(house) == 0
    whole = house.client.dump(keys_of(games[1]).stream)
    rot(house, games[1])
    assert backlog(house.client).failed_audits == 0, "nobody has looked yet"
    assert checked(house) == 1
    assert backlog(house.client).failed_audits == 1
    assert house.projections.failed_audits() == [games[1]]
    (line,) = [record for record in caplog.records if "damaged" in record.message]
    assert line.message == "a log is damaged: entry 2 is not what its hash says"
    house.workshop.project(games)
    assert backlog(house.client).failed_audits == 1, "no projection hides it"
    house.client.restore(keys_of(games[1]).stream, 0, cast(Any, whole), replace=True)
    assert checked(house) == 0
    assert backlog(house.client).failed_audits == 0


def test_a_scrub_tells_the_high_water_mark_of_games_that_do_not_move(
    house: House, games: list[str], tmp_path: Path
) -> None:
    mark = HighWaterMark(tmp_path)
    checked(house, mark)
    head = house.ledger.store.head(games[0]).seq
    house.client.delete(keys_of(games[0]).stream)
    assert mark.compare(house.client) == [MissingEntries(games[0], head, 0)]


@pytest.mark.parametrize("broken", ["hash", "order", "gap", "game"])
def test_a_log_is_whole_only_if_every_entry_follows_the_one_before(
    house: House, games: list[str], broken: str
) -> None:
    log = house.ledger.store.read(games[0])
    assert check_log(games[0], log) == len(log)
    wrong = {
        "hash": [log[0], type(log[0])(log[1].entry, log[1].raw + b" ", log[1].hash), *log[2:]],
        "order": [log[1], log[0], *log[2:]],
        "gap": [log[0], *log[2:]],
        "game": log,
    }[broken]
    with pytest.raises(DamagedLog):
        check_log(games[1] if broken == "game" else games[0], wrong)


def test_a_backup_leaves_a_damaged_log_out_and_names_it(
    house: House, games: list[str], tmp_path: Path
) -> None:
    rot(house, games[0])
    outcomes = list(Backup(house.ledger.store, tmp_path).run(games))
    assert [outcome.problem for outcome in outcomes] == [
        "its log is damaged: entry 2 is not what its hash says",
        *[None] * (GAMES - 1),
    ]
    manifest = msgspec.json.decode((tmp_path / MANIFEST).read_bytes())
    assert sorted(manifest["games"]) == sorted(games[1:])


@pytest.mark.parametrize("fault", ["a changed entry", "rules nobody knows"])
def test_a_restore_writes_nothing_unless_all_of_it_can_be_restored(
    house: House, games: list[str], tmp_path: Path, fault: str
) -> None:
    assert all(outcome.problem is None for outcome in Backup(house.ledger.store, tmp_path).run(games))
    forge(tmp_path, games[-1], fault)
    house.client.flushall()
    run = Restore(house.ledger.store, house.projections, tmp_path)
    with pytest.raises(CannotRestore, match=games[-1]):
        list(run.check())
    assert house.client.dbsize() == 0


def forge(backup: Path, game: str, fault: str) -> None:
    """A backup that was made of a damaged log, as earlier versions made them: its files are as they were written."""
    path = file_of(backup, game)
    copy = msgspec.json.decode(gzip.decompress(path.read_bytes()))
    first = copy["entries"][0]
    if fault == "a changed entry":
        first["salt"] = "0" * 32
    else:
        first["data"]["ruleset_version"] = 99
    content = gzip.compress(msgspec.json.encode(copy), mtime=0)
    path.write_bytes(content)
    manifest = msgspec.json.decode((backup / MANIFEST).read_bytes())
    manifest["games"][game]["file"] = hashlib.sha256(content).hexdigest()
    (backup / MANIFEST).write_bytes(msgspec.json.encode(manifest))
