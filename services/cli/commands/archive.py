"""`stele archive`: move settled games from the store to the archive."""

import re
import sys

import click

from services.cli.store_access import count_of_games, open_store_ledger, progress_bar, report_outcomes
from services.core.archive import FileArchive
from services.core.archivist import SECONDS_PER_DAY, Archivist
from services.core.datadir import os_error_reason
from services.core.settings import CannotStart, archive_dir, read_settings

UNITS = {"d": SECONDS_PER_DAY, "h": 3600, "m": 60, "s": 1}


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
    archivist = Archivist(open_store_ledger(settings), FileArchive(archive_dir(settings)))
    games = archivist.due(older_than)
    if dry_run:
        for game in games:
            click.echo(game)
        click.echo(f"{count_of_games(len(games))} would be archived", err=True)
        return
    with progress_bar() as progress:
        moved = progress.track(archivist.run(games), total=len(games), description="Archiving")
        try:
            sys.exit(report_outcomes(moved, "archived", hindered="stays in the store", left="stayed"))
        except OSError as problem:
            raise CannotStart(
                f"{archive_dir(settings)} cannot be written: {os_error_reason(problem)}."
            ) from None
