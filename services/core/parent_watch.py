"""Ends a process whose parent has ended, however it ended."""

import os
import threading
import time

PARENT_CHECK_SECONDS = 1.0
"""Seconds between two looks at who our parent is."""


def exit_with_parent() -> None:
    """From now on this process ends soon after the one that began it; what ends it must be seen to by no one else."""
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True, name="orphans").start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(PARENT_CHECK_SECONDS)
    os._exit(0)
