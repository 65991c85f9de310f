"""`stele jobs`: what waits, what failed, which games are stuck."""

import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

import click
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from projections.health import backlog, projection_lag
from projections.store import ProjectionStore
from services.cli.store_access import explain_unavailable, open_store_ledger
from services.core.connections import connect_queue
from services.core.settings import read_settings
from services.worker.queue import Failure, WorkQueue

MAX_FAILURES_SHOWN = 20


@click.command()
def jobs() -> None:
    """Tell what waits for the workers, what failed, and which games are stuck."""
    settings = read_settings()
    projections = open_store_ledger(settings).projections
    with explain_unavailable():
        queue = WorkQueue(connect_queue(settings))
    console = Console()
    console.print(numbers(projections, queue))
    show_failures(queue.failures(MAX_FAILURES_SHOWN), console)
    show_stuck(projections.stuck(), console)


def numbers(projections: ProjectionStore, queue: WorkQueue) -> Table:
    """How much waits, in numbers."""
    waiting = backlog(projections.client)
    table = Table(box=SIMPLE_HEAD, show_header=False)
    table.add_column(justify="right")
    table.add_column()
    for name, count in queue.waiting().items():
        table.add_row(str(count), f"jobs wait in {name}")
    table.add_row(str(waiting.dirty), "games are behind their logs")
    table.add_row(
        f"{projection_lag(projections, time.time()):.1f} s", "is how far the one behind longest is behind"
    )
    table.add_row(str(waiting.owed), "games wait for a worker")
    table.add_row(str(waiting.stuck), "games are stuck")
    table.add_row(str(waiting.failed_audits), "games were settled with a failed audit")
    return table


def show_failures(failures: Sequence[Failure], console: Console) -> None:
    """Jobs that failed as a whole. What they were about is done by others; here is why they failed."""
    if not failures:
        return
    table = Table("job", "age", "reason", title="Failed jobs", title_justify="left", box=SIMPLE_HEAD)
    for failure in failures:
        age = datetime.now(UTC) - failure.when
        table.add_row(failure.job, f"{age.total_seconds():.0f} s", escape(failure.reason))
    console.print(table)


def show_stuck(stuck: Mapping[str, str], console: Console) -> None:
    """Games that cannot go on; each is tried again once a minute."""
    if not stuck:
        return
    table = Table("game", "reason", title="Stuck games", title_justify="left", box=SIMPLE_HEAD)
    for game, reason in sorted(stuck.items())[:MAX_FAILURES_SHOWN]:
        table.add_row(game, escape(reason))
    console.print(table)
