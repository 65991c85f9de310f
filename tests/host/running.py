"""Programs under test, run as processes of their own: what they said, how they ended, whom they left behind."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.servers import PATIENCE, wait_until


class Running:
    """A Python script as a process, with all that it says in a file."""

    def __init__(self, script: str, *args: str, env: Mapping[str, str], output: Path) -> None:
        self._output = output
        with output.open("wb") as file:
            self.process = subprocess.Popen(
                [sys.executable, "-c", script, *args],
                env={**os.environ, **env},
                stdout=file,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    @property
    def said(self) -> str:
        return self._output.read_text()

    def wait_to_say(self, words: str, times: int = 1) -> None:
        def is_said() -> bool:
            assert self.said.count(words) >= times or self.process.poll() is None, self.said
            return self.said.count(words) >= times

        wait_until(is_said, f"{words!r} to be said, so far: {self.said}")

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Send the signal and wait for the end: the exit code."""
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)

    def wait(self) -> int:
        return self.process.wait(PATIENCE)


@contextmanager
def running(script: str, *args: str, env: Mapping[str, str], directory: Path) -> Iterator[Running]:
    """Run it for the length of the block; its children are on a leash and end with it."""
    program = Running(script, *args, env=env, output=directory / "said")
    try:
        yield program
    finally:
        program.process.kill()
        program.process.wait()


def processes_using(directory: Path) -> list[int]:
    """The living processes whose command line names the directory."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_bytes()
            state = (process / "stat").read_text().rsplit(")", 1)[1].split()[0]
        except OSError:
            continue
        if str(directory).encode() in command and state != "Z" and int(process.name) != os.getpid():
            found.append(int(process.name))
    return found
