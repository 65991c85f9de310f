"""The package `@stele/board` as npm installs it, and the example that React makes of it."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

from tests.node import PACKAGES, node, node_environment, package

ROOT = Path(__file__).parents[2]
BOARD = ROOT / "clients/board"
REACT = ROOT / "examples/element/react"
TYPES = (
    "--strict",
    "--jsx",
    "react-jsx",
    "--module",
    "esnext",
    "--moduleResolution",
    "bundler",
    "--target",
    "es2022",
)
LIBRARIES = ("--lib", "es2022,dom,dom.iterable", "--types", "react,react-dom", "--noEmit")


def install_board(modules: Path) -> Path:
    """What is published of the package, in a folder `node_modules`."""
    folder = modules / "@stele/board"
    folder.mkdir(parents=True)
    published = json.loads((BOARD / "package.json").read_text())["files"]
    run(sys.executable, str(BOARD / "make.py"), str(folder))
    for name in {"package.json", *published} - {"stele-board.js"}:
        shutil.copy(BOARD / name, folder)
    return folder


def built_react_example(folder: Path) -> Path:
    """The example in a folder of its own, its types checked and its script bundled."""
    shutil.copytree(REACT, folder)
    modules = folder / "node_modules"
    install_board(modules)
    for name in ("react", "react-dom", "scheduler", "csstype", "@types/react", "@types/react-dom"):
        (modules / name).parent.mkdir(exist_ok=True)
        (modules / name).symlink_to(package(name))
    run(node(), str(package("typescript") / "bin/tsc"), *TYPES, *LIBRARIES, "app.tsx", cwd=folder)
    flags = ("--bundle", "--format=esm", "--jsx=automatic", '--define:process.env.NODE_ENV="production"')
    bundler = PACKAGES / "node_modules/.bin/esbuild"
    run(str(bundler), "app.tsx", *flags, "--outfile=app.js", cwd=folder)
    shutil.rmtree(modules)
    return folder


def run(*command: str, cwd: Path | None = None) -> None:
    done = subprocess.run(
        command, cwd=cwd, capture_output=True, text=True, check=False, env=node_environment(), timeout=240
    )
    assert done.returncode == 0, done.stdout + done.stderr
