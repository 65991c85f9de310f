"""`make fuzz`: fuzz everything for an hour, and say what was found."""

import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from tests.api.live import live_api
from tests.docs.guarantees import record
from tests.fuzz.fuzzers import FUZZERS, Attempt, door
from tests.fuzz.running import Failure, run
from tests.servers import running_valkey

SLICE = 10.0
"""Seconds for which one is fuzzed before it is another's turn."""


@click.command()
@click.option("--seconds", default=3600.0, show_default=True, help="For how long.")
@click.option("--first", default=0, help="The number of the first attempt: the same numbers try the same.")
@click.option("--record", "recorded", is_flag=True, help="Put the figures into docs/guarantees.md.")
def main(seconds: float, first: int, recorded: bool) -> None:
    """Send rubbish to rules, readers and the front; whatever is not answered or refused clearly is told at the end."""
    console = Console()
    with (
        running_valkey() as valkey,
        tempfile.TemporaryDirectory() as directory,
        live_api(valkey.url, Path(directory)) as port,
    ):
        attempts, failures = fuzz({**FUZZERS, "door": door(port)}, seconds, first, console)
    for name, failure in failures:
        console.print(f"[red]{name} {failure.number}[/]: {failure.error!r}")
    if recorded:
        record("fuzz", {"time": f"{seconds / 60:g} min"} | figures(attempts, failures))
    sys.exit(1 if failures else 0)


def figures(attempts: dict[str, int], failures: list[tuple[str, Failure]]) -> dict[str, str]:
    """What each fuzzer has tried, and how often it succeeded in breaking something."""
    broken = Counter(name for name, _ in failures)
    return {
        f"{name}: {(fuzzer.__doc__ or name).splitlines()[0]}": f"{attempts[name]:,} attempts, {broken[name]} failures"
        for name, fuzzer in {**FUZZERS, "door": door}.items()
    }


def fuzz(
    fuzzers: dict[str, Attempt], seconds: float, first: int, console: Console
) -> tuple[dict[str, int], list[tuple[str, Failure]]]:
    """Fuzz each in turn until the time is over: how many attempts each has made, and what failed."""
    failures: list[tuple[str, Failure]] = []
    numbers = dict.fromkeys(fuzzers, first)
    begun = time.monotonic()
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console) as progress:
        task = progress.add_task("fuzzing", total=seconds)
        while (gone := time.monotonic() - begun) < seconds:
            for name, attempt in fuzzers.items():
                ran = run(name, attempt, min(SLICE, seconds / len(fuzzers)), numbers[name], 20)
                numbers[name] += ran.attempts
                failures += [(name, failure) for failure in ran.failures]
            made = ", ".join(f"{name} {number - first:,}" for name, number in numbers.items())
            progress.update(task, completed=gone, description=f"{made}; {len(failures)} failures")
    console.print(f"Attempts: {made}. Failures: {len(failures)}.")
    return {name: number - first for name, number in numbers.items()}, failures


if __name__ == "__main__":
    main()
