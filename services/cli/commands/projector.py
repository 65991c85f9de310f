"""`stele projector`: project what is appended, and ask the workers for what is due."""

import click

from services.core.settings import read_settings
from services.worker.projector import run_projector


@click.command()
def projector() -> None:
    """Run a projector alone, on the store that the settings name.

    Several share the partitions of the store; one of them keeps house for all.
    """
    run_projector(read_settings())
