"""Processes on a leash: they end when the one that started them ends, however it ended.

`leashed(argv)` is started in place of `argv`: a moment of Python that asks the kernel for the signal and then
becomes the command (same process, same number). Linux only; elsewhere the command simply runs, and what a killed
supervisor left behind is found at the next start.
"""

import ctypes
import os
import signal
import sys
from collections.abc import Sequence

PR_SET_PDEATHSIG = 1


def leashed(argv: Sequence[str]) -> list[str]:
    """The command line that runs `argv` and ends it when the calling process (its starting thread) ends."""
    return [sys.executable, "-I", "-S", __file__, str(os.getpid()), *argv]


def die_with(parent: int) -> None:
    """Have the kernel kill this process when `parent`, which started it, is gone."""
    if sys.platform != "linux":
        return
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_PDEATHSIG) failed")
    if os.getppid() != parent:  # it was gone before we asked
        os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    die_with(int(sys.argv[1]))
    os.execvp(sys.argv[2], sys.argv[2:])  # noqa: S606 - becoming the given command is the purpose
