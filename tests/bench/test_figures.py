"""What the benchmark makes of its rounds, and what it keeps."""

import json
import os
import subprocess
import sys
import time
from functools import partial
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from bench.figures import Figure, rates
from bench.machine import Outside, Watch, used_by, used_by_name
from bench.report import Report
from bench.runs import QUICK, Run
from tests.servers import running_valkey


def test_a_ratio_is_the_median_of_the_rounds_ratios_and_tells_its_worst() -> None:
    figure = Figure("actions", [10, 40, 90], "/s", [10, 20, 30], aim=2.0)
    assert (figure.value, figure.worst, figure.good) == (2.0, 1.0, True)


def test_where_less_is_better_the_worst_round_is_the_largest() -> None:
    figure = Figure("p99", [10, 40, 90], "ms", [10, 20, 30], aim=1.5, direction="≤")
    assert (figure.value, figure.worst, figure.good) == (2.0, 3.0, False)


def test_an_aim_for_most_rounds_is_reached_by_four_of_five_and_not_by_three() -> None:
    four = Figure("p99", [1.0, 1.1, 1.5, 1.2, 9.0], "", aim=1.5, direction="≤", most_rounds=True)
    three = Figure("p99", [1.0, 1.1, 1.6, 1.2, 9.0], "", aim=1.5, direction="≤", most_rounds=True)
    assert (four.good_rounds, four.good) == (4, True)
    assert (three.good_rounds, three.good) == (3, False)


def test_a_figure_without_an_aim_is_neither_good_nor_bad() -> None:
    assert Figure("weight", [74.7], "KiB").good is None


def test_contenders_take_turns() -> None:
    turns: list[str] = []

    def turn(name: str) -> int:
        turns.append(name)
        return 1

    found = rates({"ours": partial(turn, "ours"), "theirs": partial(turn, "theirs")}, range(2))
    assert turns == ["ours", "theirs"] * 3  # the first to warm up
    assert {name: len(rounds) for name, rounds in found.items()} == {"ours": 2, "theirs": 2}


def test_processor_time_is_told_by_program() -> None:
    with running_valkey() as server, server.client() as client:
        for _ in range(2000):
            client.ping()
        assert used_by_name(server.pid).keys() == {"store"}


def test_time_of_children_that_ended_counts_with_their_parent() -> None:
    before = used_by(os.getpid())
    subprocess.run([sys.executable, "-c", BUSY], check=True)
    assert used_by(os.getpid()) - before >= 0.2


def test_what_we_use_is_not_taken_for_others() -> None:
    ours, nobodys = Watch(os.getpid()), Watch(NOBODY)
    began = time.monotonic()
    subprocess.run([sys.executable, "-c", BUSY], check=True)
    share = 0.25 / ((time.monotonic() - began) * (os.cpu_count() or 1))
    without, with_us = ours.outside().others, nobodys.outside().others
    assert with_us - without >= share / 2


NOBODY = 0
BUSY = "import time\nwhile time.process_time() < 0.25: pass"


def test_results_of_other_suites_stay_in_the_file(tmp_path: Path) -> None:
    file = tmp_path / "results.json"
    file.write_text('{"rules": {"figures": []}, "store": {"figures": []}}')
    run = Run(QUICK, Progress(disable=True), outside=[Outside(0.5, 0.0, 3.0)])
    run.note_cpu("stele", {"api": 900.0, "store": 300.0})
    report = Report()
    report.add("store", [Figure("appends", [8.0], "/s", [10.0], 0.7)], run)
    report.save(file)
    kept = json.loads(file.read_text())
    assert kept["rules"] == {"figures": []}
    assert kept["store"]["figures"][0]["value"] == 0.8
    assert kept["store"]["outside"] == [{"others": 0.5, "stolen": 0.0, "load_average": 3.0}]
    assert kept["store"]["cpu_us_per_action"] == {"stele": {"api": 900.0, "store": 300.0}}


def test_the_table_says_that_a_noisy_round_is_doubtful() -> None:
    run = Run(QUICK, Progress(disable=True), outside=[Outside(0.5, 0.0, 3.0), Outside(0.01, 0.0, 1.0)])
    report = Report()
    report.add("store", [Figure("appends", [8.0], "/s", [10.0], 0.9)], run)
    written = StringIO()
    report.show(Console(width=200, file=written))
    told = written.getvalue()
    assert "1 of 2 rounds are doubtful" in told
    assert "✗" in told
