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
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench import node
from bench.machine import used_by_name
from bench.node import CannotMeasure
from tests.servers import free_ports, running_valkey

PATIENCE = 60.0
STELE = Path(sys.executable).parent / "stele"
NOT_OURS = "STELE_"
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

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """One request of the host."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self.token}"}
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
        """Work that waits for the dispatcher and the workers."""
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
        settings = {"STELE_HOST_TOKENS": f"bench:{token}"}
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
        environ = {"NODE_ENV": "production"}
        with started(command, directory / "log", environ, node.HOME) as process:
            until(lambda: answers(port, "/games"), "boardgame.io", process, directory / "log")
            yield Server(port, (process.pid,))


@contextmanager
def loop_floor() -> Iterator[Server]:
    """The floor (bench.floor) on a store that has on disk what it acknowledges, as that of `stele up`."""
    (port,) = free_ports(1)
    with scratch() as directory, running_valkey(appendonly="always") as store:
        command = [sys.executable, "-m", "bench.floor", str(port), str(store.socket)]
        with started(command, directory / "log", {}) as process:
            until(lambda: answers(port, "/read"), "the floor", process, directory / "log")
            yield Server(port, (process.pid, store.pid))


@contextmanager
def started(
    command: list[str], log: Path, environ: dict[str, str], directory: Path | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """A program that is asked to end when it is no longer needed, and then made to."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(NOT_OURS)}
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            cwd=directory,
            env=clean | environ,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    try:
        yield process
    finally:
        end(process)


def end(process: subprocess.Popen[Any]) -> None:
    """End a program and all of its group; Ctrl-C meanwhile does not leave it behind."""
    with suppress(ProcessLookupError):
        process.terminate()
    try:
        process.wait(10)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@contextmanager
def scratch() -> Iterator[Path]:
    """A directory for one server, with a short path and on a disk: sockets and fsync need one."""
    directory = Path(tempfile.mkdtemp(prefix="stele-bench-", dir="/var/tmp"))
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
    true: Any, what: str, process: subprocess.Popen[bytes] | None = None, log: Path | None = None
) -> None:
    """Come back as soon as `true()` holds; fail with what was waited for, and with what it said."""
    deadline = time.monotonic() + PATIENCE
    while not true():
        over = process is not None and process.poll() is not None
        if over or time.monotonic() > deadline:
            said = log.read_text()[-1000:] if log else ""
            raise CannotMeasure(f"waited in vain for {what}. {said}")
        time.sleep(0.05)
