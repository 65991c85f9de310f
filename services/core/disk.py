"""Free disk space of the embedded store: below a limit all writes stop, as a store that fills its disk dies."""

import logging
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from services.core.settings import Settings

log = logging.getLogger(__name__)

MB = 2**20
DISK_CHECK_SECONDS = 0.5
"""Seconds between two looks of those who wait for room."""


@dataclass
class Disk:
    """Free space of the disk that the store writes to; below the limit nothing more is written."""

    path: Path
    min_free_mb: int
    _checked: float = field(default=0.0, init=False)
    _full: bool = field(default=False, init=False)

    def free(self) -> int:
        """The bytes that can still be written."""
        return shutil.disk_usage(self.path).free

    def full(self) -> bool:
        """Is there too little left? Looked up once a second at most."""
        now = time.monotonic()
        if now - self._checked > 1:
            self._checked = now
            self._full = self.free() < self.min_free_mb * MB
        return self._full

    def await_room(self, who: str, wait: Callable[[float], object] = time.sleep) -> bool:
        """Stand still as long as there is too little room, and say so. False if `wait` says that all is to end."""
        if not self.full():
            return True
        log.warning("%s: the disk is nearly full: it waits for room", who)
        while self.full():
            if wait(DISK_CHECK_SECONDS):
                return False
        log.warning("%s: there is room again", who)
        return True


def disk_of(settings: Settings) -> Disk | None:
    """The disk of the embedded store; that of a given one is not ours to watch."""
    return None if settings.store_url else Disk(settings.data_dir, settings.min_free_mb)
