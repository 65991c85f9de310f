"""The command line without the terminal front-end (`pip install 'stele[terminal]'`), and how commands are found."""

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from services.cli import main
from services.cli.commands.play import play_command
from services.cli.commands.replay import replay
from services.cli.terminal import NotInstalled, terminal_part


@pytest.fixture
def not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the package were missing."""
    for name in [name for name in sys.modules if name.startswith("stele_terminal.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "stele_terminal", None)


@pytest.mark.usefixtures("not_installed")
def test_play_says_what_to_install_whatever_it_is_asked() -> None:
    ran = CliRunner().invoke(play_command(), ["babel", "--against", "strong"])
    assert ran.exit_code == 1
    assert "pip install 'stele[terminal]'" in ran.output


@pytest.mark.usefixtures("not_installed")
@pytest.mark.parametrize(("module", "name"), [("screen", "watch"), ("films", "print_film")])
def test_screens_and_films_need_the_terminal_front_end(module: str, name: str) -> None:
    with pytest.raises(NotInstalled, match="stele\\[terminal\\]"):
        terminal_part(module, name)


def test_a_fault_inside_the_terminal_front_end_is_not_taken_for_its_absence() -> None:
    with pytest.raises(ModuleNotFoundError):
        terminal_part("no_such_module", "anything")


def test_every_command_module_brings_its_commands() -> None:
    modules = {path.stem for path in Path("services/cli/commands").glob("[a-z]*.py")}
    brought = {
        command.callback.__module__.rpartition(".")[2]
        for command in main.commands.values()
        if command.callback
    }
    assert modules <= brought
    assert main.commands["replay"] is replay
