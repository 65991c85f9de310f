"""`stele backup` and `stele restore`: all games as files, and back into an empty store."""

import sys
from pathlib import Path

import click

from projections.rebuild import Rebuild
from services.cli.store_access import open_store_ledger, progress_bar, report_outcomes
from services.core.backup import Backup, CannotRestore, Restore
from services.core.datadir import os_error_reason
from services.core.settings import CannotStart, read_settings
from services.core.signing import log_identity
from services.core.transparency_log import transparency_log_of


@click.command()
@click.argument("directory", type=click.Path(path_type=Path, file_okay=False))
def backup(directory: Path) -> None:
    """Copy every game to DIRECTORY, which must be empty or new, while the server runs.

    The copy holds seeds and names: keep it as safe as the server. The keys `token.key`, `signing.key` and `log.key` of
    the data directory are not in it; copy them as well.
    """
    if directory.exists() and any(directory.iterdir()):
        raise CannotStart(f"{directory} is not empty: name a new directory for each backup.")
    settings = read_settings()
    ledger = open_store_ledger(settings)
    log = transparency_log_of(settings)
    games = sorted(Rebuild(ledger.store, ledger.projections).survey().logs)
    with progress_bar() as progress:
        done = progress.track(
            Backup(ledger.store, directory.absolute(), log).run(games), len(games), description="Backing up"
        )
        try:
            sys.exit(report_outcomes(done, "backed up", hindered="is not backed up", left="not"))
        except OSError as problem:
            raise CannotStart(f"{directory} cannot be written: {os_error_reason(problem)}.") from None


@click.command()
@click.argument("directory", type=click.Path(path_type=Path, file_okay=False))
def restore(directory: Path) -> None:
    """Bring the games of a backup into a store that has none.

    What the transparency log has published since the backup is rolled back then: a successor of it begins.
    """
    settings = read_settings()
    ledger = open_store_ledger(settings)
    log = transparency_log_of(settings)
    try:
        identity = log_identity(settings) if log else None
        run = Restore(ledger.store, ledger.projections, directory, log, identity)
        games = len(run.manifest.games)
        with progress_bar() as progress:
            for _ in progress.track(run.check(), games, description="Checking"):
                pass
            done = progress.track(run.run(), games, description="Restoring")
            exit_code = report_outcomes(done, "restored", hindered="is not restored", left="not")
        if run.successor:
            click.echo(
                f"The transparency log was rolled back: {run.successor} succeeds it. Witnesses and returning browsers"
                " will report this; say why."
            )
        sys.exit(exit_code)
    except CannotRestore as problem:
        raise CannotStart(str(problem)) from None
