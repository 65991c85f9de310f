"""The data directory: private, held by one, keeper of the secrets."""

import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from services.core.datadir import free_mb, load_or_create_secret, lock_data_dir, prepare_data_dir, token_key
from services.core.settings import CannotStart, Settings


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_directory_is_made_for_its_owner_only(tmp_path: Path) -> None:
    prepare_data_dir(tmp_path / "deep" / "data")
    assert mode(tmp_path / "deep" / "data") == 0o700
    prepare_data_dir(tmp_path / "deep" / "data")


def test_a_directory_that_cannot_be_written_to_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for impossible in (tmp_path / "file", tmp_path / "file" / "data", Path("/proc/stele")):
        with pytest.raises(
            CannotStart, match=rf"^The data directory {impossible} cannot be used: .*STELE_DATA_DIR"
        ):
            prepare_data_dir(impossible)


def test_a_secret_is_made_once_and_only_its_owner_may_read_it(tmp_path: Path) -> None:
    secret = load_or_create_secret(tmp_path / "data", "token.key")
    assert len(secret) == 64
    assert mode(tmp_path / "data" / "token.key") == 0o600
    assert load_or_create_secret(tmp_path / "data", "token.key") == secret
    assert load_or_create_secret(tmp_path / "data", "signing.key") != secret
    assert sorted(path.name for path in (tmp_path / "data").iterdir()) == ["signing.key", "token.key"]


def test_processes_that_start_at_once_agree_on_one_secret(tmp_path: Path) -> None:
    script = "import sys; from pathlib import Path; from services.core.datadir import load_or_create_secret\nsys.stdin.readline(); print(load_or_create_secret(Path(sys.argv[1]), 'token.key'))"
    command = [sys.executable, "-c", script, str(tmp_path / "data")]
    several = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(4)
    ]
    with ThreadPoolExecutor(4) as together:
        told = list(together.map(lambda process: process.communicate("go\n")[0], several))
    assert len(set(told)) == 1
    assert told[0].strip() == (tmp_path / "data" / "token.key").read_text().strip()


def test_a_secret_that_everyone_may_read_is_refused(tmp_path: Path) -> None:
    load_or_create_secret(tmp_path, "token.key")
    (tmp_path / "token.key").chmod(0o644)
    with pytest.raises(CannotStart, match="chmod 600"):
        load_or_create_secret(tmp_path, "token.key")


def test_an_emptied_secret_is_refused_rather_than_used(tmp_path: Path) -> None:
    (tmp_path / "token.key").touch(0o600)
    with pytest.raises(CannotStart, match="is empty"):
        load_or_create_secret(tmp_path, "token.key")


def test_a_token_key_given_by_the_environment_goes_before_the_kept_one(tmp_path: Path) -> None:
    kept = token_key(Settings(data_dir=tmp_path))
    assert token_key(Settings(data_dir=tmp_path)) == kept
    assert (
        token_key(Settings(data_dir=tmp_path, token_key="given by the operator")) == b"given by the operator"
    )
    assert token_key(Settings(data_dir=tmp_path, token_key=kept.decode())) == kept


def test_a_held_directory_is_refused_to_others_with_who_holds_it(tmp_path: Path) -> None:
    with (
        lock_data_dir(tmp_path, "stele up"),
        pytest.raises(
            CannotStart, match=rf"{tmp_path} is in use by `stele up`, process {os.getpid()}, since 20\d\d-"
        ),
        lock_data_dir(tmp_path, "stele restore"),
    ):
        pass
    assert mode(tmp_path / "lock") == 0o600


def test_a_directory_is_free_again_when_let_go_or_when_its_holder_was_killed(tmp_path: Path) -> None:
    with lock_data_dir(tmp_path, "stele up"):
        pass
    script = "import os, sys; from pathlib import Path; from services.core.datadir import lock_data_dir\nwith lock_data_dir(Path(sys.argv[1]), 'stele up'): os.kill(os.getpid(), 9)"
    killed = subprocess.run([sys.executable, "-c", script, str(tmp_path)], check=False)
    assert killed.returncode == -9
    with lock_data_dir(tmp_path, "stele up"):
        pass


def test_the_free_space_is_told_in_megabytes(tmp_path: Path) -> None:
    told = os.statvfs(tmp_path)
    assert abs(free_mb(tmp_path) - told.f_bavail * told.f_frsize // 2**20) < 1000
