"""`stele worker`: processes that project games, play bots, watch clocks and settle; or let bots think."""

import os
import sys

import click

from services.core.settings import read_settings
from services.host.supervisor import Supervisor
from services.host.up import thinkers, workers


@click.command()
@click.option(
    "-n", "number", type=click.IntRange(1, 256), default=1, show_default=True, help="How many processes."
)
@click.option(
    "--think", is_flag=True, help="Run thinkers, which let bots that search think and do nothing else."
)
def worker(number: int, think: bool) -> None:
    """Run workers alone, on the store that the settings name.

    They leave bots that search (keen, strong, master) to thinkers: run some with --think, here or on machines of
    their own, or set STELE_THINKERS=0 for the workers, who then think when nothing else waits.

    \b
    Examples:
      stele worker -n 2            project, play quick bots, settle
      stele worker -n 4 --think    let bots think
    """
    read_settings()
    programs = (thinkers if think else workers)(number, os.environ)
    sys.exit(Supervisor(None, programs, say=click.echo).run())
