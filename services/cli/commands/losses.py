"""`stele losses`: which games the embedded store has lost entries of, as start-ups have found."""

from pathlib import Path

import click

from services.core.high_water_mark import HighWaterMark
from services.core.settings import read_settings
from services.core.store_files import TRUNCATIONS, truncations


@click.command()
@click.option(
    "--data-dir", type=click.Path(path_type=Path, file_okay=False), help="Of the server (STELE_DATA_DIR)."
)
@click.option("--acknowledge", is_flag=True, help="Report them no longer in /readyz and the metrics.")
def losses(data_dir: Path | None, acknowledge: bool) -> None:
    """List the games that have lost entries: those that a start-up of the store found to end before their mark."""
    directory = data_dir or read_settings().data_dir
    mark = HighWaterMark(directory)
    lost = mark.lost()
    for each in lost:
        click.echo(str(each))
    if cuts := truncations(directory):
        click.echo(f"The store has dropped a torn tail {cuts} times while it started.")
    if not lost and not cuts:
        click.echo("No game is known to have lost entries.")
    elif acknowledge:
        mark.acknowledge()
        (directory / TRUNCATIONS).unlink(missing_ok=True)
        click.echo("Acknowledged: /readyz and the metrics report them no longer.")
