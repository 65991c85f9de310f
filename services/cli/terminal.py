"""Optional parts of the command line that the package `stele-terminal` brings (`clients/terminal`)."""

from importlib import import_module
from importlib.util import find_spec
from typing import Any

import click

PACKAGE = "stele_terminal"


class NotInstalled(click.ClickException):
    """A command needs the terminal front-end, which is not installed."""

    def __init__(self) -> None:
        super().__init__("This needs the terminal front-end. Install it: pip install 'stele[terminal]'")


def terminal_part(module: str, name: str) -> Any:
    """A function or command of the terminal front-end, or `NotInstalled`."""
    if find_spec(PACKAGE) is None:
        raise NotInstalled
    return getattr(import_module(f"{PACKAGE}.{module}"), name)
