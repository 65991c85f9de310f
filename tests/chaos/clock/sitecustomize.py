"""Puts the clocks of a process wrong, by as many seconds as the file named in CHAOS_CLOCK says at the moment.

Python runs this at its start where the directory is in PYTHONPATH.
"""

import os
import time
from pathlib import Path

if "CHAOS_CLOCK" in os.environ:
    _file = Path(os.environ["CHAOS_CLOCK"])
    _right = time.time

    def wrong_time() -> float:
        try:
            return _right() + float(_file.read_text() or 0)
        except (OSError, ValueError):
            return _right()

    time.time = wrong_time

    from events import times

    times.utc_now = lambda: times.time_at(round(1000 * wrong_time()))
