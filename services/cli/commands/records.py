"""`stele export`, `stele import`, `stele forget`: games as files, and names that are to be forgotten."""

from pathlib import Path

import click

from games.kernel import Refusal
from replays.audit.verify import read_record
from replays.record import write_record
from services.cli.store_access import check_game, open_store, read_file
from services.core.datadir import os_error_reason
from services.core.records import export_record, import_record_of
from services.core.settings import read_settings
from services.core.transparency_log import transparency_log_of


class CannotDo(click.ClickException):
    """What was asked for cannot be done; one line says why."""


@click.command()
@click.argument("game_id", metavar="GAME_ID")
@click.argument("file", type=click.Path(path_type=Path), required=False)
def export(game_id: str, file: Path | None) -> None:
    """Write the record of a settled game to FILE, or to the terminal.

    A record holds everything that is needed to check the game anywhere: `stele audit FILE`.
    """
    here = open_store()
    check_game(here.store, game_id)
    record = export_record(here.store, here.keys, game_id, transparency_log_of(read_settings()))
    if record["entries"][-1]["type"] != "game_settled":
        raise CannotDo(f"The game {game_id} is not settled yet: its record opens when it is.")
    if file is None:
        click.echo(write_record(record))
        return
    try:
        file.write_bytes(write_record(record))
    except OSError as problem:
        raise CannotDo(f"{file} cannot be written: {os_error_reason(problem)}.") from None
    click.echo(f"{file}: {len(record['entries'])} entries of {game_id}")


@click.command(name="import")
@click.argument("file", type=click.Path(path_type=Path))
def import_record(file: Path) -> None:
    """Keep the game of a record that was played elsewhere, if its audit finds no fault.

    The game can be looked at, replayed and audited like any other; it does not count among the results.
    """
    record = read_file(file, read_record, CannotDo)
    here = open_store()
    try:
        audit = import_record_of(here.store, here.keys, here.rulesets, record)
    except Refusal as refusal:
        raise CannotDo(refusal.message) from None
    click.echo(f"{record['game']}: {len(record['entries'])} entries kept; its audit: {audit.verdict}")


@click.command()
@click.argument("game_id", metavar="GAME_ID")
@click.argument("seat", type=click.IntRange(0))
def forget(game_id: str, seat: int) -> None:
    """Erase the name of a player for good. The log never held it, so the game can still be checked.

    Records that were exported before keep the name, and so do backups.
    """
    here = open_store()
    check_game(here.store, game_id)
    if here.store.forget(game_id, seat):
        click.echo(f"The name at seat {seat} of {game_id} is forgotten.")
    else:
        click.echo(f"No name is kept for seat {seat} of {game_id}.")
