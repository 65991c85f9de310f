"""One server for all tests of clients that do not harm it, with a host and an operator."""

from collections.abc import Iterator

import pytest

from tests.clients.roles import ROLES
from tests.system.stele import Stele, stele_up


@pytest.fixture(scope="session")
def served() -> Iterator[Stele]:
    with stele_up(**ROLES) as server:
        yield server
