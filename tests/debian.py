"""Programs that only Debian's packages bring here, unpacked beside the tests' other tools; nothing is installed.

    nginx = debian_program("nginx", "usr/sbin/nginx")

Where apt is missing or cannot reach its mirror, the test that asks is skipped and says that its check was not run.
"""

import fcntl
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

UNPACKED = Path(sys.prefix) / "debian"
PATIENCE = 120


@cache
def debian_program(package: str, path: str) -> str:
    """A program of a package: the machine's own, or the one that is unpacked here."""
    if there := shutil.which(Path(path).name):
        return there
    program = UNPACKED / path
    UNPACKED.mkdir(exist_ok=True)
    with (UNPACKED / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not program.exists():
            _unpack(package)
    return str(program)


def _unpack(package: str) -> None:
    download = ["apt-get", "download", "--quiet", package]
    try:
        if subprocess.run(
            download, cwd=UNPACKED, capture_output=True, timeout=PATIENCE, check=False
        ).returncode:
            if os.geteuid() == 0:
                subprocess.run(["apt-get", "update"], capture_output=True, timeout=PATIENCE, check=True)
            subprocess.run(download, cwd=UNPACKED, capture_output=True, timeout=PATIENCE, check=True)
        (archive,) = UNPACKED.glob(f"{package}_*.deb")
        subprocess.run(["dpkg", "-x", archive, UNPACKED], capture_output=True, timeout=PATIENCE, check=True)
        archive.unlink()
    except (OSError, subprocess.SubprocessError) as problem:
        pytest.skip(f"not run: {package} of Debian cannot be had here ({type(problem).__name__})")
