"""One server for all tests of the whole that do not harm it."""

from collections.abc import Iterator

import pytest

from tests.system.stele import Stele, stele_up


@pytest.fixture(scope="session")
def stele() -> Iterator[Stele]:
    with stele_up(STELE_BOT_GAMES="open") as server:
        yield server
