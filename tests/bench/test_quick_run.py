"""The benchmark itself: a short run of everything, with real servers, and an end in the middle."""

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

from bench import docs
from bench.__main__ import RESULTS, SUITES
from bench.machine import descendants, processes
from tests.servers import is_running, wait_until

ROOT = Path(__file__).parent.parent.parent
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
    "full_store": ["an action with 200 games in the store ÷ with 10"],
    "store": ["append()/s ÷ bare EVALSHA (appendfsync always)"],
    "rules": ["babel: facts/s folded ÷ python-chess' moves/s"],
    "replays": [
        "babel: a game of 111 entries in the store",
        "babel: a game of 111 entries archived: the file",
    ],
}


def test_a_quick_run_gives_every_figure(tmp_path: Path) -> None:
    file = tmp_path / "results.json"
    command = [sys.executable, "-m", "bench", "--quick", "--json", str(file)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=280, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(file.read_text())
    assert found.keys() == set(SUITES)
    for suite, names in FIGURES.items():
        figures = {figure["name"]: figure for figure in found[suite]["figures"]}
        assert figures.keys() >= set(names)
        assert all(figure["value"] > 0 for figure in figures.values() if figure["unit"] != "s")
        assert found[suite]["outside"]
    cpu = found["actions"]["cpu_us_per_action"]
    assert cpu["stele"].keys() >= {"api", "store", "worker", "dispatcher"}
    assert cpu["loop floor"].keys() >= {"floor", "store"}
    pages_take_the_results(file, tmp_path)


def pages_take_the_results(file: Path, directory: Path) -> None:
    for page in ("performance.md", "scaling.md"):
        (directory / page).write_text((ROOT / "docs" / page).read_text())
    docs.write(file, directory)
    performance = (directory / "performance.md").read_text()
    assert all(f"| {name} |" in performance for names in FIGURES.values() for name in names)
    assert "a core carries" in (directory / "scaling.md").read_text()
    assert page_tables(directory) == docs.tables(file)


def test_the_pages_tell_what_the_results_tell() -> None:
    if not RESULTS.exists():
        assert not any(page_tables(ROOT / "docs").values())
    else:
        assert page_tables(ROOT / "docs") == docs.tables(RESULTS)


def page_tables(directory: Path) -> dict[str, str]:
    """What stands in the pages' places for tables."""
    pages = "".join((directory / page).read_text() for page in ("performance.md", "scaling.md"))
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
