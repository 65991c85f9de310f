"""The seed of a test run: whatever a test draws at random in its own process derives from it and from the test's name.

`STELE_TEST_SEED=17 .venv/bin/pytest tests/…` repeats a run; a failure shows this line. Without it the seed is 0.
Processes that a test starts (`stele up`) draw for themselves: a test whose result depends on a deal gives it a seed.
"""

import os
import random
import secrets
from collections.abc import Callable, Iterable
from hashlib import shake_256
from itertools import count
from typing import Any

import pytest

SEED = int(os.environ.get("STELE_TEST_SEED", "0"))


def rotated(values: Iterable[Any], most: int = 1) -> list[Any]:
    """Parameters of which `make test` takes so many, by the seed in turn; `make test-all` takes every one."""
    cases = list(values)
    chosen = {(SEED + number) % len(cases) for number in range(most)}
    return [
        pytest.param(value, marks=() if number in chosen else pytest.mark.long)
        for number, value in enumerate(cases)
    ]


def seeded_bytes(label: str) -> Callable[[int | None], bytes]:
    """A stand-in for `secrets.token_bytes` that gives the same bytes in every run with the same seed.

    A forked process draws bytes of its own: two of them must not choose the same ids.
    """
    numbers, owner = count(), os.getpid()

    def token_bytes(size: int | None = None) -> bytes:
        process = os.getpid()
        fork = "" if process == owner else process
        return shake_256(f"{SEED}/{label}/{fork}/{next(numbers)}".encode()).digest(size or 32)

    return token_bytes


def seed_everything(label: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let `random` and `secrets` draw what this label and the seed of the run determine."""
    token_bytes = seeded_bytes(label)
    random.seed(f"{SEED}/{label}")
    monkeypatch.setattr(secrets, "token_bytes", token_bytes)
    monkeypatch.setattr(secrets, "token_hex", lambda size=None: token_bytes(size).hex())
