"""`stele backup` and `stele restore`: all games as files, and back into an empty store."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import click

from projections.rebuild import Rebuild
from services.cli.store_access import open_store_ledger, progress_bar, report_outcomes
from services.core.backup import Backup, CannotRestore, Restore
from services.core.datadir import os_error_reason
from services.core.key_backup import read_keys, read_passphrase, restore_keys, write_keys
from services.core.settings import CannotStart, Settings, read_settings
from services.core.signing import log_identity
from services.core.transparency_log import transparency_log_of


def passphrase_option(about: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The option that names the file of the passphrase."""
    return click.option(
        "--passphrase-file",
        type=click.Path(path_type=Path, dir_okay=False, exists=True),
        metavar="FILE",
        help=about,
    )


@click.command()
@click.argument("directory", type=click.Path(path_type=Path, file_okay=False))
@passphrase_option("Also copy the keys, encrypted with the passphrase in FILE (at least 12 characters).")
def backup(directory: Path, passphrase_file: Path | None) -> None:
    """Copy every game to DIRECTORY, which must be empty or new, while the server runs.

    The copy holds seeds and names: keep it as safe as the server. With --passphrase-file it also holds the server's
    keys, encrypted; without them a restored server voids every seat's token.
    """
    if directory.exists() and any(directory.iterdir()):
        raise CannotStart(f"{directory} is not empty: name a new directory for each backup.")
    settings = read_settings()
    with cannot_start():
        passphrase = read_passphrase(passphrase_file) if passphrase_file else None
    ledger = open_store_ledger(settings)
    log = transparency_log_of(settings)
    games = sorted(Rebuild(ledger.store, ledger.projections).survey().logs)
    with progress_bar() as progress:
        done = progress.track(
            Backup(ledger.store, directory.absolute(), log).run(games), len(games), description="Backing up"
        )
        try:
            exit_code = report_outcomes(done, "backed up", hindered="is not backed up", left="not")
            if passphrase:
                names = write_keys(settings, directory.absolute(), passphrase)
                click.echo(f"Keys, encrypted: {', '.join(names)}.")
            sys.exit(exit_code)
        except OSError as problem:
            raise CannotStart(f"{directory} cannot be written: {os_error_reason(problem)}.") from None


@click.command()
@click.argument("directory", type=click.Path(path_type=Path, file_okay=False))
@passphrase_option("Also restore the keys of the backup, which the passphrase in FILE opens.")
@click.option(
    "--keys-only", is_flag=True, help="Restore the keys alone: before the server starts on a new machine."
)
def restore(directory: Path, passphrase_file: Path | None, keys_only: bool) -> None:
    """Bring the games of a backup into a store that has none.

    \b
    On a new machine:
      stele restore COPY --passphrase-file FILE --keys-only
      stele up --start-empty         (in another terminal)
      stele restore COPY

    What the transparency log has published since the backup is rolled back then: a successor of it begins.
    """
    settings = read_settings()
    if keys_only and not passphrase_file:
        raise click.UsageError("--keys-only needs --passphrase-file.")
    with cannot_start():
        if passphrase_file:
            restore_keys(read_keys(directory, read_passphrase(passphrase_file)), settings.data_dir)
            click.echo(f"The keys are in {settings.data_dir}.")
    if not keys_only:
        restore_games(settings, directory)


def restore_games(settings: Settings, directory: Path) -> NoReturn:
    ledger = open_store_ledger(settings)
    log = transparency_log_of(settings)
    with cannot_start():
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


@contextmanager
def cannot_start() -> Iterator[None]:
    """Say why nothing is restored."""
    try:
        yield
    except CannotRestore as problem:
        raise CannotStart(str(problem)) from None
