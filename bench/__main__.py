"""`make bench`: Stele as people run it, measured beside others in one run."""

import signal
import sys
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import FrameType

import click
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
)

from bench import docs
from bench.figures import Figure
from bench.node import CannotMeasure
from bench.report import Report
from bench.runs import QUICK, Run, Scale

SUITES = (
    "actions",
    "creating",
    "reading",
    "watching",
    "projecting",
    "thinking",
    "full_store",
    "store",
    "rules",
    "replays",
    "pictures",
    "page",
)
FILE_WIDTH = 130
RESULTS = Path(__file__).parent / "results.json"


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--only", "chosen", type=click.Choice(SUITES), multiple=True, help="Measure only this; may be repeated."
)
@click.option("--rounds", type=click.IntRange(1, 99), help="Alternating rounds of each figure (5).")
@click.option("--seconds", type=click.FloatRange(0.2, 60), help="Length of one measurement under load (4).")
@click.option(
    "--quick", is_flag=True, help="A short run that only shows that everything works; nothing is saved."
)
@click.option(
    "--json", "path", type=click.Path(path_type=Path), help="Where the results go (bench/results.json)."
)
@click.option(
    "--docs", "only_docs", is_flag=True, help="Measure nothing: put the results into the pages of docs/."
)
def main(
    chosen: tuple[str, ...],
    rounds: int | None,
    seconds: float | None,
    quick: bool,
    path: Path | None,
    only_docs: bool,
) -> None:
    """Measure Stele as people run it: `stele up` with its defaults, clients in node, and others beside it.

    Everything is measured in turn, round after round; ratios count. The machine should have nothing else to do:
    what others used of it is told at the end, and kept with the results.

    \b
    Examples:
      python -m bench                      everything, some fifteen minutes
      python -m bench --only actions       actions a second, p99, processor time
      python -m bench --quick              does it work?
    """
    try:
        if only_docs:
            docs.write(path or RESULTS)
        else:
            run(chosen or SUITES, rounds, seconds, quick, path)
    except CannotMeasure as problem:
        raise click.ClickException(str(problem)) from None


def run(
    suites: tuple[str, ...], rounds: int | None, seconds: float | None, quick: bool, path: Path | None
) -> None:
    """Measure, show and save; what was measured before a fault or Ctrl-C is shown and saved, too."""
    scale = QUICK if quick else Scale()
    scale = replace(scale, rounds=rounds or scale.rounds, seconds=seconds or scale.seconds)
    console = Console() if sys.stdout.isatty() else Console(width=FILE_WIDTH)
    signal.signal(signal.SIGTERM, ended)
    report = Report()
    try:
        measure(suites, scale, report, console)
    finally:
        report.show(console)
        if path or not quick:
            report.save(path or RESULTS)


def measure(suites: tuple[str, ...], scale: Scale, report: Report, console: Console) -> None:
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        for name in suites:
            suite: Callable[[Run], list[Figure]] = import_module(f"bench.suites.{name}").run
            run = Run(scale, progress)
            with run.suite(name):
                report.add(name, suite(run), run)


def ended(_number: int, _frame: FrameType | None) -> None:
    sys.exit(143)  # so that what was started is ended


if __name__ == "__main__":
    main()
