"""Work on many games: a bar while it lasts, then how many it was done for and which it could not be."""

from collections.abc import Iterable

import click
from rich.console import Console
from rich.progress import Progress


def progress_bar() -> Progress:
    """A bar for people at a terminal; what goes to a file is not disturbed by it."""
    console = Console(stderr=True)
    return Progress(console=console, transient=True, disable=not console.is_terminal)


def tell(done: Iterable[tuple[str, str | None]], did: str, *, hindered: str, left: str) -> int:
    """Say how many games it was done for (`did`), and which are `left` for what problem; the exit code."""
    games = problems = 0
    for game, problem in done:
        games += 1
        if problem is not None:
            problems += 1
            click.echo(f"{game} {hindered}: {problem}", err=True)
    click.echo(f"{counted(games - problems)} {did}" + (f", {problems} {left}" if problems else ""))
    return 1 if problems else 0


def counted(games: int) -> str:
    return f"{games} {'game' if games == 1 else 'games'}"
