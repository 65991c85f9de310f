"""Reaper process: it kills the process groups that a killed supervisor leaves behind, grandchildren too.

The kernel's signal (`services.host.die_with_parent`) reaches only the process that was started; a server that runs workers
of its own leaves them as orphans that hold its port. The reaper knows the process groups, and kills them when the
supervisor's end of the pipe closes before they were unregistered.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Iterable
from contextlib import suppress


class Reaper:
    """The supervisor's side: sign process groups on and off, and see that somebody stands guard."""

    def __init__(self) -> None:
        self._groups: set[int] = set()
        self._process = self._post()

    def register(self, group: int) -> None:
        self._groups.add(group)
        self._tell(f"+{group}")

    def unregister(self, group: int) -> None:
        self._groups.discard(group)
        self._tell(f"-{group}")

    def restart_if_killed(self) -> bool:
        """Put another in the place of a guard that was killed. Was that needed?"""
        if self._process.poll() is None:
            return False
        if self._process.stdin:
            with suppress(BrokenPipeError):
                self._process.stdin.close()
        self._process = self._post()
        for group in self._groups:
            self._tell(f"+{group}")
        return True

    def stop(self) -> None:
        """Let it end; it kills whoever was not signed off."""
        with suppress(BrokenPipeError):
            self._process.communicate()

    def _post(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-I", "-S", __file__]
        return subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True)  # noqa: S603 - ourselves

    def _tell(self, line: str) -> None:
        pipe = self._process.stdin
        if pipe:
            with suppress(BrokenPipeError):  # somebody killed the guard: the next one is told of all groups
                pipe.write(line.encode() + b"\n")
                pipe.flush()


def remaining_groups(lines: Iterable[str]) -> set[int]:
    """The groups signed on and never off, once there is nothing more to read."""
    groups: set[int] = set()
    for line in lines:
        group = int(line[1:])
        if line.startswith("+"):
            groups.add(group)
        else:
            groups.discard(group)
    return groups


if __name__ == "__main__":
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    for group in remaining_groups(sys.stdin):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL)
