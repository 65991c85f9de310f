"""The archivist moves settled games from the store to the archive; each is always complete in one of them."""

import logging
import time
from collections.abc import Iterator
from typing import NamedTuple

from events.clocks import utc_now
from events.entries import Carved, GameCreated, GameSettled
from events.tombstones import Tombstone
from replays.audit.audit import audit
from replays.record import entries_of, to_record
from services.core.archive import UNREADABLE, FileArchive
from services.core.crash_points import crash_point
from services.core.ledger import Ledger

log = logging.getLogger(__name__)

SECONDS_PER_DAY = 24 * 3600


class Moved(NamedTuple):
    """A game that is in the archive now, or (`problem`) why it is not."""

    game: str
    problem: str | None = None


class CannotArchive(Exception):
    """Why a game stays where it is."""


class Archivist:
    """Moves games of one store to one archive."""

    def __init__(self, ledger: Ledger, archive: FileArchive) -> None:
        self.ledger = ledger
        self.store = ledger.store
        self.archive = archive

    def due(self, seconds: float) -> list[str]:
        """Games that were settled at least so many seconds ago, and are not archived."""
        return list(self.ledger.projections.settled(round(1000 * (time.time() - seconds))))

    def run(self, games: list[str]) -> Iterator[Moved]:
        """Move these games; one that has to stay hinders no other."""
        self.archive.sweep()
        for game in games:
            try:
                self.move(game)
                yield Moved(game)
            except CannotArchive as problem:
                log.warning("a game is not archived", extra={"members": {"game": game, "why": str(problem)}})
                yield Moved(game, str(problem))

    def move(self, game: str) -> None:
        """Write, read back, audit, and only then remove: killed anywhere in between, this can be done again."""
        entries = list(self.store.walk(game))
        check_settled_clean(entries)
        self.archive.keep(to_record(entries, {}))  # without names: `stele forget` must reach them for ever
        self._audit(game, entries)
        crash_point("between the archive and the removal")
        if not self.ledger.projections.bury(game, tombstone_of(entries)):
            self.archive.remove(game)
            raise CannotArchive("its log has changed, or is not projected yet")

    def _audit(self, game: str, entries: list[Carved]) -> None:
        """Refuse a file that is not, entry by entry, the log as it was read, or does not audit clean."""
        try:
            record = self.archive.read(game)
            same = entries_of(record) == entries
        except UNREADABLE:
            same = False
        verdict = audit(record, self.ledger.rulesets).verdict if same else "fail"
        if verdict != "pass":
            self.archive.remove(game)
            raise CannotArchive(
                f"its audit says {verdict}" if same else "what was written cannot be read back"
            )


def check_settled_clean(entries: list[Carved]) -> None:
    """Only a game that was settled with a clean audit is moved."""
    if not entries or not isinstance(entries[-1].data, GameSettled):
        raise CannotArchive("it is not settled")
    verdict = entries[-1].data.audit["verdict"]
    if verdict != "pass":
        raise CannotArchive(f"it was settled with an audit that says {verdict}")


def tombstone_of(entries: list[Carved]) -> Tombstone:
    """What is to stand where this log is."""
    created: GameCreated = entries[0].data
    return Tombstone(entries[-1].seq, entries[-1].hash, utc_now(), created.private, created.host)
