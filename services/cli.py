"""`stele` on the command line: a thin group, its commands are in `services.commands`."""

import click

from services.commands.selfplay import selfplay


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(package_name="stele")
def main() -> None:
    """Stele, a board-game server where the log is the truth: every move carved in stone.

    `stele COMMAND --help` explains a command.
    """


main.add_command(selfplay)
