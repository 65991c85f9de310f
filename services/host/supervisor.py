"""The supervisor of all processes in one terminal: starts the store first, restarts what crashes, stops all together."""

import math
import os
import select
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from types import FrameType
from typing import Protocol

from services.core.backoff import PROCESS_CRASHED, RetryPolicy
from services.host import die_with_parent
from services.host.reaper import Reaper

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Program(Protocol):
    """What can be supervised. `hint` ends the sentence that says that it was given up.

    `lacks` says what a program that has crashed must wait for, if that is why: it is not given up for it.
    """

    @property
    def name(self) -> str: ...
    @property
    def hint(self) -> str: ...
    def launch(self) -> subprocess.Popen[bytes]: ...
    def is_ready(self) -> bool: ...
    def ready_line(self) -> str: ...
    def lacks(self) -> str | None: ...


def always_ready() -> bool:
    return True


@dataclass(frozen=True)
class Child:
    """A program that is a command: ready when `ready` says so, and then `tells` people."""

    name: str
    argv: Sequence[str]
    env: Mapping[str, str]
    tells: str
    ready: Callable[[], bool] = always_ready
    hint: str = "What it said stands above."

    def launch(self) -> subprocess.Popen[bytes]:
        return die_with_parent.start(self.argv, env=self.env)

    def is_ready(self) -> bool:
        return self.ready()

    def ready_line(self) -> str:
        return self.tells

    def lacks(self) -> str | None:
        return None


@dataclass(frozen=True)
class RestartPolicy:
    """How patient the supervisor is, in seconds."""

    restarts: RetryPolicy = (
        PROCESS_CRASHED  # `attempts`: crashes in a row, after which the store, or a program
    )
    # that never was ready, is given up
    steady: float = 30.0  # a program up for so long did not crash "in a row" with the time before
    grace: float = 3.0  # to end when asked to, before being killed
    store_grace: float = 1.0
    glance: float = 0.03  # between two looks at what is not ready yet
    patience: float = 0.5  # between two looks whether there is what a crashed program lacks


@dataclass
class SupervisedProcess:
    """A program as it runs under the supervisor's eyes."""

    program: Program
    vital: bool
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    due: float = 0.0
    crashes: int = 0
    ready: bool = False
    was_ready: bool = False
    lacking: bool = False


class GaveUp(Exception):
    """A program crashed again and again."""


@dataclass
class Supervisor:
    """Runs until it is told to stop, or must give up. `store` is None where another machine keeps it."""

    store: Program | None
    children: Sequence[Program]
    say: Callable[[str], None]
    pace: RestartPolicy = field(default_factory=RestartPolicy)
    _signals: int = 0
    _reaper: Reaper = field(init=False)

    def run(self) -> int:
        """The exit code: 0 after a stop that was asked for, 1 if a program was given up."""
        stores = [SupervisedProcess(self.store, vital=True)] if self.store else []
        children = [SupervisedProcess(child, vital=False) for child in self.children]
        with self._woken_by_signals() as wakeup, self._with_reaper():
            try:
                while not self._signals:
                    self._look_after(stores, children)
                    self._rest(wakeup, [*stores, *children])
                self.say("Stopping …")
                return 0
            except GaveUp as reason:
                self.say(str(reason))
                return 1
            finally:
                self._stop(children, self.pace.grace, wakeup)
                self._stop(stores, self.pace.store_grace, wakeup)

    def _look_after(self, stores: list[SupervisedProcess], children: list[SupervisedProcess]) -> None:
        if self._reaper.restart_if_killed():
            self.say("! the guard was killed: another stands in its place")
        for supervised in stores:
            self._tend(supervised)
        if all(supervised.was_ready for supervised in stores):
            for supervised in children:
                self._tend(supervised)

    def _tend(self, supervised: SupervisedProcess) -> None:
        """Do for a program what its state calls for."""
        if supervised.process is None:
            if time.monotonic() >= supervised.due and not self._still_lacks(supervised):
                self._launch(supervised)
        elif supervised.process.poll() is not None:
            self._mourn(supervised, supervised.process)
        elif not supervised.ready and supervised.program.is_ready():
            supervised.ready = supervised.was_ready = True
            self.say(f"✓ {supervised.program.name}: {supervised.program.ready_line()}")

    def _still_lacks(self, supervised: SupervisedProcess) -> bool:
        """Has a program to wait on for what it lacked when it crashed?"""
        if not supervised.lacking or not supervised.program.lacks():
            supervised.lacking = False
            return False
        supervised.due = time.monotonic() + self.pace.patience
        return True

    def _launch(self, supervised: SupervisedProcess) -> None:
        supervised.process = supervised.program.launch()
        self._reaper.register(supervised.process.pid)
        supervised.started, supervised.ready = time.monotonic(), False

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        """Kill what is left of a program and of what it started, which would be in its successor's way."""
        signal_group(process, signal.SIGKILL)
        process.wait()
        self._reaper.unregister(process.pid)

    def _mourn(self, supervised: SupervisedProcess, process: subprocess.Popen[bytes]) -> None:
        """A program ended that should not have: plan its return, or give up."""
        self._end(process)
        if time.monotonic() - supervised.started >= self.pace.steady:
            supervised.crashes = 0
        supervised.crashes += 1
        supervised.process = None
        ended = how_it_ended(process.returncode)
        if lack := supervised.program.lacks():
            supervised.crashes, supervised.lacking = 0, True
            self.say(f"✗ {supervised.program.name}: {ended}; it is started again when there is {lack}")
            return
        enough = supervised.crashes >= (self.pace.restarts.attempts or math.inf)
        if enough and (supervised.vital or not supervised.was_ready):
            raise GaveUp(
                f"✗ {supervised.program.name}: given up after {supervised.crashes} crashes in a row (it {ended})."
                f" {supervised.program.hint}"
            )
        pause = self.pace.restarts.pause(supervised.crashes)
        supervised.due = time.monotonic() + pause
        self.say(f"✗ {supervised.program.name}: {ended}; starting it again in {pause:g} s")

    def _rest(self, wakeup: int, supervised_processes: list[SupervisedProcess]) -> None:
        """Sleep until a signal comes (a child's end is one), or until there is something to look at."""
        calm = all(supervised.ready and supervised.process for supervised in supervised_processes)
        wait(wakeup, None if calm else self.pace.glance)

    def _stop(self, supervised_processes: list[SupervisedProcess], grace: float, wakeup: int) -> None:
        """Ask all of them to end, and kill those that do not; a second Ctrl-C kills at once."""
        running = [(c.program.name, c.process) for c in supervised_processes if c.process]
        for _, process in running:
            signal_group(process, signal.SIGTERM)
        deadline = time.monotonic() + grace
        while any(process.poll() is None for _, process in running):
            if self._signals > 1 or time.monotonic() >= deadline:
                break
            wait(wakeup, min(0.1, grace))
        for name, process in running:
            if process.poll() is None:
                self.say(f"✗ {name}: killed, as it did not end by itself")
            self._end(process)

    @contextmanager
    def _with_reaper(self) -> Iterator[None]:
        self._reaper = Reaper()
        try:
            yield
        finally:
            self._reaper.stop()

    @contextmanager
    def _woken_by_signals(self) -> Iterator[int]:
        """Count the signals to stop, and give a file to wait on that wakes at each signal."""
        reader, writer = os.pipe()
        os.set_blocking(reader, False)
        os.set_blocking(writer, False)
        before = {number: signal.signal(number, self._told_to_stop) for number in STOP_SIGNALS}
        before[signal.SIGCHLD] = signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        try:
            yield reader
        finally:
            signal.set_wakeup_fd(-1)
            for number, handler in before.items():
                signal.signal(number, handler)
            os.close(reader)
            os.close(writer)

    def _told_to_stop(self, _number: int, _frame: FrameType | None) -> None:
        self._signals += 1


def wait(wakeup: int, timeout: float | None) -> None:
    select.select([wakeup], [], [], timeout)
    with suppress(BlockingIOError):
        while os.read(wakeup, 4096):
            pass


def signal_group(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    """Signal a program and all that it started; that nobody is left is fine."""
    with suppress(ProcessLookupError, PermissionError):  # macOS says the latter of a group of zombies
        os.killpg(process.pid, number)


def how_it_ended(code: int) -> str:
    if code < 0:
        return f"was ended by a signal: {signal.strsignal(-code)}"
    return f"ended with code {code}"
