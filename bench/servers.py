"""The servers that are measured, each in processes of its own on a free port, ended with whoever asked for them."""

import http.client
import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench import node
from bench.machine import SCRATCH, used_by_name
from bench.node import CannotMeasure
from services.host import die_with_parent
from tests.servers import ValkeyServer, free_ports

PATIENCE = 60.0
STELE = Path(sys.executable).parent / "stele"
NOT_OURS = "STELE_"
FAST_SEATS = {"STELE_REQUESTS_PER_SECOND": "1000000"}
"""A few players ask as much as many would; they are counted all the same."""
"""Settings of whoever runs the benchmark do not count: the defaults are measured."""


@dataclass(frozen=True)
class Server:
    """A server that listens on a port of this machine; `pids` are the processes that all others come from."""

    port: int
    pids: tuple[int, ...]

    def used(self) -> dict[str, float]:
        """Seconds of processor time used so far, by program."""
        used: dict[str, float] = {}
        for pid in self.pids:
            for name, seconds in used_by_name(pid).items():
                used[name] = used.get(name, 0.0) + seconds
        return used


@dataclass(frozen=True)
class Stele(Server):
    """All of `stele up`, with a token of a host, so that no limit meant for strangers is met."""

    data_dir: Path
    token: str

    def call(self, method: str, path: str, body: Any = None, token: str | None = None) -> Any:
        """One request of the host, or of whoever has this token."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token or self.token}"}
        try:
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            content = answer.read()
        finally:
            connection.close()
        if answer.status >= 300:
            raise CannotMeasure(f"{method} {path}: {answer.status} {content[:300]!r}")
        return json.loads(content)

    def behind(self) -> int:
        """Work that waits for the projector and the workers."""
        checks = self.call("GET", "/readyz")["checks"]
        return sum(checks[name] for name in ("dirty", "owed", "feed_lag"))

    def settle(self) -> None:
        """Wait until nothing waits any more."""
        until(lambda: self.behind() == 0, "the workers to be done")

    @property
    def socket(self) -> Path:
        """Where its store listens."""
        return next(self.data_dir.glob("*.sock")).resolve()


@contextmanager
def stele() -> Iterator[Stele]:
    """`stele up` with its defaults, in a data directory of its own."""
    (port,) = free_ports(1)
    token = secrets.token_hex(16)
    with scratch() as directory:
        settings = {"STELE_HOST_TOKENS": f"bench:{token}"} | FAST_SEATS
        command = [str(STELE), "up", "--port", str(port), "--data-dir", str(directory / "data")]
        with started(command, directory / "log", settings) as process:
            until(lambda: answers(port, "/readyz"), "`stele up`", process, directory / "log")
            yield Stele(port, (process.pid,), directory / "data", token)


@contextmanager
def boardgame() -> Iterator[Server]:
    """boardgame.io as it comes: one process, everything in memory."""
    node.install()
    (port,) = free_ports(1)
    with scratch() as directory:
        command = [node.node(), str(node.LOADER / "boardgame_server.mjs"), str(port)]
        with started(command, directory / "log", node.PACKAGES) as process:
            until(lambda: answers(port, "/games"), "boardgame.io", process, directory / "log")
            yield Server(port, (process.pid,))


@contextmanager
def loop_floor() -> Iterator[Server]:
    """The floor (bench.floor) on a store that has on disk what it acknowledges, as that of `stele up`."""
    (port,) = free_ports(1)
    with scratch() as directory, durable_store() as store:
        command = [sys.executable, "-m", "bench.floor", str(port), str(store.socket)]
        with started(command, directory / "log") as process:
            until(lambda: answers(port, "/read"), "the floor", process, directory / "log")
            yield Server(port, (process.pid, store.pid))


@contextmanager
def durable_store() -> Iterator[ValkeyServer]:
    """A store on the same disk as that of `stele up`, which has on it what it acknowledges."""
    with scratch() as directory:
        store = ValkeyServer(directory, appendonly="always")
        store.start()
        try:
            yield store
        finally:
            store.stop()


@contextmanager
def started(
    command: list[str], log: Path, environ: Mapping[str, str] | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """A program that is asked to end when it is no longer needed, and then made to; it never outlives us."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(NOT_OURS)}
    with log.open("wb") as output:
        process = die_with_parent.start(command, env={**clean, **(environ or {})}, output=output)
    try:
        yield process
    finally:
        end(process)


def end(process: subprocess.Popen[Any]) -> None:
    """End a program and all of its group, also if Ctrl-C comes meanwhile."""
    process.terminate()
    try:
        with suppress(subprocess.TimeoutExpired):
            process.wait(10)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@contextmanager
def scratch() -> Iterator[Path]:
    """A directory for one server, with a short path and on a disk: sockets and fsync need one."""
    directory = Path(tempfile.mkdtemp(prefix="stele-bench-", dir=SCRATCH))
    try:
        yield directory
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def answers(port: int, path: str) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
    try:
        connection.request("GET", path)
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def until(
    true: Callable[[], bool],
    what: str,
    process: subprocess.Popen[bytes] | None = None,
    log: Path | None = None,
) -> None:
    """Come back as soon as `true()` holds; fail with what was waited for, and with what it said."""
    deadline = time.monotonic() + PATIENCE
    while not true():
        over = process is not None and process.poll() is not None
        if over or time.monotonic() > deadline:
            said = log.read_text()[-1000:] if log else ""
            raise CannotMeasure(f"waited in vain for {what}. {said}")
        time.sleep(0.05)
