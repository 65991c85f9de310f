"""The world that the pages speak of: a server, its games, and people with their tokens."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import httpx

from stele_client import Seal, Stele
from tests.clients.roles import HOST, OPERATOR
from tests.docs.blocks import ROOT, Block
from tests.node import node, node_environment
from tests.servers import PATIENCE, free_ports, wait_until
from tests.system import stele as system

SECONDS = 120
MAKE = f"""#!/bin/sh
# What is made takes long, and is what runs this test: only whether it can be made.
exec {{make}} --dry-run -C {ROOT} "$@"
"""


class World:
    """What the names on a page stand for, and how its code is run there: block after block, in one folder."""

    def __init__(self, server: system.Stele, folder: Path) -> None:
        self.server, self.folder = server, folder
        with Stele(server.url, HOST) as host:
            settled = host.create("babel", [{"name": "Ann", "ref": "ann"}, {"name": "Ben", "ref": "ben"}])
            settled.players[1].resign()
            for _ in settled.game.follow():
                pass
            running = host.create("babel", [{"name": "Ann"}, {"name": "Ben"}])
            waiting = host.create("babel", seats=2)
            private = host.create("babel", [{"name": "Ann"}], seats=2, private=True)
        place = f"{server.url}/v1/games/{settled.game.id}/proof"
        wait_until(
            lambda: bool(httpx.get(place).json()["settled"]), "the log to hold the settled game", PATIENCE
        )
        (port,) = free_ports(1)
        acting = running.players[running.state.to_act[0]]
        self.names = {
            "http://127.0.0.1:8000": server.url,
            "ws://127.0.0.1:8000": server.url.replace("http", "ws", 1),
            "https://play.example.org": server.url,
            "RUNNING_GAME_ID": running.game.id,
            "OPEN_GAME_ID": waiting.game.id,
            "PRIVATE_GAME_ID": private.game.id,
            "JOIN_CODE": private.game.join_code or "",
            "GAME_ID": settled.game.id,
            "HOST_TOKEN": HOST,
            "OPERATOR_TOKEN": OPERATOR,
            "SEAT_TOKEN": acting.token or "",
            "COMMITMENT": Seal().commitment,
            "/backups/": f"{folder}/backups/",
            "/tmp/trial": f"{folder}/trial",
            "8001": str(port),
            "curl -s": "curl -sS --fail-with-body",
            "-n auto tests/rulesets": "--collect-only -q tests/rulesets",
        }
        self._furnish()

    def _furnish(self) -> None:
        """The folder looks like a clone, and `make` only says what it would do."""
        for entry in ROOT.iterdir():
            if entry.name not in (".git", ".pytest_cache"):
                (self.folder / entry.name).symlink_to(entry)
        tools = self.folder / "tools"
        tools.mkdir()
        (tools / "make").write_text(MAKE.format(make="/usr/bin/make"))
        (tools / "make").chmod(0o755)
        (tools / "python").symlink_to(sys.executable)
        (self.folder / "backups").mkdir()
        here = [str(tools), str(Path(sys.executable).parent)]
        path = os.pathsep.join([*here, node_environment()["PATH"]])
        self.environ = {**self.server.environ, "PATH": path, "PYTHONWARNINGS": "default"}

    def spoken(self, code: str) -> str:
        """The code with what its names stand for."""
        names = sorted(self.names, key=len, reverse=True)
        return re.sub("|".join(map(re.escape, names)), lambda name: self.names[name[0]], code)

    def run(self, block: Block) -> str:
        """Run a block; what it printed."""
        return RUNNERS[block.language](self, self.spoken(block.code))

    def process(self, *command: str) -> str:
        """Run a command to its end, and end what it left behind."""
        process = subprocess.Popen(
            command,
            cwd=self.folder,
            env=self.environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        try:
            process.wait(SECONDS)
        finally:
            with suppress(ProcessLookupError):  # nothing was left
                os.killpg(process.pid, signal.SIGTERM)
        said, _ = process.communicate(timeout=SECONDS)
        assert process.returncode == 0, said
        return said


def run_shell(world: World, code: str) -> str:
    return world.process("bash", "-euo", "pipefail", "-c", code)


def run_python(world: World, code: str) -> str:
    return world.process(sys.executable, "-c", code)


def run_javascript(world: World, code: str) -> str:
    return world.process(node(), "--experimental-websocket", "--input-type=module", "-e", code)


def run_http(world: World, code: str) -> str:
    """A request as it is written: the first line, headers, an empty line, the body."""
    head, _, body = code.partition("\n\n")
    (method, path), *headers = (line.split(" ", 1) for line in head.splitlines())
    fields = {name.removesuffix(":"): value for name, value in headers}
    answer = httpx.request(
        method, f"{world.server.url}{path}", headers=fields, content=body.strip() or None, timeout=SECONDS
    )
    assert answer.is_success, answer.text
    return answer.text


RUNNERS: dict[str, Callable[[World, str], str]] = {
    "sh": run_shell,
    "python": run_python,
    "js": run_javascript,
    "http": run_http,
}
NOT_CODE = frozenset({"text", "json"})
"""Languages of blocks that nothing could run; `json` is read."""
TYPESCRIPT = "clients/typescript/README.md"
ELEMENT = "clients/board/README.md"
CLUB = "examples/club/README.md"
HELD = {
    ("docs/adding-a-game.md", "python"): "tests/test_adding_a_game.py",
    ("docs/architecture.md", "diff"): "tests/api/test_routing.py",
    (ELEMENT, "html"): "tests/element/test_documented.py",
    (ELEMENT, "js"): "tests/element/test_documented.py",
    ("docs/front-ends.md", "html"): "tests/element/test_documented.py",
    (CLUB, "sh"): "tests/examples/test_club.py",
    (TYPESCRIPT, "ts"): "tests/clients/test_typescript_client.py",
    (TYPESCRIPT, "sh"): "tests/clients/test_typescript_client.py",
}
"""Code that is run elsewhere, by page and language: the test that holds the page to it."""
