"""The whole of Stele as people run it: `stele up` in a process of its own, spoken to over HTTP."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx

from tests.servers import PATIENCE, UNLIMITED, free_ports, short_directory

ONE_OF_EACH = {"STELE_WORKERS": "1", "STELE_THINKERS": "1"}
"""Every process that a test starts costs it half a second of a processor (`tests/soak/` starts as many as people do)."""


class Stele:
    """A running server that can be killed and started again on the same data."""

    def __init__(self, directory: Path, **environ: str) -> None:
        self.directory = directory
        (self.port,) = free_ports(1)
        self.url = f"http://127.0.0.1:{self.port}"
        self.environ = (
            os.environ
            | {"STELE_DATA_DIR": str(directory / "data"), "STELE_PORT": str(self.port)}
            | UNLIMITED
            | ONE_OF_EACH
            | environ
        )
        self.process: subprocess.Popen[bytes] | None = None
        self.http = httpx.Client(timeout=PATIENCE)

    def start(self) -> None:
        with (self.directory / "said").open("ab") as said:
            self.process = subprocess.Popen(
                [Path(sys.executable).with_name("stele"), "up"],
                env=self.environ,
                stdout=said,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                if httpx.get(f"{self.url}/readyz", timeout=10).status_code == 200:
                    return
            except httpx.TransportError:
                pass
            time.sleep(0.02)
        raise TimeoutError((self.directory / "said").read_text())

    def stop(self) -> float:
        """Ask it to stop; gives the seconds it took."""
        assert self.process
        began = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(PATIENCE)
        return time.monotonic() - began

    def kill_everything(self) -> None:
        """kill -9 for every process that serves this data directory: supervisor, store, API, workers."""
        assert self.process
        for pid in self.processes():
            os.kill(pid, signal.SIGKILL)
        self.process.wait(PATIENCE)

    def kill(self, program: str) -> int:
        """kill -9 for every process of one program (`services.api`), with all that it started; how many there were."""
        killed = 0
        for pid in self.processes():
            with suppress(ProcessLookupError):  # it has ended by itself, or with another
                if program.encode() in (Path("/proc") / str(pid) / "cmdline").read_bytes().split(b"\0"):
                    os.killpg(pid, signal.SIGKILL)
                    killed += 1
        return killed

    def processes(self) -> Iterator[int]:
        """Every process that serves this data directory."""
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):  # it is not ours, or no more
                if (
                    f"STELE_DATA_DIR={self.environ['STELE_DATA_DIR']}\0".encode()
                    in (process / "environ").read_bytes()
                ):
                    yield int(process.name)


@contextmanager
def stele_up(**environ: str) -> Iterator[Stele]:
    """A server for the length of the block."""
    with short_directory() as directory:
        server = Stele(directory, **environ)
        try:
            server.start()
            yield server
        finally:
            server.http.close()
            if server.process and server.process.poll() is None:
                server.stop()


class Player:
    """Someone at a table: a seat's token, or none for a spectator."""

    def __init__(self, server: Stele, path: str, token: str | None) -> None:
        self.server, self.path = server, path
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}

    def get(self, part: str = "", **query: Any) -> Any:
        """What a part of the game shows."""
        url = f"{self.server.url}{self.path}{part}"
        return self.server.http.get(url, params=query, headers=self.headers).raise_for_status().json()

    def look(self) -> Any:
        return self.get()

    def legal(self) -> Any:
        return self.get("/actions")["actions"]

    def post(self, part: str, body: Any = None, key: str | None = None) -> httpx.Response:
        headers = self.headers | ({"Idempotency-Key": key} if key else {})
        return self.server.http.post(f"{self.server.url}{self.path}{part}", json=body, headers=headers)

    def act(self, action: Any, key: str | None = None) -> httpx.Response:
        return self.post("/actions", action, key)


def sit_down(server: Stele, ruleset: str, seats: int = 2, **wanted: Any) -> list[Player]:
    """A new game with everyone named: its players."""
    body = {"ruleset": ruleset, "players": [{"name": f"Player {n}"} for n in range(seats)], **wanted}
    game = server.http.post(f"{server.url}/v1/games", json=body).raise_for_status().json()
    return [Player(server, game["links"]["self"], seat["token"]) for seat in game["seats"]]


def events(server: Stele, path: str, after: int = 0) -> Iterator[Any]:
    """The live events of a game as a spectator sees them, until the server closes the stream."""
    headers = {"Accept": "text/event-stream", "Last-Event-ID": str(after)}
    with httpx.stream("GET", f"{server.url}{path}/events", headers=headers, timeout=60) as stream:
        for line in stream.iter_lines():
            if line.startswith("data: "):
                yield json.loads(line.removeprefix("data: "))
