"""`stele play`: a game at the terminal, if the terminal front-end is installed."""

from typing import cast

import click

from services.cli.terminal import NotInstalled, terminal_part


def play_command() -> click.Command:
    """The command of the terminal front-end; without it, one that says how to install it."""
    try:
        return cast(click.Command, terminal_part("play", "play"))
    except NotInstalled as missing:
        return missing_command(missing)


def missing_command(missing: NotInstalled) -> click.Command:
    """A stand-in for `stele play` that takes any arguments and says what to install."""

    @click.command("play", context_settings={"ignore_unknown_options": True})
    @click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
    def play_stub(arguments: tuple[str, ...]) -> None:
        """Play a game in the terminal (needs `pip install 'stele[terminal]'`)."""
        raise missing

    return play_stub


play = play_command()
