"""Processes that must not outlive the one that began them, however that ended."""

import os
import threading
import time

GLANCE = 1.0
"""Seconds between two looks at who our parent is."""


def end_with_parent() -> None:
    """From now on this process ends soon after the one that began it; what ends it must be seen to by no one else."""
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True, name="orphans").start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(GLANCE)
    os._exit(0)
