"""The benchmark itself: a short run of everything, with real servers, and an end in the middle."""

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from rich.progress import Progress

from bench import docs
from bench.__main__ import RESULTS, SUITES
from bench.figures import Figure
from bench.machine import descendants, processes
from bench.report import Report
from bench.runs import QUICK, Run
from tests.seeding import rotated
from tests.servers import is_running, wait_until

ROOT = Path(__file__).parent.parent.parent
PAGES = ("performance.md", "scaling.md")
FIGURES = {
    "actions": [
        "actions/s ÷ boardgame.io",
        "actions/s, lists of up to 5 ÷ boardgame.io",
        "p99 of an action ÷ boardgame.io",
        "CPU for one action, all processes ÷ loop floor with its store",
    ],
    "creating": ["games created/s ÷ boardgame.io"],
    "reading": [
        "a state read at 120 entries ÷ at 20",
        "a state read at 120 entries: boardgame.io's ÷ ours",
        "reads/s of a game, never stale ÷ loop floor with one store read",
    ],
    "watching": ["p99 of an action with 20 watchers ÷ with none"],
    "projecting": [
        "entries projected in 1.5 s ÷ appended, 24 games",
        "longest lag of projections, 24 games",
    ],
    "thinking": [
        "2 strong games at once: the wait for a bot, median",
        "2 strong games at once: the longest wait of all rounds",
        "2 strong games at once: the longest for a greedy bot beside them",
    ],
    "full_store": ["an action with 200 games in the store ÷ with 10"],
    "store": ["append()/s ÷ bare EVALSHA (appendfsync always)"],
    "rules": ["babel: facts/s folded ÷ python-chess' moves/s"],
    "replays": [
        "babel: a game of 111 entries in the store",
        "babel: a game of 111 entries archived: the file",
    ],
    "page": [
        "page: a click is answered, p95, server busy",
        "page: a first visit weighs",
    ],
    "pictures": ["babel: drawing its fullest board", "babel: its picture"],
}


QUICKEST = ("actions", "creating")
"""Suites of which `make test` runs one: those by which people compare. `make test-all` runs every suite."""


@pytest.mark.parametrize(
    "suite",
    [
        *rotated(QUICKEST),
        *(pytest.param(each, marks=pytest.mark.long) for each in SUITES if each not in QUICKEST),
    ],
)
def test_a_quick_run_gives_every_figure(suite: str, tmp_path: Path) -> None:
    file = tmp_path / "results.json"
    command = [sys.executable, "-m", "bench", "--quick", "--only", suite, "--json", str(file)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=280, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    measured = json.loads(file.read_text())[suite]
    figures = {figure["name"]: figure for figure in measured["figures"]}
    assert figures.keys() >= set(FIGURES[suite])
    assert all(figure["value"] > 0 for figure in figures.values() if figure["unit"] != "s")
    assert measured["outside"]
    if suite == "actions":
        cpu = measured["cpu_us_per_action"]
        assert cpu["stele"].keys() >= {"api", "store", "worker", "projector"}
        assert cpu["loop floor"].keys() >= {"floor", "store"}


def test_the_pages_take_the_results(tmp_path: Path) -> None:
    file = tmp_path / "results.json"
    report = Report()
    for suite, names in FIGURES.items():
        run = Run(QUICK, Progress(disable=True))
        run.note_cpu(
            "stele, a game created" if suite == "creating" else "stele", {"api": 400.0, "store": 100.0}
        )
        report.add(suite, [Figure(name, [32.0], "KiB", aim=72.0, direction="≤") for name in names], run)
    report.save(file)
    for page in PAGES:
        (tmp_path / page).write_text((ROOT / "docs" / page).read_text())
    docs.write(file, tmp_path)
    tables = page_tables(tmp_path)
    places = ("performance.md: figures", "performance.md: processor time", "scaling.md: one core")
    figures, processor_time, scaling = (tables[place] for place in places)
    assert all(
        f"| {name} | 32.0 KiB |  | 32.0 | 32.0 | ≤ 72 | ✓ |" in figures
        for names in FIGURES.values()
        for name in names
    )
    assert "| stele | 500 | api 400, store 100 |" in processor_time
    assert "a core carries 2,000 actions/s, 20,000 players who act every 10 s" in scaling
    assert "a GiB of memory holds 32,768" in scaling


def test_the_pages_tell_what_the_results_tell() -> None:
    if not RESULTS.exists():
        assert not any(page_tables(ROOT / "docs").values())
    else:
        assert page_tables(ROOT / "docs") == docs.tables(RESULTS)


def page_tables(directory: Path) -> dict[str, str]:
    """What stands in the pages' places for tables."""
    pages = "".join((directory / page).read_text() for page in PAGES)
    return {
        name: table.strip()
        for name, table in re.findall(r"<!-- (\w+\.md: .*?) -->\n(.*?)<!-- end -->", pages, re.S)
    }


def test_ctrl_c_in_the_middle_leaves_nothing_behind() -> None:
    command = [sys.executable, "-m", "bench", "--quick", "--only", "creating", "--rounds", "99"]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: len(started(process.pid)) >= 8, "its servers", patience=90)
        time.sleep(0.5)
        pids = started(process.pid)
        process.send_signal(signal.SIGINT)
        process.wait(60)
        assert process.returncode != 0
        wait_until(lambda: not any(map(is_running, pids)), "everything to be gone")
    finally:
        process.kill()
        process.wait()


def started(pid: int) -> list[int]:
    """A process and all that it started."""
    return [each.pid for each in descendants(pid, processes())]
