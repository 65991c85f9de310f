"""The TypeScript client, built: programs that import `@stele/client` run in a folder that has it."""

import fcntl
import hashlib
import shutil
import subprocess
from pathlib import Path

from tests.node import PACKAGES, node, node_environment, package

SOURCE = Path("clients/typescript").resolve()


def built() -> Path:
    """A folder with `node_modules/@stele/client`, built from what is there now by whoever comes first."""
    sources = sorted([*SOURCE.glob("src/*.ts"), SOURCE / "tsconfig.json", SOURCE / "package.json"])
    digest = hashlib.sha256(b"\0".join(path.read_bytes() for path in sources)).hexdigest()[:16]
    folder = PACKAGES / "clients" / digest
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # the tests run in several processes
        if not (folder / "ready").exists():
            client = folder / "node_modules/@stele/client"
            compiler = str(package("typescript") / "bin/tsc")
            run(node(), compiler, "--project", str(SOURCE), "--outDir", str(client / "dist"))
            shutil.copy(SOURCE / "package.json", client)
            (folder / "ready").touch()
    return folder


def run(*command: str) -> str:
    """What a program says; a test fails with it if the program does."""
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=240, check=False, env=node_environment()
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def program(source: Path) -> Path:
    """A program, put where it finds the client."""
    return Path(shutil.copy(source, built()))
