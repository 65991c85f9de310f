"""Two servers that are the same in everything but their games."""

from collections.abc import Iterator

import pytest

from tests.api.client import Api, build_api
from tests.api.conftest import api, make_api
from tests.leaks.twins import GAMES, fix_nonces
from tests.servers import ValkeyServer

__all__ = ["api", "make_api"]

DATABASES = (2, 3)


@pytest.fixture(autouse=True)
def _same_nonces(request: pytest.FixtureRequest, _seeded: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two servers that are compared draw the same, whatever they draw and in whichever order."""
    if "servers" in request.fixturenames:
        fix_nonces(monkeypatch)


@pytest.fixture(scope="module")
def servers(valkey: ValkeyServer) -> Iterator[tuple[Api, Api]]:
    """Both on one Valkey, each with a database of its own."""
    for database in DATABASES:
        with valkey.client(db=database) as client:
            client.flushdb()
    one, other = (build_api(f"{valkey.url}?db={database}", rulesets=GAMES) for database in DATABASES)
    for api_of_twins in (one, other):  # what pixels are made of says all that they could, and at once
        object.__setattr__(api_of_twins.context, "rasterize", lambda svg, width: svg.encode())
    yield one, other
    one.close()
    other.close()
