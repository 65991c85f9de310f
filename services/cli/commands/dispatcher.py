"""`stele dispatcher`: follow the feeds of appends and enqueue jobs."""

import click

from services.core.settings import read_settings
from services.worker.dispatcher import dispatch


@click.command()
def dispatcher() -> None:
    """Run the dispatcher alone, on the store that the settings name.

    It hears of what is appended and has workers told; one is enough, two do no harm.
    """
    dispatch(read_settings())
