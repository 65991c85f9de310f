"""Crash points: named places at which a test can make a process die, as if its power were cut."""

import os

CRASH_POINT_VARIABLE = "STELE_FAULT"


def crash_point(point: str) -> None:
    """End this process here and now, if it was started to die at this point."""
    if os.environ.get(CRASH_POINT_VARIABLE) == point:
        os._exit(86)
