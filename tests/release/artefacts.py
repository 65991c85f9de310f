"""Builds wheel and sdist of the server and of both Python packages beside it, and the npm packages of the client and the element."""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.clients.typescript import SOURCE as TYPESCRIPT
from tests.clients.typescript import built
from tests.element.packages import install_board
from tests.node import node_environment, npm

ROOT = Path(__file__).parents[2]
PACKAGES = (".", "clients/python", "clients/terminal")


def build_all(folder: Path) -> Iterator[Path]:
    """Every artefact of a release, as it is built."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for package in PACKAGES:
        yield from build_python(ROOT / package, folder)
    yield build_npm(client_package(), folder)
    with tempfile.TemporaryDirectory() as scratch:
        yield build_npm(install_board(Path(scratch)), folder)


def build_python(source: Path, folder: Path) -> list[Path]:
    """Wheel and sdist of a package, from a copy of what git tracks: nothing that lies about in the checkout gets in."""
    with tempfile.TemporaryDirectory() as scratch:
        tracked = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=source)
        for name in filter(None, tracked.split("\0")):
            target = Path(scratch) / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source / name, target)
        before = set(folder.iterdir())
        run(sys.executable, "-m", "build", "--outdir", str(folder.resolve()), cwd=Path(scratch))
    return sorted(set(folder.iterdir()) - before)


def client_package() -> Path:
    """The package of the TypeScript client, compiled."""
    client = built() / "node_modules/@stele/client"
    shutil.copy(TYPESCRIPT / "README.md", client)
    return client


def build_npm(package: Path, folder: Path) -> Path:
    """A package as `npm install` takes it."""
    name = run(*npm(), "pack", "--silent", "--pack-destination", str(folder.resolve()), cwd=package).strip()
    return folder / name


def run(*command: str, cwd: Path | None = None) -> str:
    """What a program prints; its whole output as an error if it fails."""
    done = subprocess.run(
        command, cwd=cwd, capture_output=True, text=True, check=False, env=node_environment(), timeout=600
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout
