"""Generators take the document without a warning, and programs on what they make of it play whole games."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from openapi_spec_validator import validate

from games import RULESETS
from tests.api.live import live_api
from tests.node import node, node_environment, package
from tests.servers import ValkeyServer

HERE = Path(__file__).parent
DOCUMENT = Path("docs/openapi.json").resolve()
DATABASE = 7
NAMES = {ruleset.name for ruleset in RULESETS}


@pytest.fixture(scope="module")
def server(valkey: ValkeyServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with valkey.client(db=DATABASE) as client:
        client.flushdb()
    with live_api(f"{valkey.url}?db={DATABASE}", tmp_path_factory.mktemp("live")) as port:
        yield f"http://127.0.0.1:{port}"


def run(*command: str | Path, env: dict[str, str] | None = None) -> str:
    """What a program says; a test fails with it if the program does."""
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=280, check=False, env=env or node_environment()
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def games_played(said: str) -> dict[str, Any]:
    played = [json.loads(line) for line in said.splitlines()]
    return {game["ruleset"]: game for game in played if game["moves"] > 5}


def test_the_document_is_openapi() -> None:
    validate(json.loads(DOCUMENT.read_bytes()))


def test_a_program_on_the_types_of_openapi_typescript_plays_every_game(server: str, tmp_path: Path) -> None:
    types = tmp_path / "schema.ts"
    made = run(node(), package("openapi-typescript") / "bin/cli.js", DOCUMENT, "--output", types)
    assert "warn" not in made.lower()
    program = tmp_path / "plays.ts"
    program.write_bytes((HERE / "plays.ts").read_bytes())
    (tmp_path / "package.json").write_text('{"type": "module"}')
    flags = ["--strict", "--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes"]
    forms: list[str | Path] = [
        "--target",
        "es2022",
        "--module",
        "nodenext",
        "--typeRoots",
        package("@types/node").parent,
    ]
    run(
        node(),
        package("typescript") / "bin/tsc",
        *flags,
        *forms,
        "--types",
        "node",
        "--skipLibCheck",
        program,
    )
    assert games_played(run(node(), tmp_path / "plays.js", server)).keys() == NAMES


def test_a_program_on_the_package_of_openapi_python_client_plays_every_game(
    server: str, tmp_path: Path
) -> None:
    made = tmp_path / "stele_api"
    generator = Path(sys.executable).with_name("openapi-python-client")
    settings: list[str | Path] = [
        "--meta",
        "none",
        "--config",
        HERE / "openapi-python-client.yaml",
        "--fail-on-warning",
    ]
    beside = {"PATH": f"{generator.parent}{os.pathsep}{os.environ['PATH']}"}  # it calls ruff
    said = run(
        generator, "generate", "--path", DOCUMENT, "--output-path", made, *settings, env=os.environ | beside
    )
    assert "WARNING" not in said
    errors = sorted(path.stem for path in (made / "models").glob("*problem*.py"))
    assert errors == ["problem", "problem_audit", "problem_errors"], "all errors are one model"
    env = os.environ | {"PYTHONPATH": str(tmp_path)}
    assert games_played(run(sys.executable, HERE / "plays.py", server, env=env)).keys() == NAMES
