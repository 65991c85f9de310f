"""Starts processes that die with their parent, however it ended (PR_SET_PDEATHSIG).

`start` runs a moment of Python first, which asks the kernel for the signal and then becomes the command (same
process, same number). Linux only; elsewhere the command simply runs, and a store that a killed supervisor left
behind is ended at the next start.
"""

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import IO

PR_SET_PDEATHSIG = 1


def start(
    argv: Sequence[str],
    *,
    env: Mapping[str, str] | None = None,
    output: IO[bytes] | None = None,
    pass_fds: Sequence[int] = (),
) -> subprocess.Popen[bytes]:
    """Start a command that ends when the calling thread does: in a session of its own, so that Ctrl-C in the
    terminal does not reach it, and with files that only their owner may read."""
    return subprocess.Popen(  # noqa: S603 - every command is put together by our own code
        [sys.executable, "-I", "-S", __file__, str(os.getpid()), *argv],
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=output,
        pass_fds=pass_fds,
        start_new_session=True,
        umask=0o077,
    )


def request_parent_death_signal(parent: int) -> None:
    """Have the kernel kill this process when `parent`, which started it, is gone."""
    if sys.platform != "linux":
        return
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_PDEATHSIG) failed")
    if os.getppid() != parent:  # it was gone before we asked
        os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    request_parent_death_signal(int(sys.argv[1]))
    os.execvp(sys.argv[2], sys.argv[2:])  # noqa: S606 - becoming the given command is the purpose
