"""Tries each artefact where nothing of the checkout can be imported: a virtual environment and a folder of its own."""

import json
import os
import signal
import subprocess
import sys
import time
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from tests.node import node, npm
from tests.release.artefacts import ROOT, run
from tests.servers import free_ports

PATIENCE = 120.0
CONSTRAINTS = ROOT / "constraints.txt"
OURS = {"stele-client", "stele-terminal"}
PYTHON_CLIENT = """
import sys
from stele_client import Player, Stele
with Stele(sys.argv[1]) as stele:
    created = stele.create("babel", [Player(name="Ada"), Player(bot="greedy")])
    print(created.players[0].look().version)
"""
TYPESCRIPT_CLIENT = """
import { Stele } from "@stele/client";
const stele = new Stele(process.argv[2]);
const { seats } = await stele.create({ ruleset: "babel", players: [{ name: "Ada" }, { bot: "greedy" }] });
console.log(seats.length);
"""


def try_all(folder: Path, scratch: Path) -> Iterator[str]:
    """Install every artefact by itself and use it; what was tried, as it is done."""
    server = Environment(scratch / "server")
    server.install(wheel(folder, "stele"))
    assert not OURS & server.packages(), f"the server's wheel brought {OURS & server.packages()}"
    with server.stele_up(scratch / "data") as address:
        game = try_server(address)
        yield f"{wheel(folder, 'stele').name}: page, documents, a game"
        server.stele("audit", game, data=scratch / "data")
        yield "its audit"
        assert "stele[terminal]" in server.stele("play", "babel", data=scratch / "data", fails=True)
        yield from try_clients(folder, scratch, address)
    yield write_sbom(server, folder).name
    from_source = Environment(scratch / "source")
    from_source.install(next(folder.glob("stele-[0-9]*.tar.gz")))
    assert from_source.files() == server.files(), "the sdist installs other files than the wheel"
    yield next(folder.glob("stele-[0-9]*.tar.gz")).name


def try_server(address: str) -> str:
    """The page, the documents, and a game that two bots play to its settlement; the game's id."""
    with httpx.Client(base_url=address, timeout=30) as http:
        for path in (
            "/",
            "/web/app.js",
            "/docs",
            "/docs/swagger-ui-bundle.js",
            "/openapi.json",
            "/v1/rulesets",
        ):
            assert http.get(path).status_code == 200, path
        bots = [{"bot": "random"}, {"bot": "random"}]
        game = (
            http.post("/v1/games", json={"ruleset": "aton", "players": bots}).raise_for_status().json()["id"]
        )
        until = time.monotonic() + PATIENCE
        while not http.get(f"/v1/games/{game}").json()["settled"]:
            assert time.monotonic() < until, "the bots' game was not settled"
            time.sleep(0.2)
        assert http.get(f"/v1/games/{game}/board.svg").status_code == 200
    return str(game)


def try_clients(folder: Path, scratch: Path, address: str) -> Iterator[str]:
    """Both clients against a running server, and the terminal front-end with all that it needs."""
    client = Environment(scratch / "client")
    client.install(wheel(folder, "stele_client"))
    assert client.python("-c", PYTHON_CLIENT, address).strip()
    yield wheel(folder, "stele_client").name
    terminal = Environment(scratch / "terminal")
    terminal.install(*(wheel(folder, name) for name in ("stele", "stele_client", "stele_terminal")))
    assert "--against" in terminal.stele("play", "--help", data=scratch / "data")
    yield wheel(folder, "stele_terminal").name
    package = next(folder.glob("stele-client-*.tgz"))
    work = scratch / "npm"
    work.mkdir()
    (work / "package.json").write_text('{"type": "module", "private": true}')
    (work / "try.js").write_text(TYPESCRIPT_CLIENT)
    run(*npm(), "install", "--silent", "--no-audit", "--no-fund", str(package.resolve()), cwd=work)
    assert run(node(), "try.js", address, cwd=work).strip() == "1"
    yield package.name
    board = next(folder.glob("stele-board-*.tgz"))
    run(*npm(), "install", "--silent", "--no-audit", "--no-fund", str(board.resolve()), cwd=work)
    run(node(), "--check", "node_modules/@stele/board/stele-board.js", cwd=work)
    yield board.name


def write_sbom(server: "Environment", folder: Path) -> Path:
    """The software bill of materials of an installed server (CycloneDX JSON)."""
    sbom = folder / "stele.cdx.json"
    tool = Path(sys.executable).with_name("cyclonedx-py")
    run(
        str(tool),
        "environment",
        "--output-format",
        "JSON",
        "--output-file",
        str(sbom),
        str(server.executable),
    )
    names = {part["name"].lower() for part in json.loads(sbom.read_text())["components"]}
    assert {"flask", "redis", "granian", "msgspec"} <= names
    return sbom


class Environment:
    """A virtual environment in which only what is installed here can be imported."""

    def __init__(self, folder: Path) -> None:
        venv.create(folder, with_pip=True)
        self.folder = folder
        self.executable = folder / "bin/python"
        self.environ = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}

    def install(self, *artefacts: Path) -> None:
        files = [str(artefact.resolve()) for artefact in artefacts]
        self.python("-m", "pip", "install", "--quiet", "--constraint", str(CONSTRAINTS), *files)

    def packages(self) -> set[str]:
        listed = json.loads(self.python("-m", "pip", "list", "--format", "json"))
        return {package["name"].lower() for package in listed}

    def files(self) -> set[str]:
        """Every file of ours that an installation has."""
        script = "import importlib.metadata as m; print(*(f for f in m.files('stele')), sep='\\n')"
        listed = self.python("-c", script).splitlines()
        return {name for name in listed if ".dist-info" not in name and "__pycache__" not in name}

    def python(self, *arguments: str) -> str:
        return self._run([str(self.executable), *arguments], self.environ)

    def stele(self, *arguments: str, data: Path, fails: bool = False) -> str:
        environ = self.environ | {"STELE_DATA_DIR": str(data)}
        return self._run([str(self.folder / "bin/stele"), *arguments], environ, fails=fails)

    def _run(self, command: list[str], environ: dict[str, str], *, fails: bool = False) -> str:
        done = subprocess.run(
            command, cwd=self.folder, env=environ, capture_output=True, text=True, check=False, timeout=600
        )
        assert bool(done.returncode) == fails, done.stdout + done.stderr
        return done.stdout + done.stderr

    @contextmanager
    def stele_up(self, data: Path) -> Iterator[str]:
        """`stele up` of this environment, for the length of the block."""
        (port,) = free_ports(1)
        environ = self.environ | {"STELE_DATA_DIR": str(data), "STELE_PORT": str(port)}
        with (self.folder / "output").open("wb") as output:
            process = subprocess.Popen(
                [self.folder / "bin/stele", "up"], cwd=self.folder, env=environ, stdout=output, stderr=output
            )
            try:
                address = f"http://127.0.0.1:{port}"
                until = time.monotonic() + PATIENCE
                while not is_ready(address):
                    assert process.poll() is None, (self.folder / "output").read_text()
                    assert time.monotonic() < until, (self.folder / "output").read_text()
                    time.sleep(0.1)
                yield address
            finally:
                process.send_signal(signal.SIGTERM)
                process.wait(60)


def is_ready(address: str) -> bool:
    try:
        return httpx.get(f"{address}/readyz", timeout=2).status_code == 200
    except httpx.TransportError:
        return False


def wheel(folder: Path, name: str) -> Path:
    """The wheel of a package, by its name as wheels spell it."""
    return next(folder.glob(f"{name}-[0-9]*.whl"))
