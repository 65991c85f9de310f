"""Head recorder: a thread of the projector that follows the feeds and keeps the high-water mark of the embedded store."""

import logging
import sqlite3
import threading
from typing import Any, cast

from events.feeds import feeds_read_together, lines_in
from events.store import Client
from events.store_errors import TRANSIENT
from services.core.backoff import Backoff
from services.core.high_water_mark import HighWaterMark

log = logging.getLogger(__name__)

RECORD_SECONDS = 0.25
"""Between two writes: what is appended and lost within this time is not seen to be missing."""
LINES_PER_RECORD = 2_000
"""Lines of each feed that are read at once."""


class HeadRecorder:
    """Reads on in the feeds of a single store from where the mark says that they were read."""

    def __init__(self, client: Client, mark: HighWaterMark) -> None:
        self.client = client
        self.mark = mark
        self._cursors: dict[str, str] = {}

    def run(self, stopped: threading.Event) -> None:
        """Record until stopped; while the store is away or the file cannot be written, try again ever more seldom."""
        backoff = Backoff("head recorder")
        while not stopped.wait(RECORD_SECONDS):
            try:
                self.record()
                backoff.over()
            except (*TRANSIENT, sqlite3.Error) as error:
                stopped.wait(backoff.next(error))

    def record(self) -> None:
        """Write down the heads of all games that have moved."""
        if not self._cursors:
            (feeds,) = feeds_read_together(clustered=False)
            self._cursors = dict.fromkeys(feeds, "0-0") | self.mark.cursors()
        answer = self.client.xread(cast(Any, self._cursors), count=LINES_PER_RECORD)
        heads: dict[str, int] = {}
        moved: dict[str, str] = {}
        for feed, lines in lines_in(answer):
            moved[feed] = lines[-1][0].decode()
            heads |= {fields[b"game"].decode(): int(fields[b"seq"]) for _, fields in lines}
        if moved:
            self.mark.note(heads, moved)
            self._cursors |= moved
