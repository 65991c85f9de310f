"""Players first: what workers do can wait a moment, an action cannot."""

import os
from contextlib import suppress
from pathlib import Path

STEP_BACK = 5
"""A third of a player's share where there is too little for all; enough for projections to keep up."""


def give_way() -> None:
    """Let this process have less of the processor than others that want it."""
    os.nice(STEP_BACK)
    if os.getsid(0) == os.getpid():  # as `stele up` starts it: Linux may share out by sessions first
        with suppress(OSError):
            Path("/proc/self/autogroup").write_text(str(STEP_BACK))
