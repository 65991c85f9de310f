"""Damaged files of the embedded store: refused, named and repaired, never passed over in silence."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from redis import Redis

from services.cli import main
from services.core.datadir import FORMAT, STAMP, stamp_format
from services.core.settings import CannotStart
from services.core.store_files import AOF_MANIFEST, FOLDER, find_damage, refuse_to_start_empty, truncations
from services.host.embedded import EmbeddedStore
from tests.host.test_embedded import serving
from tests.servers import free_ports, short_directory

GAMES = [f"0{n}-{letter * 26}" for n, letter in enumerate("abc")]


@pytest.fixture
def data_dir() -> Iterator[Path]:
    """A directory in which a store has kept three entries of three games, and ended."""
    with short_directory() as directory:
        with serving(EmbeddedStore(directory)), store_of(directory) as client:
            for game in GAMES:
                client.xadd(f"stele:{{{game[:2]}}}:game:{game}:log", {"entry": "carved"})
        (directory / "token.key").write_text("a" * 64)
        (directory / "token.key").chmod(0o600)
        yield directory


def store_of(directory: Path) -> "Redis":
    return Redis.from_url(EmbeddedStore(directory).url)


def tail_of(directory: Path) -> Path:
    (file,) = (directory / FOLDER).glob("*.incr.aof")
    return file


def repair(directory: Path, *more: str) -> tuple[int, str]:
    ran = CliRunner().invoke(main, ["repair", "--data-dir", str(directory), *more])
    return ran.exit_code, ran.output


def logs(directory: Path) -> list[str]:
    """The games that a store of this directory has, once it is started."""
    with serving(EmbeddedStore(directory)), store_of(directory) as client:
        keys: list[bytes] = client.keys("*:log")
        return sorted(key.decode().split(":")[3] for key in keys)


@pytest.mark.parametrize(
    "rubbish", [b"\0" * 4096, b"*3\r\n$4\r\nXADD\r\n$999\r\nnot so long", b"\xff\xfe garbage\r\n"]
)
def test_a_damaged_tail_is_named_and_cut_off_after_a_copy_was_made(data_dir: Path, rubbish: bytes) -> None:
    whole = tail_of(data_dir).read_bytes()
    tail_of(data_dir).write_bytes(whole + rubbish)
    assert "stele repair" in EmbeddedStore(data_dir).hint
    code, output = repair(data_dir)
    assert code == 1
    assert f"{len(rubbish):,} of {len(whole) + len(rubbish):,} bytes" in output
    assert tail_of(data_dir).read_bytes() == whole + rubbish, "nothing changes without --yes"
    code, output = repair(data_dir, "--yes")
    assert code == 0
    assert tail_of(data_dir).read_bytes() == whole
    (copy,) = data_dir.glob(f"{FOLDER}.before-repair-*")
    assert next(copy.glob("*.incr.aof")).read_bytes() == whole + rubbish
    assert logs(data_dir) == GAMES


def test_the_games_are_named_whose_entries_stood_in_the_damaged_tail(data_dir: Path) -> None:
    whole = tail_of(data_dir).read_bytes()
    last = whole.rindex(b"*")
    tail_of(data_dir).write_bytes(whole[:last] + b"*5\r\n\0\0\0" + whole[last:])
    damage = find_damage(tail_of(data_dir))
    assert damage is not None
    assert damage.games == (GAMES[-1],)
    _, output = repair(data_dir, "--yes")
    assert f"game {GAMES[-1]}" in output
    assert logs(data_dir) == GAMES[:-1]


def test_half_a_transaction_is_no_whole_command(data_dir: Path) -> None:
    whole = tail_of(data_dir).read_bytes()
    begun = b"*1\r\n$5\r\nMULTI\r\n*3\r\n$3\r\nSET\r\n$1\r\na\r\n$1\r\nb\r\n"
    tail_of(data_dir).write_bytes(whole + begun)
    damage = find_damage(tail_of(data_dir))
    assert damage is not None
    assert (damage.good, damage.bad) == (len(whole), len(begun))
    tail_of(data_dir).write_bytes(whole + begun + b"*1\r\n$4\r\nEXEC\r\n")
    assert find_damage(tail_of(data_dir)) is None


def test_a_torn_tail_that_the_store_drops_by_itself_is_reported(data_dir: Path) -> None:
    torn = tail_of(data_dir).read_bytes()[:-7]
    tail_of(data_dir).write_bytes(torn)
    store = EmbeddedStore(data_dir)
    with serving(store):
        assert "dropped a torn tail" in store.ready_line()
    assert truncations(data_dir) == 1
    with serving(store):
        assert "torn" not in store.ready_line()
    assert truncations(data_dir) == 1


def test_a_torn_tail_is_reported_though_the_file_has_grown_again(data_dir: Path) -> None:
    """Keys that expired while the store was down, for example, are written to its file as it starts."""
    with tail_of(data_dir).open("ab") as file:
        file.write(b"*3\r\n$3")
    before = tail_of(data_dir).stat().st_size
    store = EmbeddedStore(data_dir)
    with serving(store), store_of(data_dir) as client:
        client.set("more", "than was torn off")
        assert tail_of(data_dir).stat().st_size > before
        assert "dropped a torn tail of 6 bytes" in store.ready_line()


@pytest.mark.parametrize("left", [None, b"", b"\0" * 88])
def test_a_store_without_its_manifest_does_not_start_empty(data_dir: Path, left: bytes | None) -> None:
    manifest = data_dir / FOLDER / AOF_MANIFEST
    manifest.unlink() if left is None else manifest.write_bytes(left)
    with pytest.raises(CannotStart, match="stele repair"):
        refuse_to_start_empty(data_dir)
    assert repair(data_dir, "--yes")[0] == 0
    refuse_to_start_empty(data_dir)
    assert logs(data_dir) == GAMES


def test_a_file_that_the_manifest_names_must_be_there(data_dir: Path) -> None:
    file = tail_of(data_dir)
    file.rename(file.with_suffix(".away"))
    with pytest.raises(CannotStart, match=file.name):
        refuse_to_start_empty(data_dir)


def test_a_key_of_notifications_alone_tells_of_no_games(tmp_path: Path) -> None:
    (tmp_path / "push.key").write_text("2e" * 32)
    refuse_to_start_empty(tmp_path)


def test_keys_without_a_store_are_no_new_server(data_dir: Path) -> None:
    shutil.rmtree(data_dir / FOLDER)
    with pytest.raises(CannotStart, match="--start-empty"):
        refuse_to_start_empty(data_dir)
    (data_dir / "token.key").unlink()
    refuse_to_start_empty(data_dir)


def test_a_start_beside_damaged_files_is_refused_in_one_sentence(data_dir: Path) -> None:
    (data_dir / FOLDER / AOF_MANIFEST).unlink()
    refused = CliRunner().invoke(main, ["up", "--data-dir", str(data_dir), "--port", str(free_ports(1)[0])])
    assert (refused.exit_code, refused.output.count("\n")) == (1, 1)
    assert "stele repair" in refused.output


@pytest.mark.parametrize("name", ["token.key", "signing.key"])
@pytest.mark.parametrize("held", [b"", b"\n", b"\xff\xfe\0", b"short", None])
def test_a_key_file_that_is_empty_or_unreadable_is_refused_before_anything_starts(
    data_dir: Path, name: str, held: bytes | None
) -> None:
    key = data_dir / name
    key.unlink(missing_ok=True)
    key.mkdir(0o700) if held is None else key.write_bytes(held)
    key.chmod(0o700 if held is None else 0o600)
    refused = CliRunner().invoke(main, ["up", "--data-dir", str(data_dir), "--port", str(free_ports(1)[0])])
    assert (refused.exit_code, refused.output.count("\n")) == (1, 1)
    assert str(key) in refused.output


def test_whole_files_need_no_repair(data_dir: Path) -> None:
    code, output = repair(data_dir)
    assert (code, output.startswith("The store's files are whole")) == (0, True)
    assert not list(data_dir.glob("*before-repair*"))


def test_a_directory_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    stamp_format(tmp_path)
    assert json.loads((tmp_path / STAMP).read_text()) == {"format": FORMAT}
    stamp_format(tmp_path)
    (tmp_path / STAMP).write_text(json.dumps({"format": FORMAT + 1}))
    with pytest.raises(CannotStart, match="newer"):
        stamp_format(tmp_path)
    (tmp_path / STAMP).write_text("")
    with pytest.raises(CannotStart, match="cannot be read"):
        stamp_format(tmp_path)
