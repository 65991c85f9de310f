"""Machines of today with what a released version left behind."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.servers import UNLIMITED, ValkeyServer, short_directory
from tests.system.stele import Stele
from tests.upgrades.kept import Kept, bring_in
from tests.upgrades.looking import House

DATABASE = 9
PATIENT = str(10**9)
"""Seconds that open and sealed games wait: those kept are as old as they are."""


class Machine:
    """Settings, a store and an archive, on which `stele` is run."""

    def __init__(self, kept: Kept, directory: Path) -> None:
        self.kept = kept
        self.directory = directory
        self.house = kept.house
        hosts = ",".join(f"{name}:{token}" for name, token in self.house["hosts"].items())
        self.environ = {
            "STELE_DATA_DIR": str(directory / "data"),
            "STELE_HOST_TOKENS": hosts,
            "STELE_OPERATOR_TOKENS": self.house["operator"],
            "STELE_OPEN_GAME_TTL": PATIENT,
            "STELE_SEAL_TTL": PATIENT,
            "STELE_ARCHIVE_AFTER": "0",
            "STELE_WEBHOOK_ALLOW_PRIVATE": "1",
        }

    def stele(self, *arguments: Any) -> str:
        """What a command says that must succeed."""
        done = subprocess.run(
            [Path(sys.executable).with_name("stele"), *map(str, arguments)],
            env=os.environ | UNLIMITED | self.environ,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    @contextmanager
    def up(self, workers: int) -> Iterator[House]:
        """The server, for the length of the block; without workers nothing happens by itself."""
        server = Stele(
            self.directory, **self.environ | {"STELE_WORKERS": str(workers), "STELE_THINKERS": "0"}
        )
        try:
            server.start()
            yield House(server, self.house)
        finally:
            server.http.close()
            if server.process and server.process.poll() is None:
                server.stop()


@pytest.fixture
def machine(version: str) -> Iterator[Machine]:
    """A machine that has nothing yet, for what this version left."""
    with short_directory() as directory:
        yield Machine(Kept(version), directory)


Furnish = Callable[[str], Machine]


@pytest.fixture
def furnished(machine: Machine, valkey: ValkeyServer) -> Furnish:
    """The machine with what was left, brought to it in one of several ways."""
    with valkey.client(db=DATABASE) as client:
        client.flushdb()

    def furnish(way: str) -> Machine:
        kept, data = machine.kept, machine.directory / "data"
        if way == "data directory":
            kept.unpack_data(data)
            shutil.copytree(kept.archive, data / "archive")
            return machine
        machine.environ["STELE_STORE_URL"] = f"{valkey.url}?db={DATABASE}"
        machine.environ |= {f"STELE_{name.upper()}_KEY": key for name, key in machine.house["keys"].items()}
        if way == "backup":
            machine.stele("restore", kept.backup)
            return machine
        shutil.copytree(kept.archive, data / "archive")
        with valkey.client(db=DATABASE) as client:
            bring_in(client, kept.rows)
        if way == "rebuilt store":
            machine.stele("rebuild")
        elif way == "archived store":
            machine.stele("archive", "--older-than", "0s")
        return machine

    return furnish
