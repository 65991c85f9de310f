"""A server with a transparency log, written on at a test's word."""

from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest
from redis import Redis

from events.batch import EntryFactory
from services.core.settings import Settings
from services.core.signing import log_identity
from services.worker.log_writer import LogWriter
from services.worker.queue import WorkQueue
from tests.api.client import Api, build_api
from tests.servers import ValkeyServer

API_DATABASE = 12
LOG_KEY = "07" * 32


class LoggedApi:
    """An API, and the writer of its log."""

    def __init__(self, url: str, directory: Path) -> None:
        self.url = url
        self.directory = directory
        self.api: Api = build_api(url, log_dir=directory, log_key=LOG_KEY, entry_factory=EntryFactory())
        context = self.api.context
        assert context.log
        identity = log_identity(Settings(log_key=LOG_KEY))
        self.log = context.log
        queue = WorkQueue(cast(Redis, context.store.client))
        self.writer = LogWriter(context.store.client, queue, context.log, identity, 10)
        self._now = 0.0

    def publish(self) -> None:
        self._now += 1000
        self.writer.write(self._now)


@pytest.fixture
def server(valkey: ValkeyServer, tmp_path: Path) -> Iterator[LoggedApi]:
    with valkey.client(db=API_DATABASE) as client:
        client.flushdb()
    server = LoggedApi(f"{valkey.url}?db={API_DATABASE}", tmp_path / "tlog")
    yield server
    server.api.close()
