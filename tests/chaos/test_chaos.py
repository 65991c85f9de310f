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
