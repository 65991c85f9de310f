"""Scrub: a thread of the projector that reads every log, slowly, and checks that no byte of it has changed.

Bits rot where nobody looks: a settled game may lie for years. A log that is found damaged is counted in `failed_audits`.
"""

import logging
import sqlite3
import threading
from collections.abc import Iterator
from typing import cast

from events.entries import Carved, MalformedEntry
from events.integrity import DamagedLog, check_log
from events.store import EventStore
from events.store_errors import STORE_FAILED
from events.tombstones import ArchiveUnavailable
from projections.store import ProjectionStore
from services.core.high_water_mark import HighWaterMark
from services.worker.lease import hold_lease
from services.worker.queue import WorkQueue

log = logging.getLogger(__name__)

FIRST_SCRUB_SECONDS = 60.0
"""After a start: players come first."""
SCRUB_INTERVAL = 6 * 3600.0
"""Between the end of a pass and the next."""
ENTRIES_PER_BREATH, BREATH_SECONDS = 64, 0.05
"""So many entries are checked at a time, about a millisecond's work; then others have their turn."""


HEADS_PER_NOTE = 500


class Scrub:
    """Checks all logs of a store, one pass at a time; of several projectors one does it."""

    def __init__(
        self,
        store: EventStore,
        projections: ProjectionStore,
        queue: WorkQueue,
        mark: HighWaterMark | None = None,
        stopped: threading.Event | None = None,
    ) -> None:
        self.store = store
        self.projections = projections
        self.queue = queue
        self.mark = mark
        """What remembers the heads, if the store is the embedded one."""
        self.stopped = stopped or threading.Event()

    def run(self) -> None:
        """Make one pass after the other until stopped."""
        pause = FIRST_SCRUB_SECONDS
        while not self.stopped.wait(pause):
            pause = SCRUB_INTERVAL
            try:
                with hold_lease(self.queue, "scrub", "all") as ours:
                    if ours:
                        self.check_all()
            except (*STORE_FAILED, sqlite3.Error) as error:
                log.warning("a scrub was broken off: %s", type(error).__name__)
                pause = FIRST_SCRUB_SECONDS

    def check_all(self) -> int:
        """Check every log, in the store or in the archive; how many are damaged."""
        damaged = 0
        heads: dict[str, int] = {}
        for game in self._games():
            if self.stopped.is_set():
                break
            head = self.check(game)
            if head is None:
                damaged += 1
            else:
                heads[game] = head
            if len(heads) >= HEADS_PER_NOTE:
                self._note(heads)
        self._note(heads)
        return damaged

    def check(self, game: str) -> int | None:
        """The number of a log's last entry if the log is whole; if not, None, and it is logged and counted."""
        try:
            head = check_log(game, self._entries(game))
        except (MalformedEntry, ArchiveUnavailable) as problem:
            # of others by their kind alone: the message may tell what is hidden
            what = problem if isinstance(problem, DamagedLog) else type(problem).__name__
            log.error("a log is damaged: %s", what, extra={"members": {"game": game}})
            self.projections.mark_damaged(game, damaged=True)
            return None
        self.projections.mark_damaged(game, damaged=False)
        return head

    def _note(self, heads: dict[str, int]) -> None:
        """The mark knows of games that have not moved since the mark was made, too."""
        if self.mark and heads:
            self.mark.note(heads)
        heads.clear()

    def _games(self) -> Iterator[str]:
        for key in cast(Iterator[bytes], self.store.client.scan_iter("stele:{*}:game:*", count=100)):
            *_, game, name = key.decode().split(":")
            if name in ("log", "archived"):
                yield game

    def _entries(self, game: str) -> Iterator[Carved]:
        for number, carved in enumerate(self.store.walk(game), 1):
            yield carved
            if number % ENTRIES_PER_BREATH == 0:
                self.stopped.wait(BREATH_SECONDS)
        self.stopped.wait(BREATH_SECONDS)
