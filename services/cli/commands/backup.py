"""`stele backup` and `stele restore`: all games as files, and back into an empty store."""

import sys
from pathlib import Path

import click

from projections.rebuild import Rebuild
from services.cli.reach import progress_bar, reach_ledger, tell
from services.core.backup import Backup, CannotRestore, Restore
from services.core.datadir import reason
from services.core.settings import CannotStart, read_settings


@click.command()
@click.argument("directory", type=click.Path(path_type=Path, file_okay=False))
def backup(directory: Path) -> None:
    """Copy every game to DIRECTORY, which must be empty or new, while the server runs.

    The copy holds seeds and names: keep it as safe as the server. The keys `token.key` and `signing.key` of the data
    directory are not in it; copy them as well.
    """
    if directory.exists() and any(directory.iterdir()):
        raise CannotStart(f"{directory} is not empty: name a new directory for each backup.")
    ledger = reach_ledger(read_settings())
    games = sorted(Rebuild(ledger.store, ledger.projections).survey().logs)
    with progress_bar() as progress:
        done = progress.track(
            Backup(ledger.store, directory.absolute()).run(games), len(games), description="Backing up"
        )
        try:
            sys.exit(tell(done, "backed up", hindered="is not backed up", left="not"))
        except OSError as problem:
            raise CannotStart(f"{directory} cannot be written: {reason(problem)}.") from None


@click.command()
@click.argument("directory", type=click.Path(path_type=Path, file_okay=False))
def restore(directory: Path) -> None:
    """Bring the games of a backup into a store that has none."""
    ledger = reach_ledger(read_settings())
    try:
        run = Restore(ledger.store, ledger.projections, directory)
        games = len(run.manifest.games)
        with progress_bar() as progress:
            for _ in progress.track(run.check(), games, description="Checking"):
                pass
            done = progress.track(run.run(), games, description="Restoring")
            sys.exit(tell(done, "restored", hindered="is not restored", left="not"))
    except CannotRestore as problem:
        raise CannotStart(str(problem)) from None
