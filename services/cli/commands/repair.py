"""`stele repair`: make the damaged files of the embedded store readable again, and say what that costs."""

from pathlib import Path

import click

from services.core.datadir import lock_data_dir
from services.core.settings import CannotStart
from services.core.store_files import (
    AOF_MANIFEST,
    FOLDER,
    Damage,
    appended_files,
    cut,
    find_damage,
    has_store_files,
    keep_copy,
    listed_files,
    write_manifest,
)


@click.command()
@click.option(
    "--data-dir", required=True, type=click.Path(path_type=Path, file_okay=False), help="Of the server."
)
@click.option("--yes", is_flag=True, help="Repair; without it, only say what is damaged.")
def repair(data_dir: Path, yes: bool) -> None:
    """Repair the store in a data directory whose server does not start.

    It copies the store's files first. Then it writes a lost manifest again and cuts off a torn or damaged tail. It names
    the games whose latest entries stood there: players who have seen more than is left are told when they come back.
    """
    if not (data_dir / FOLDER).is_dir():
        raise CannotStart(f"There is no store in {data_dir}: {FOLDER}/ is missing. Restore a backup.")
    with lock_data_dir(data_dir, "stele repair"):
        lost_manifest = has_store_files(data_dir) and not listed_files(data_dir)
        damages = [damage for file in appended_files(data_dir) if (damage := find_damage(file))]
        tell(lost_manifest, damages)
        if not lost_manifest and not damages:
            return
        if not yes:
            click.echo("Nothing was changed. Run the command again with --yes to repair it.")
            raise SystemExit(1)
        click.echo(f"Copied the files as they were to {keep_copy(data_dir)}.")
        if lost_manifest:
            write_manifest(data_dir)
        for damage in damages:
            cut(damage)
        click.echo("Repaired. Start the server, then check its games: stele audit --all.")


def tell(lost_manifest: bool, damages: list[Damage]) -> None:
    """Say what is damaged."""
    if lost_manifest:
        click.echo(f"{FOLDER}/{AOF_MANIFEST} is missing or damaged.")
    for damage in damages:
        click.echo(
            f"{damage.file.name}: the last {damage.bad:,} of {damage.good + damage.bad:,} bytes are damaged."
        )
        for game in damage.games:
            click.echo(f"  game {game}: its latest entries are lost")
        if not damage.games:
            click.echo("  no game can be read from them")
    if not lost_manifest and not damages:
        click.echo(
            "The store's files are whole as far as can be seen without starting it."
            " If it does not start, its base file is damaged: restore a backup."
        )
