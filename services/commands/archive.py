"""`stele archive`: move settled games from the store to the archive."""

import re
import sys
from collections.abc import Iterable

import click
from rich.console import Console
from rich.progress import Progress

from services.archive import FileArchive
from services.archiving import DAY, Archivist, Moved
from services.commands.reach import known_rulesets
from services.connections import open_ledger
from services.datadir import reason
from services.settings import CannotStart, archive_dir, read_settings

UNITS = {"d": DAY, "h": 3600, "m": 60, "s": 1}


def duration(_context: click.Context, _parameter: click.Parameter, written: str) -> int:
    """A length of time like 30d, in seconds."""
    read = re.fullmatch(r"([0-9]{1,9})([dhms])", written)
    if not read:
        raise click.BadParameter("a whole number of days, hours, minutes or seconds: 30d, 12h, 5m, 0s.")
    return int(read[1]) * UNITS[read[2]]


@click.command()
@click.option(
    "--older-than",
    default="30d",
    show_default=True,
    callback=duration,
    metavar="AGE",
    help="Archive games that were settled at least so long ago: 30d, 12h.",
)
@click.option("--dry-run", is_flag=True, help="Only name the games that would be archived.")
def archive(older_than: int, dry_run: bool) -> None:
    """Move settled games from the store to files (STELE_ARCHIVE_DIR), while the server runs.

    They are served as before. Each is written, read back and audited before it leaves the store; one that does not
    audit clean stays there. Names of players stay in the store, where `stele forget` reaches them.
    """
    settings = read_settings()
    archivist = Archivist(open_ledger(settings, known_rulesets()), FileArchive(archive_dir(settings)))
    games = archivist.due(older_than)
    if dry_run:
        for game in games:
            click.echo(game)
        click.echo(f"{counted(len(games))} would be archived", err=True)
        return
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        moved = progress.track(archivist.run(games), total=len(games), description="Archiving")
        try:
            sys.exit(tell(moved))
        except OSError as problem:
            raise CannotStart(f"{archive_dir(settings)} cannot be written: {reason(problem)}.") from None


def tell(moved: Iterable[Moved]) -> int:
    """Say how many games were archived, and which had to stay; the exit code."""
    games = stayed = 0
    for game, problem in moved:
        games += 1
        if problem is not None:
            stayed += 1
            click.echo(f"{game} stays in the store: {problem}", err=True)
    click.echo(f"{counted(games - stayed)} archived" + (f", {stayed} stayed" if stayed else ""))
    return 1 if stayed else 0


def counted(games: int) -> str:
    return f"{games} {'game' if games == 1 else 'games'}"
