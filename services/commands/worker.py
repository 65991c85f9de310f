"""`stele worker`: processes that project games, play bots, watch clocks and settle."""

import os
import sys
from collections.abc import Mapping

import click

from services.settings import read_settings
from services.supervisor import Child, Supervisor


@click.command()
@click.option(
    "-n", "number", type=click.IntRange(1, 256), default=1, show_default=True, help="How many processes."
)
def worker(number: int) -> None:
    """Run workers alone, on the store that the settings name."""
    read_settings()
    sys.exit(Supervisor(None, workers(number, os.environ), say=click.echo).run())


def workers(number: int, environ: Mapping[str, str]) -> list[Child]:
    """So many worker processes, for a supervisor."""
    argv = [sys.executable, "-P", "-m", "services.worker.process"]
    return [Child(f"worker {n}", argv, environ, tells="ready for work") for n in range(1, number + 1)]
