"""`make bench`: every comparison of one run as a table of ratios. `python -m bench NAME …` runs some of them."""

import sys
from collections.abc import Callable
from importlib import import_module
from math import isnan

from rich.console import Console
from rich.table import Table

from bench.measure import Line

SUITES = ("rules", "store", "replays", "http", "watchers", "workers")


def main(chosen: list[str]) -> None:
    console = Console()
    table = Table(title="Stele, measured beside others in one run", title_justify="left")
    for heading in ("what", "ours", "against", "ratio", "aim", ""):
        table.add_column(heading, justify="left" if heading in ("what", "") else "right")
    for name in chosen or SUITES:
        run: Callable[[], list[Line]] = import_module(f"bench.{name}").run
        with console.status(f"measuring {name} …"):
            lines = run()
        for line in lines:
            ratio = "" if isnan(line.ratio) else f"{line.ratio:.2f}"
            table.add_row(
                line.name,
                line.ours,
                line.against,
                ratio,
                line.aim,
                "" if not ratio else "✓" if line.good else "✗",
            )
    console.print(table)
    console.print("Ratios count; on a busy machine repeat before you believe one.", style="dim")


if __name__ == "__main__":
    main(sys.argv[1:])
