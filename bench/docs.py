"""The tables of docs/performance.md and docs/scaling.md, as bench/results.json has them: `python -m bench --docs`."""

import json
import re
import statistics
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from bench.node import CannotMeasure
from bench.report import amount, in_parts

DOCS = Path(__file__).parent.parent / "docs"
Results = Mapping[str, Any]
SECONDS_BETWEEN = 10
"""Between two actions of a player who plays quickly."""


def write(results: Path, docs: Path = DOCS) -> None:
    """Put every table into its place."""
    for name, table in tables(results).items():
        page = docs / name.partition(":")[0]
        page.write_text(with_table(page.read_text(), name, table))


def tables(results: Path) -> dict[str, str]:
    """The tables by the names of their places."""
    measured = json.loads(results.read_text()) if results.exists() else {}
    try:
        return {name: "\n".join(make(measured)) for name, make in TABLES.items()}
    except KeyError as missing:
        raise CannotMeasure(f"{results} has no results of {missing}: run `make bench` first.") from None


def with_table(page: str, name: str, table: str) -> str:
    """A page with this table between its marks."""
    return re.sub(
        f"(<!-- {name} -->\n).*?(<!-- end -->)", lambda mark: f"{mark[1]}{table}\n{mark[2]}", page, flags=re.S
    )


def figures(measured: Results) -> Iterator[str]:
    """Every figure, with its aim."""
    yield "| figure | ours | against | median | worst round | aim | |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for suite in measured.values():
        for each in suite["figures"]:
            sides = [
                f"{amount(statistics.median(each[side]))} {each['unit']}".strip() if each[side] else ""
                for side in ("ours", "against")
            ]
            sign = {True: "✓", False: "✗", None: ""}[each["good"]]
            cells = [
                each["name"],
                *sides,
                amount(each["value"]),
                amount(each["worst"]),
                each["aim"] or "",
                sign,
            ]
            yield f"| {' | '.join(cells)} |"


def processor_time(measured: Results) -> Iterator[str]:
    """What one action costs, by program."""
    yield "| server | µs for one action | of which |"
    yield "| --- | --- | --- |"
    for suite in measured.values():
        for server, programs in suite["cpu_us_per_action"].items():
            yield f"| {server} | {sum(programs.values()):,.0f} | {in_parts(programs)} |"


def machine(measured: Results) -> Iterator[str]:
    """On what it was measured, suite by suite."""
    yield "| suite | measured at | commit | machine | others used, median and most |"
    yield "| --- | --- | --- | --- | --- |"
    for name, suite in measured.items():
        on = suite["on"]
        shares = [outside["others"] + outside["stolen"] for outside in suite["outside"]]
        others = f"{statistics.median(shares):.0%}, {max(shares):.0%}" if shares else ""
        yield f"| {name} | {suite['at']} | {on['commit']} | {on['cores']} × {on['processor']} | {others} |"


def scaling(measured: Results) -> Iterator[str]:
    """What a core, a gigabyte and a disk hold."""
    cpu = sum(measured["actions"]["cpu_us_per_action"]["stele"].values())
    created = sum(measured["creating"]["cpu_us_per_action"]["stele, a game created"].values())
    stored, file = (weight(measured, where) for where in ("in the store", "archived: the file"))
    yield "| | measured | so that |"
    yield "| --- | --- | --- |"
    actions = 1e6 / cpu
    players = f"{actions * SECONDS_BETWEEN:,.0f} players who act every {SECONDS_BETWEEN} s"
    yield f"| an action, all processes | {cpu:,.0f} µs of a core | a core carries {actions:,.0f} actions/s, {players} |"
    yield f"| a game created | {created:,.0f} µs of a core | a core creates {1e6 / created:,.0f} games/s |"
    yield f"| a whole game of Babel in the store | {stored:.1f} KiB | a GiB of memory holds {2**20 / stored:,.0f} |"
    yield f"| the same in the archive | {file:.1f} KiB | 100 GiB of disk hold {100 * 2**20 / file / 1e6:.1f} million |"


def weight(measured: Results, where: str) -> float:
    """KiB of a whole game of Babel."""
    figures = measured["replays"]["figures"]
    return next(
        float(each["value"]) for each in figures if re.fullmatch(f"babel: .* entries {where}", each["name"])
    )


TABLES: Mapping[str, Callable[[Results], Iterator[str]]] = {
    "performance.md: figures": figures,
    "performance.md: processor time": processor_time,
    "performance.md: machine": machine,
    "scaling.md: one core": scaling,
}
