"""A small dose of what `make chaos` does at length."""

import pytest

from tests.chaos.run import chaos
from tests.seeding import rotated


@pytest.mark.parametrize("kind", rotated(["embedded", "cluster1"]))
def test_nothing_acknowledged_is_lost_or_doubled_whatever_breaks(kind: str) -> None:
    report = chaos(kind, faults=5, seed=7, say=print, rest=1.0)
    assert report.faults == [], "\n".join(report.lines())
    assert report.findings.lost == []
    assert len(report.notes.acks) > 20
    assert report.notes.at_the_table["hand-over"]


@pytest.mark.long
def test_nothing_is_lost_in_silence_when_files_are_damaged() -> None:
    report = chaos("damaged", faults=6, seed=11, say=print, rest=1.5)
    assert report.faults == [], "\n".join(report.lines())
    assert len(report.notes.acks) > 20
