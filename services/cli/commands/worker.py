"""`stele worker`: processes that project games, play bots, watch clocks and settle."""

import os
import sys

import click

from services.core.settings import read_settings
from services.host.supervisor import Supervisor
from services.host.up import workers


@click.command()
@click.option(
    "-n", "number", type=click.IntRange(1, 256), default=1, show_default=True, help="How many processes."
)
def worker(number: int) -> None:
    """Run workers alone, on the store that the settings name."""
    read_settings()
    sys.exit(Supervisor(None, workers(number, os.environ), say=click.echo).run())
