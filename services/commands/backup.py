"""`stele backup` and `stele restore`: all games as files, and back into an empty store."""

import sys
from collections.abc import Iterable
from pathlib import Path

import click
from rich.console import Console
from rich.progress import Progress

from projections.rebuild import Rebuild
from services.backup import Backup, CannotRestore, Done, Restore
from services.commands.archive import counted
from services.commands.reach import known_rulesets
from services.connections import open_ledger
from services.datadir import reason
from services.settings import CannotStart, read_settings


@click.command()
@click.argument("directory", type=click.Path(path_type=Path, file_okay=False))
def backup(directory: Path) -> None:
    """Copy every game to DIRECTORY, which must be empty or new, while the server runs.

    The copy holds seeds and names: keep it as safe as the server. The keys `token.key` and `signing.key` of the data
    directory are not in it; copy them as well.
    """
    if directory.exists() and any(directory.iterdir()):
        raise CannotStart(f"{directory} is not empty: name a new directory for each backup.")
    ledger = open_ledger(read_settings(), known_rulesets())
    games = sorted(Rebuild(ledger.store, ledger.projections).survey().logs)
    with progress_bar() as progress:
        done = progress.track(
            Backup(ledger.store, directory.absolute()).run(games), len(games), description="Backing up"
        )
        try:
            sys.exit(tell(done, "backed up"))
        except OSError as problem:
            raise CannotStart(f"{directory} cannot be written: {reason(problem)}.") from None


@click.command()
@click.argument("directory", type=click.Path(path_type=Path, file_okay=False))
def restore(directory: Path) -> None:
    """Bring the games of a backup into a store that has none."""
    ledger = open_ledger(read_settings(), known_rulesets())
    try:
        run = Restore(ledger.store, ledger.projections, directory)
        games = len(run.manifest.games)
        with progress_bar() as progress:
            for _ in progress.track(run.check(), games, description="Checking"):
                pass
            sys.exit(tell(progress.track(run.run(), games, description="Restoring"), "restored"))
    except CannotRestore as problem:
        raise CannotStart(str(problem)) from None


def progress_bar() -> Progress:
    console = Console(stderr=True)
    return Progress(console=console, transient=True, disable=not console.is_terminal)


def tell(done: Iterable[Done], what: str) -> int:
    """Say how many games it was, and which it could not be; the exit code."""
    games = missing = 0
    for game, problem in done:
        games += 1
        if problem is not None:
            missing += 1
            click.echo(f"{game} is not {what}: {problem}", err=True)
    click.echo(f"{counted(games - missing)} {what}" + (f", {missing} not" if missing else ""))
    return 1 if missing else 0
