"""`stele doctor`: it finds what is wrong with an installation, and says what to do."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from services.cli import main
from services.core.datadir import stamp_format
from services.core.high_water_mark import HighWaterMark
from services.host.embedded import EmbeddedStore
from tests.host.test_embedded import serving
from tests.host.test_store_files import tail_of
from tests.servers import ValkeyServer, short_directory


@pytest.fixture
def data_dir() -> Iterator[Path]:
    with short_directory() as directory:
        yield directory


def doctor(directory: Path, **environ: str) -> tuple[int, str]:
    environ = {"STELE_MIN_FREE_MB": "0", "STELE_STORE_URL": "", **environ}
    ran = CliRunner().invoke(main, ["doctor", "--data-dir", str(directory)], env=environ)
    return ran.exit_code, ran.output


def test_a_sound_installation_has_nothing_wrong(data_dir: Path) -> None:
    stamp_format(data_dir)
    with serving(EmbeddedStore(data_dir)):
        code, output = doctor(data_dir)
    assert (code, output.count("✗"), output.count("!")) == (0, 0, 0), output
    for checked in ("settings", "limits", "keys", "version", "files", "disk", "store", "clock", "durability"):
        assert f"✓ {checked}: " in output


def test_what_is_wrong_is_said_with_what_to_do(data_dir: Path) -> None:
    with serving(EmbeddedStore(data_dir)) as process:
        HighWaterMark(data_dir).note({"07-" + "a" * 26: 5})
        store = EmbeddedStore(data_dir)
        assert "lost entries" in store.ready_line()
        process.kill()
    tail_of(data_dir).write_bytes(tail_of(data_dir).read_bytes() + b"\0" * 64)
    (data_dir / "token.key").write_bytes(b"")
    code, output = doctor(data_dir, STELE_MIN_FREE_MB="999999999", STELE_PROT="8000")
    assert code == 1
    for line in (
        "! settings: there is no setting STELE_PROT",
        "✗ keys: Everyone on this machine may read",
        "✗ files: the tail is damaged: stele repair",
        "! losses: 1 games have lost entries: stele losses",
        "✗ disk: ",
        "✗ store: it does not answer",
    ):
        assert line in output, output


def test_a_store_that_may_lose_what_it_acknowledges_is_found(data_dir: Path, valkey: ValkeyServer) -> None:
    code, output = doctor(data_dir, STELE_STORE_URL=valkey.url)
    assert code == 0
    assert "! durability: acknowledged moves may be lost" in output
