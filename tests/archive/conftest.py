"""An API whose old games are moved to an archive of its own, and the same again as another process would have it."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from events.batch import EntryFactory
from services.cli import main
from services.core.archive import FileArchive
from services.core.archivist import Archivist
from tests.api.client import GAMES, HOSTS, OPERATOR, SIGNING_KEY, TOKEN_KEY, Api, build_api
from tests.servers import UNLIMITED, ValkeyServer

DATABASE = 6
MakeApi = Callable[[], Api]
Run = Callable[..., Result]


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    return tmp_path / "archive"


@pytest.fixture
def url(valkey: ValkeyServer) -> str:
    return f"{valkey.url}?db={DATABASE}"


@pytest.fixture
def another(url: str, directory: Path) -> Iterator[MakeApi]:
    """Makes APIs on the same store and archive that know nothing yet."""
    made: list[Api] = []

    def make() -> Api:
        made.append(build_api(url, archive_dir=directory, entry_factory=EntryFactory()))
        return made[-1]

    yield make
    for api in made:
        api.close()


@pytest.fixture
def api(valkey: ValkeyServer, another: MakeApi) -> Api:
    with valkey.client(db=DATABASE) as client:
        client.flushdb()
    return another()


@pytest.fixture
def archivist(api: Api, directory: Path) -> Archivist:
    return Archivist(api.context.ledger, FileArchive(directory))


@pytest.fixture
def environ(url: str, directory: Path, tmp_path: Path) -> dict[str, str]:
    """The settings of a machine with that store and archive."""
    return {
        "STELE_STORE_URL": url,
        "STELE_ARCHIVE_DIR": str(directory),
        "STELE_DATA_DIR": str(tmp_path / "data"),
        "STELE_SIGNING_KEY": SIGNING_KEY,
        "STELE_TOKEN_KEY": TOKEN_KEY,
        "STELE_HOST_TOKENS": ",".join(f"{name}:{token}" for name, token in HOSTS.items()),
        "STELE_OPERATOR_TOKENS": OPERATOR,
        **UNLIMITED,
    }


@pytest.fixture
def run(environ: dict[str, str]) -> Run:
    """`stele` on that machine."""

    def stele(*arguments: Any, **more: str) -> Result:
        return CliRunner().invoke(
            main, [str(argument) for argument in arguments], obj=GAMES, env=environ | more
        )

    return stele
