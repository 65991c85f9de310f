"""The loader: a process of node that plays the clients of a server (bench/loader)."""

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from bench import node
from bench.node import CannotMeasure
from bench.servers import Server, end


class Result(NamedTuple):
    """How a job went: actions a second, milliseconds for one request, and processor time for one action by program."""

    rate: float
    p50: float
    p99: float
    actions: int
    """All that were done, before the measured time too."""
    cpu: dict[str, float]
    """Microseconds."""

    @property
    def all_cpu(self) -> float:
        return sum(self.cpu.values())


class Loader:
    """A job that is ready to begin."""

    def __init__(self, process: subprocess.Popen[str], server: Server) -> None:
        self._process = process
        self._server = server
        self.about = self._hear()

    def begin(self) -> None:
        """Let the clients act."""
        assert self._process.stdin
        self._before = self._server.used()
        print(file=self._process.stdin, flush=True)

    def result(self, *, settle: Any = None) -> Result:
        """What was measured, once it is over. `settle` waits until what was set off has been done, too."""
        report = self._hear()
        if report["exhausted"]:
            raise CannotMeasure(
                "there were not enough games for the whole time: more must be made beforehand"
            )
        if not report["requests"]:
            raise CannotMeasure("not one request was made in the measured time: it is too short")
        if settle:
            settle()
        cpu = {
            name: (seconds - self._before.get(name, 0.0)) / max(1, report["all"]) * 1e6
            for name, seconds in self._server.used().items()
        }
        return Result(report["rate"], report["p50"], report["p99"], report["all"], cpu)

    def _hear(self) -> Any:
        assert self._process.stdout
        line = self._process.stdout.readline()
        if not line:
            assert self._process.stderr
            raise CannotMeasure(f"the loader failed: {self._process.stderr.read()[-1500:]}")
        return json.loads(line)


@contextmanager
def loader(server: Server, subject: str, does: str, **job: Any) -> Iterator[Loader]:
    """Clients of a server that are ready to begin. `subject` and `does` name what is in bench/loader."""
    node.install()
    order = json.dumps({"subject": subject, "does": does, "port": server.port, **job})
    process = subprocess.Popen(
        [node.node(), str(node.LOADER / "load.mjs"), order],
        env={**os.environ, **node.PACKAGES},
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        yield Loader(process, server)
    finally:
        end(process)
        for pipe in (process.stdin, process.stdout, process.stderr):
            assert pipe
            pipe.close()


def load(server: Server, subject: str, does: str, *, settle: Any = None, **job: Any) -> Result:
    """A whole job, at once."""
    with loader(server, subject, does, **job) as clients:
        if settle:
            settle()
        clients.begin()
        return clients.result(settle=settle)
