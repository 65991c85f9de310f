"""Maintenance of the embedded store while it runs: rewrites of its append-only file, and rotation of its log.

Valkey by itself would rewrite its append-only file whenever it has doubled, and fill the disk with the copy. Here that
happens only where the copy leaves the room that must stay free.
"""

import logging
from pathlib import Path
from typing import Any

from events.store import Client
from services.core.datadir import LOG_FILE
from services.core.disk import MB, Disk

log = logging.getLogger(__name__)

MIN_REWRITE_BYTES = 64 * MB
"""Below this size a file is left as it is."""
GROWTH = 2
"""How often larger than after the last time a file is before it is rewritten."""
LONGEST_LOG = 1 * MB
"""Bytes of a log after which another is begun; the one before is kept as `….1`."""


class StoreMaintenance:
    """The store of a data directory, as whoever talks to it looks after it."""

    def __init__(self, client: Client, disk: Disk) -> None:
        self.client = client
        self.disk = disk
        self._told = False

    def look(self) -> None:
        """Do what is due."""
        rotate_log(self.disk.path / LOG_FILE)
        self._rewrite_if_due(self.client.info("persistence"), self.client.info("memory"))

    def _rewrite_if_due(self, file: dict[str, Any], memory: dict[str, Any]) -> None:
        size = int(file.get("aof_current_size", 0))
        due = max(MIN_REWRITE_BYTES, GROWTH * int(file.get("aof_base_size", 0)))
        if size < due or file.get("aof_rewrite_in_progress") or file.get("aof_rewrite_scheduled"):
            return
        # A copy is no larger than what it replaces, nor than what it is made of.
        copy = min(size, int(memory["used_memory"]))
        if self.disk.free() - copy < self.disk.min_free_mb * MB:
            if not self._told:
                log.warning(
                    "the store's file of %d MB should be rewritten, but there is no room for a copy",
                    size // MB,
                )
            self._told = True
            return
        self._told = False
        self.client.bgrewriteaof()


def rotate_log(file: Path) -> None:
    """Begin a new log if this one has become long."""
    if file.exists() and file.stat().st_size > LONGEST_LOG:
        file.replace(file.with_name(f"{file.name}.1"))
