"""`make soak`: 500 games and 2,000 watchers for ten minutes, and a report. `python -m tests.soak --help`."""

import json
import signal
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from tests.docs.guarantees import record
from tests.soak.processes import Process
from tests.soak.run import Report, Size, soak


@click.command(context_settings={"show_default": True})
@click.option("--minutes", default=10.0, help="How long; at least half a minute.", type=click.FloatRange(0.5))
@click.option("--games", default=500, help="Tables that play at once.", type=click.IntRange(1))
@click.option("--watchers", default=2000, help="Watchers at once.", type=click.IntRange(1))
@click.option("--seed", default=1, help="Who plays what, and who watches which game when.")
@click.option("--json", "path", type=click.Path(path_type=Path), help="Write the whole report here.")
@click.option("--record", "recorded", is_flag=True, help="Put the figures into docs/guarantees.md.")
def main(minutes: float, games: int, watchers: int, seed: int, path: Path | None, recorded: bool) -> None:
    """Let many play and watch, ask for too much, and see whether the server stays as it was.

    Ends with 1 if a promise was broken: memory or files that grow, a stream with a gap, a refusal that says nothing.
    """
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that no server is left behind
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("starting", total=1.0)
        report = soak(
            Size(minutes, games, watchers, seed),
            lambda share, what: progress.update(task, completed=share, description=what),
        )
    faults = report.memory_faults + report.faults
    Console().print(table_of_processes(report.processes), table_of_figures(report))
    for fault in faults:
        console.print(f"[red]broken:[/] {fault}", highlight=False)
    if path:
        path.write_text(json.dumps(in_full(report, faults), indent=1))
    if recorded:
        record("soak", report.figures() | {"promises broken": str(len(faults))})
    sys.exit(1 if faults else 0)


def table_of_processes(processes: Sequence[Process]) -> Table:
    table = Table("process", "MB after warm-up", "MB in the end", "files at rest", "most files", "files left")
    for each in processes:
        most = max(sample.files for sample in each.samples)
        table.add_row(
            each.name, f"{each.first:.1f}", f"{each.last:.1f}", *map(str, (each.at_rest, most, each.left))
        )
    return table


def table_of_figures(report: Report) -> Table:
    table = Table("figure", "measured")
    for name, figure in report.figures().items():
        table.add_row(name, figure)
    return table


def in_full(report: Report, faults: list[str]) -> dict[str, object]:
    return {
        "size": asdict(report.size),
        "figures": report.figures(),
        "processes": [each._asdict() for each in report.processes],
        "statuses": report.notes.statuses,
        "floods": [asdict(flood) for flood in report.floods],
        "broken": faults,
    }


if __name__ == "__main__":
    main()
