"""Tests of the services start from the defaults, whatever is set where they run."""

import pytest

from services.settings import ROWS, variable


@pytest.fixture(autouse=True)
def _nothing_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for field in ROWS:
        monkeypatch.delenv(variable(field), raising=False)
