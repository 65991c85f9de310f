"""`stele doctor`: checks this installation and says what is wrong and what to do."""

import os
import sys
from pathlib import Path

import click

from services.core.self_check import check_installation
from services.core.settings import read_settings, variable

SIGN_OF_STATE = {"ok": "✓", "warning": "!", "wrong": "✗"}


@click.command()
@click.option(
    "--data-dir", type=click.Path(path_type=Path, file_okay=False), help="Of the server (STELE_DATA_DIR)."
)
def doctor(data_dir: Path | None) -> None:
    """Check settings, limits, keys, files, disk, store, clock and versions, and say what to do about what is wrong.

    Exit code: 0 if nothing is wrong (a line with ! is worth a look), 1 if something is.
    """
    environ = {**os.environ} | ({variable("data_dir"): str(data_dir)} if data_dir else {})
    results = list(check_installation(read_settings(environ), environ))
    for result in results:
        click.echo(f"{SIGN_OF_STATE[result.state]} {result.name}: {result.detail}")
    sys.exit(any(result.state == "wrong" for result in results))
