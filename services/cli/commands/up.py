"""`stele up`: the store, the API and the workers in one terminal, started and stopped together."""

import os
import sys
from pathlib import Path

import click

from services.core.settings import read_settings, unknown_variables, variable
from services.host.up import run


@click.command()
@click.option("--host", help="Address to listen on (STELE_HOST).")
@click.option("--port", type=int, help="Port to listen on (STELE_PORT).")
@click.option(
    "--data-dir", type=click.Path(path_type=Path), help="Where games and secrets are kept (STELE_DATA_DIR)."
)
@click.option("--workers", type=int, help="Number of worker processes (STELE_WORKERS).")
@click.option("--thinkers", type=int, help="Number of processes in which bots think (STELE_THINKERS).")
@click.option(
    "--start-empty", is_flag=True, help="Begin with no games beside existing keys, as before a restore."
)
def up(start_empty: bool, **flags: object) -> None:
    """Run Stele: the store, the API and the workers, in this terminal. Ctrl-C stops them all.

    With nothing set, games are kept by a store of its own in the data directory; STELE_STORE_URL names another.
    `stele settings` lists what can be set.
    """
    from_flags = {variable(name): str(value) for name, value in flags.items() if value is not None}
    environ = {**os.environ, **from_flags}
    settings = read_settings(environ)
    for name in unknown_variables(environ):
        click.echo(f"! {name} is set, but there is no such setting (see `stele settings`)")
    sys.exit(run(settings, environ, start_empty=start_empty))
