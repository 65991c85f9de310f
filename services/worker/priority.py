"""Process priorities (nice): players before workers, workers before thinkers."""

import os
from contextlib import suppress
from pathlib import Path

WORKER_NICENESS = 8
"""A sixth of a player's share where there is too little for all: still enough for projections to keep up."""
THINKER_NICENESS = 13
"""A third of a worker's share."""


def lower_priority(steps: int) -> None:
    """Let this process have less of the processor than others that want it."""
    os.nice(steps)
    if os.getsid(0) == os.getpid():  # as `stele up` starts it: Linux may share out by sessions first
        with suppress(OSError):
            Path("/proc/self/autogroup").write_text(str(steps))
