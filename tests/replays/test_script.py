"""The verifier as a script: one file, the standard library, and an exit code."""

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from replays.audit import verify as verifier
from tests.replays.forging import chained, data, plain

SCRIPT = Path(verifier.__file__)


def run(directory: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The verifier alone in an empty directory, with nothing to import but the standard library."""
    empty = directory / "empty"
    empty.mkdir(exist_ok=True)
    command = [sys.executable, "-I", "-S", str(SCRIPT), *arguments]
    done = subprocess.run(command, cwd=empty, capture_output=True, text=True, timeout=60, check=False)
    assert "Traceback" not in done.stderr, done.stderr
    return done


def saved(directory: Path, record: Any) -> str:
    path = directory / "record.json"
    path.write_text(record if isinstance(record, str) else json.dumps(record))
    return str(path)


def test_the_script_passes_what_it_can_check_and_says_what_it_cannot(tmp_path: Path) -> None:
    done = run(tmp_path, saved(tmp_path, plain()), "--json")
    report = json.loads(done.stdout)
    assert done.returncode == 2
    assert report["verdict"] == "incomplete"
    assert {check["check"]: check["verdict"] for check in report["checks"]} == {
        "chain": "pass",
        "schema": "pass",
        "commitment": "pass",
        "random": "pass",
        "clocks": "pass",
        "settlement": "pass",
        "facts": "not_checked",
        "states": "not_checked",
        "components": "not_checked",
        "outcome": "not_checked",
        "signature": "not_checked",
    }


def test_the_script_names_the_check_that_fails_and_the_entry(tmp_path: Path) -> None:
    record = plain()
    data("game_settled", seed="f" * 64)(record)
    done = run(tmp_path, saved(tmp_path, chained(record)))
    assert done.returncode == 1
    assert "commitment  fail (entry 19): the opened seed is not the one committed to" in done.stdout
    assert "random      fail (entry 5)" in done.stdout
    assert done.stdout.endswith("verdict     fail\n")


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", '{"format":"stele-record/1","entries":[1.5]}', "[" * 200_000]
)
def test_the_script_fails_what_is_no_record(tmp_path: Path, text: str) -> None:
    done = run(tmp_path, saved(tmp_path, text), "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["verdict"] == "fail"


def test_the_script_can_say_what_it_found_on_any_terminal(tmp_path: Path) -> None:
    path = saved(tmp_path, '{"format":"stele-record/1","entries":[9007199254740992]}')
    command = [sys.executable, str(SCRIPT), path]
    done = subprocess.run(
        command, env={"PYTHONIOENCODING": "ascii"}, capture_output=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (1, b"")


def test_the_script_explains_itself_when_it_is_not_understood(tmp_path: Path) -> None:
    for arguments in ((), ("a", "b"), ("--loud", "a"), (str(tmp_path / "nowhere.json"),), (str(tmp_path),)):
        done = run(tmp_path, *arguments)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr


def test_the_verifier_imports_nothing_but_the_standard_library() -> None:
    imported = set()
    for node in ast.walk(ast.parse(SCRIPT.read_text())):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            imported.add(str(node.module))
    assert {name.partition(".")[0] for name in imported} <= sys.stdlib_module_names
