"""Temporary directory in which the processes of one `stele up` share their metrics.

It is not in the data directory: a process that counts in a file on a full disk would die of it.
"""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

METRICS_DIR_PREFIX = "stele-metrics-"
METRICS_DIR_LOCK = "lock"


@contextmanager
def metrics_directory() -> Iterator[Path]:
    """A new directory, after removing those that were left by whoever was killed."""
    parent = Path(tempfile.gettempdir())
    for left in parent.glob(f"{METRICS_DIR_PREFIX}*"):
        remove_if_left(left)
    directory = Path(tempfile.mkdtemp(prefix=METRICS_DIR_PREFIX, dir=parent))
    lock = os.open(directory / METRICS_DIR_LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield directory
    finally:
        shutil.rmtree(directory, ignore_errors=True)
        os.close(lock)


def remove_if_left(directory: Path) -> None:
    """Remove a directory of ours that nobody holds; one that is just being made has no lock yet, and stays."""
    try:
        lock = os.open(directory / METRICS_DIR_LOCK, os.O_RDWR)
    except OSError:
        return
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(directory, ignore_errors=True)
    except OSError:
        pass
    finally:
        os.close(lock)
