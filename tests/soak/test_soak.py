"""A small dose of what `make soak` does at length; and its judges, who must not be deceived."""

import pytest

from tests.soak.processes import SPARE_FILES, Process, Sample, store_grows_with_its_logs
from tests.soak.run import Size, soak
from tests.soak.storm import Flood


@pytest.mark.long
@pytest.mark.timeout(300)
def test_a_server_with_too_much_to_do_refuses_early_recovers_and_keeps_no_file_open() -> None:
    """Whether memory is flat takes longer to tell: that is for `make soak`."""
    report = soak(Size(minutes=0.5, games=6, watchers=24, seed=3), lambda *_: None)
    assert report.faults == []
    assert len(report.notes.acknowledged) > 10
    assert report.notes.events > 10
    assert {each.name for each in report.processes} >= {"api", "projector", "store", "thinker", "worker"}


def seen(*memory: float, files: int = 20) -> Process:
    return Process("api", 20, [Sample(float(n), each, 99) for n, each in enumerate(memory)], files)


def test_memory_that_climbs_is_found_and_memory_that_wavers_is_not() -> None:
    assert not seen(*(100 + n / 2 for n in range(100))).is_flat
    assert seen(*(100 + n % 7 for n in range(100))).is_flat


def test_a_peak_in_between_is_no_leak() -> None:
    assert seen(*[100.0] * 40, *[300.0] * 20, *[100.0] * 40).is_flat


def test_files_that_stay_open_are_found() -> None:
    assert not seen(100, files=20 + SPARE_FILES).leaks_files
    assert seen(100, files=21 + SPARE_FILES).leaks_files


def test_a_store_may_grow_with_its_logs_and_not_otherwise() -> None:
    steady = [(float(n), 100 * n) for n in range(100)]
    tiring = [(float(n), 100 * min(n, 50)) for n in range(100)]
    store = seen(*(100.0 + n for n in range(100)))
    assert store_grows_with_its_logs(store, steady)
    assert not store_grows_with_its_logs(store, tiring)


@pytest.mark.parametrize(
    ("flood", "fault"),
    [
        (Flood("x", granted=1, most_granted=1, recovered=True), "nothing was refused"),
        (
            Flood("x", granted=2, most_granted=1, refused=1, recovered=True),
            "2 were granted where 1 are allowed",
        ),
        (Flood("x", refused=1, silent=1, recovered=True), "1 refusals did not say when to come back"),
        (Flood("x", refused=1, others=["500"], recovered=True), "answers that nobody expected: 500"),
        (Flood("x", refused=1), "who came back in time was not served"),
    ],
)
def test_each_way_to_refuse_badly_is_found(flood: Flood, fault: str) -> None:
    assert flood.faults == [f"x: {fault}"]
