"""A new command is one module: the page about the architecture shows one, and this adds it."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from services.cli import commands
from services.cli.entry import add_commands, main

ROOT = Path(__file__).parents[2]
ARCHITECTURE = ROOT / "docs/architecture.md"
RECORD = ROOT / "tests/golden/aton/total_clock.json"


@pytest.fixture
def _new_module(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The package of the commands, with the new module of the page in it."""
    diff = re.search(
        r"```diff\n--- /dev/null\n\+\+\+ services/cli/commands/(\S+)\n(.*?)```",
        ARCHITECTURE.read_text(),
        re.S,
    )
    assert diff
    added = "\n".join(line.removeprefix("+") for line in diff[2].splitlines())
    (tmp_path / diff[1]).write_text(added, encoding="utf-8")
    monkeypatch.setattr(commands, "__path__", [*commands.__path__, str(tmp_path)])


@pytest.mark.usefixtures("_new_module")
def test_the_new_command_of_the_page_is_all_that_a_command_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(main, "commands", dict(main.commands))
    add_commands()
    run = CliRunner().invoke(main, ["version-of", str(RECORD)])
    assert run.exit_code == 0, run.output
    assert int(run.output) > 10
    assert "Print the version of the game" in CliRunner().invoke(main, ["--help"]).output
