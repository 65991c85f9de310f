"""`stele` on the command line. Every click command of a module in `services.cli.commands` belongs to it."""

from importlib import import_module
from pkgutil import iter_modules

import click

from services.cli import commands


@click.group(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    epilog="`stele COMMAND --help` explains a command. `stele up` is where to begin; then open http://127.0.0.1:8000.",
)
@click.version_option(package_name="stele")
def main() -> None:
    """Stele, a board-game server where the log is the truth: every move carved in stone.

    Players act over HTTP, each action is one entry of the game's log, and a finished game can be replayed and audited
    by anyone, to the last shuffle.
    """


def add_commands() -> None:
    """Find every command in the package of the commands."""
    for found in iter_modules(commands.__path__):
        module = import_module(f"{commands.__name__}.{found.name}")
        for command in vars(module).values():
            if isinstance(command, click.Command):
                main.add_command(command)


add_commands()
