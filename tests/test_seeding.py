"""One line repeats a run: what tests draw derives from a seed, and a failure shows it."""

import os
import secrets
import subprocess
import sys
from pathlib import Path
from random import random

import pytest

from tests import seeding
from tests.seeding import rotated, seed_everything

DRAWING = """
import secrets
from random import random
from hypothesis import given, strategies as st

def test_drawing():
    raise ValueError(f"drawn {random()} {secrets.token_hex(4)}")

@given(st.integers(0, 10**9))
def test_drawing_examples(number):
    if number > 10**6:
        raise ValueError(f"drawn {number}")
"""


def drawn(directory: Path, seed: int) -> list[str]:
    """What a run of pytest with this seed shows of what its tests drew, and of its seed."""
    (directory / "pytest.ini").write_text("[pytest]")
    (directory / "test_drawing.py").write_text(DRAWING)
    environ = os.environ | {"STELE_TEST_SEED": str(seed), "PYTHONPATH": str(Path(__file__).parents[1])}
    options = ["-p", "tests.conftest", "-p", "no:cacheprovider"]
    run = subprocess.run(
        [sys.executable, "-m", "pytest", *options, "test_drawing.py"],
        cwd=directory,
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )
    shown = ("E       ValueError: drawn", "STELE_TEST_SEED")
    return [line for line in run.stdout.splitlines() if line.strip(" |").startswith(shown)]


def test_a_run_with_the_same_seed_draws_the_same_and_a_failure_names_the_seed(tmp_path: Path) -> None:
    first, again, other = (drawn(tmp_path, seed) for seed in (17, 17, 18))
    assert first == again
    assert "STELE_TEST_SEED=17 .venv/bin/pytest 'test_drawing.py::test_drawing'" in first
    assert any("drawn 0." in line for line in first)
    assert not set(first) & set(other)


def test_each_test_draws_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    draws = []
    for label in ("one test", "another", "one test"):
        seed_everything(label, monkeypatch)
        draws.append((random(), secrets.token_hex(8), secrets.token_bytes(8)))
    assert draws[0] == draws[2] != draws[1]
    assert draws[0][1] != draws[0][2].hex()


def test_matrices_rotate_with_the_seed_and_no_case_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = []
    for seed in range(4):
        monkeypatch.setattr(seeding, "SEED", seed)
        cases = rotated("abcd", most=2)
        assert [case.values for case in cases] == [("a",), ("b",), ("c",), ("d",)]
        chosen.append("".join(case.values[0] for case in cases if not case.marks))
    assert chosen == ["ab", "bc", "cd", "ad"]
