"""`stele` at a terminal, on the machine of a server."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from services.cli import main
from tests.api.client import GAMES, SIGNING_KEY, Api, build_api
from tests.api.finished import settled_game
from tests.servers import ValkeyServer

Run = Callable[..., Result]
DATABASE = 5


@pytest.fixture
def api(valkey: ValkeyServer) -> Iterator[Api]:
    with valkey.client(db=DATABASE) as client:
        client.flushdb()
    served = build_api(f"{valkey.url}?db={DATABASE}")
    yield served
    served.close()


@pytest.fixture
def run(valkey: ValkeyServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """`stele` on the machine of that server."""
    monkeypatch.setenv("STELE_STORE_URL", f"{valkey.url}?db={DATABASE}")
    monkeypatch.setenv("STELE_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("STELE_SIGNING_KEY", SIGNING_KEY)
    monkeypatch.setenv("COLUMNS", "200")

    def stele(*arguments: Any) -> Result:
        return CliRunner().invoke(main, [str(argument) for argument in arguments], obj=GAMES)

    return stele


@pytest.fixture
def record(api: Api, tmp_path: Path) -> Path:
    """The record of a settled game, in a file."""
    path = tmp_path / "game.json"
    path.write_bytes(settled_game(api).get("/record").body)
    return path


@pytest.fixture
def keys(api: Api, tmp_path: Path) -> Path:
    path = tmp_path / "stele-keys.json"
    path.write_bytes(api.get("/.well-known/stele-keys.json").body)
    return path
