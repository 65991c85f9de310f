"""The archive: a directory of settled games, each a packed record without names, shared by all processes.

What is read is believed only if its chain of hashes ends where the tombstone in the store says: a file that is
missing, cut off or changed gives no answer, never a wrong one.
"""

import gzip
import logging
import lzma
import os
import tempfile
import time
import zlib
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from events.entries import Carved, MalformedEntry
from events.integrity import check_log
from events.keys import partition_of
from events.tombstones import ArchiveUnavailable
from replays.record import Record, entries_of, write_record
from services.core.crash_points import crash_point
from services.core.datadir import sync_directory
from services.core.greenlet_bridge import offload
from services.core.lru import LruCache

log = logging.getLogger(__name__)

CACHED_LOGS = 16
"""Logs that a process keeps unpacked."""
LZMA_PRESET = 9 | lzma.PRESET_EXTREME
"""As hard as can be: a game is packed once, and lies there for years."""
DRAFT = ".draft-"
ABANDONED = 24 * 3600
"""Seconds after which a draft is of nobody who is still at work."""


class FileArchive:
    """The archive in one directory."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._unpacked: LruCache[tuple[str, str], list[Carved]] = LruCache(CACHED_LOGS)

    def path(self, game: str) -> Path:
        """Where a game is kept."""
        return self.directory / partition_of(game) / f"{game}.json.xz"

    def earlier_path(self, game: str) -> Path:
        """Where a game is kept that was archived when files were packed with gzip."""
        return self.path(game).with_suffix(".gz")

    # -- reading ----------------------------------------------------------------------------------------------------

    def entries(self, game: str, seq: int, digest: str) -> Sequence[Carved]:
        """The log of a game, every hash of it checked up to this one."""
        return self._unpacked.of(
            (game, digest), lambda: offload(lambda: self._read_checked(game, seq, digest))
        )

    def _read_checked(self, game: str, seq: int, digest: str) -> list[Carved]:
        try:
            entries = entries_of(self.read(game))
            check_archived_chain(game, entries, seq, digest)
        except UNREADABLE as problem:
            log.error("%s cannot be read: %s", self.path(game), problem)
            raise ArchiveUnavailable(game) from None
        return entries

    def read(self, game: str) -> Record:
        """A game's file, as it stands."""
        try:
            content = lzma.decompress(self.path(game).read_bytes())
        except FileNotFoundError:
            content = gzip.decompress(self.earlier_path(game).read_bytes())
        return msgspec.json.decode(content, type=Record)

    # -- writing ----------------------------------------------------------------------------------------------------

    def keep(self, record: Record) -> None:
        """Write a game's file: when this comes back, it is whole on disk, and before there is none or a whole one."""
        path = self.path(record["game"])
        write_atomically(path, lzma.compress(write_record(record), preset=LZMA_PRESET))

    def remove(self, game: str) -> None:
        """Take a file away that nothing depends on."""
        for path in (self.path(game), self.earlier_path(game)):
            path.unlink(missing_ok=True)

    def sweep(self) -> None:
        """Remove the drafts of those who were killed."""
        long_ago = time.time() - ABANDONED
        for draft in self.directory.glob(f"*/{DRAFT}*"):
            with suppress(FileNotFoundError):
                if draft.stat().st_mtime < long_ago:
                    draft.unlink()


CORRUPT = (EOFError, zlib.error, lzma.LZMAError, msgspec.DecodeError, MalformedEntry, KeyError, TypeError)
"""What a file, or a log, may do that is cut off or changed."""
UNREADABLE = (OSError, *CORRUPT)
"""And a file that is missing."""


def check_archived_chain(game: str, entries: Sequence[Carved], seq: int, digest: str) -> None:
    """Refuse entries that do not lead from the beginning of this game to just this end."""
    check_log(game, entries)
    if not entries or (entries[-1].seq, entries[-1].hash) != (seq, digest):
        raise MalformedEntry(f"it does not end with entry {seq} as the store knows it")


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file for its owner's eyes: under its name there is what was before, or all of it, on disk."""
    make_directory(path.parent)
    written, draft = tempfile.mkstemp(dir=path.parent, prefix=DRAFT)  # mode 0600
    try:
        with os.fdopen(written, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        crash_point("before the archive has its name")
        Path(draft).replace(path)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise
    sync_directory(path.parent)


def make_directory(directory: Path) -> None:
    """Make a directory, and those above it, so that its name is on disk as well."""
    if not directory.is_dir():
        make_directory(directory.parent)
        directory.mkdir(mode=0o700, exist_ok=True)
        sync_directory(directory.parent)
