"""What was measured: a table for people, and a file for comparing runs."""

import json
import statistics
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from bench.figures import Figure, rounded
from bench.machine import Outside, description
from bench.runs import Run

NOISY = 0.1
"""The share of the machine that others may use in a round before its figures are doubtful."""


class Report:
    """Gathers the figures of the suites of a run."""

    def __init__(self) -> None:
        self._suites: dict[str, dict[str, Any]] = {}
        self._table = Table(title="Stele, measured beside others in one run", title_justify="left")
        for heading in ("what", "ours", "against", "median", "worst", "aim", ""):
            self._table.add_column(heading, justify="left" if heading == "what" else "right")
        self._cpu = Table(title="Processor time for one action, µs", title_justify="left")
        for heading in ("server", "all", "of which"):
            self._cpu.add_column(heading, justify="right" if heading == "all" else "left")
        self._outside: list[Outside] = []

    def add(self, suite: str, figures: list[Figure], run: Run) -> None:
        """The figures of one suite, and what was noted beside them."""
        for figure in figures:
            self._table.add_row(*row(figure))
        self._table.add_section()
        cpu = {
            server: {program: statistics.median(rounds) for program, rounds in programs.items()}
            for server, programs in run.cpu.items()
        }
        for server, programs in cpu.items():
            self._cpu.add_row(server, f"{sum(programs.values()):,.0f}", in_parts(programs))
        self._outside += run.outside
        self._suites[suite] = {
            "at": datetime.now(UTC).isoformat(timespec="seconds"),
            "on": description(),
            "figures": [figure.as_json() for figure in figures],
            "cpu_us_per_action": {
                server: {program: rounded(value) for program, value in programs.items()}
                for server, programs in cpu.items()
            },
            "outside": [
                {name: rounded(value) for name, value in vars(outside).items()} for outside in run.outside
            ],
        }

    def show(self, console: Console) -> None:
        console.print(self._table)
        if self._cpu.row_count:
            console.print(self._cpu)
        console.print(self._noise())

    def _noise(self) -> str:
        note = "Each figure is the median of the rounds, its worst round beside it."
        if not self._outside:
            return note
        shares = [outside.others + outside.stolen for outside in self._outside]
        noisy = sum(share > NOISY for share in shares)
        note += f" Others used {statistics.median(shares):.0%} of the machine, at most {max(shares):.0%}"
        return note + (f": {noisy} of {len(shares)} rounds are doubtful, repeat them." if noisy else ".")

    def save(self, path: Path) -> None:
        """Write the suites that were measured into a file; those of earlier runs that were not stay in it."""
        before = json.loads(path.read_text()) if path.exists() else {}
        path.write_text(json.dumps(before | self._suites, indent=1, ensure_ascii=False) + "\n")


def row(figure: Figure) -> list[str]:
    value, worst = amount(figure.value), amount(figure.worst)
    if figure.most_rounds:
        value += f" ({figure.good_rounds} of {len(figure.rounds)} reach it)"
    sides = [
        f"{amount(statistics.median(side))} {figure.unit}" if side else ""
        for side in (figure.ours, figure.against)
    ]
    sign = {True: "[green]✓[/]", False: "[red]✗[/]", None: ""}[figure.good]
    aim = "" if figure.aim is None else f"{figure.direction} {figure.aim:g}"
    return [figure.name, *sides, value, worst, aim, sign]


def amount(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def in_parts(programs: dict[str, float]) -> str:
    largest_first = sorted(programs.items(), key=lambda part: -part[1])
    return ", ".join(f"{program} {value:,.0f}" for program, value in largest_first if value >= 0.5)
