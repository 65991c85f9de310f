"""Chaos on a whole server: `stele up` with its embedded store, on a small disk of its own."""

import os
import signal
import subprocess
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from random import Random

from redis import Redis

from services.core.connections import connect
from services.core.datadir import embedded_url
from tests.chaos.ground import THINKERS, WORKERS, Ground
from tests.servers import wait_until
from tests.system.stele import Stele
from tests.worker.house import House

DISK_MB, RESERVE_MB = 192, 32


class Embedded(Ground):
    """`stele up` on a small disk of its own, if there can be one."""

    kinds: tuple[str, ...] = (
        "kill",
        "pause",
        "fill_disk",
        "cut",
        "muddle_jobs",
        "jump_clock",
        "kill_everything",
        "kill_supervisor",
        "kill",
        "kill",
        "pause",
    )

    def __init__(self, directory: Path, dice: Random, on_exit: ExitStack) -> None:
        super().__init__(directory, dice)
        self.has_disk = mount_disk(directory / "data", on_exit)
        if not self.has_disk:
            self.kinds = tuple(kind for kind in type(self).kinds if kind != "fill_disk")
        settings = {
            "STELE_WORKERS": str(WORKERS),
            "STELE_THINKERS": str(THINKERS),
            "STELE_MIN_FREE_MB": str(RESERVE_MB if self.has_disk else 0),
        }
        self.server = Stele(directory, **self.environ, **settings)
        self.server.start()
        on_exit.callback(self.end)
        self.port = self.server.port
        url = embedded_url(directory / "data")
        self.queue = Redis.from_url(url)
        self.house = House(connect(url), self.queue)

    def end(self) -> None:
        if self.server.process and self.server.process.poll() is None:
            self.server.stop()

    def pids(self) -> dict[str, list[int]]:
        words = {
            "store": b"valkey-server",
            "api": b"services.api",
            "api process": b"multiprocessing",
            "projector": b"services.worker.projector",
            "worker": b"services.worker.process",
            "thinker": b"services.worker.thinker",
            "guard": b"reaper.py",
        }
        mine = f"STELE_DATA_DIR={self.server.environ['STELE_DATA_DIR']}\0".encode()
        running: dict[str, list[int]] = {name: [] for name in words}
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if mine not in (process / "environ").read_bytes():
                    continue
                command = (process / "cmdline").read_bytes()
                for name, word in words.items():
                    if word in command:
                        running[name].append(int(process.name))
                        break
        return {name: pids for name, pids in running.items() if pids}

    def kill(self) -> None:
        """kill -9 of one process; the supervisor starts it again."""
        kinds = self.pids()
        pid = self.dice.choice(kinds[self.dice.choice(sorted(kinds))])
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        time.sleep(self.dice.uniform(0.2, 1.5))

    def kill_everything(self) -> None:
        self.server.kill_everything()
        self.server.start()

    def kill_supervisor(self) -> None:
        """Nobody may be left who holds the port, or the data directory."""
        assert self.server.process
        self.server.process.kill()
        self.server.process.wait()
        wait_until(lambda: not self.pids(), "all to be gone")
        self.server.start()

    def fill_disk(self) -> None:
        """Others fill the disk: nearly, or to the last byte."""
        ballast = self.directory / "data" / "ballast"
        room = RESERVE_MB // 2 if self.dice.random() < 0.5 else 0
        with ballast.open("wb") as file, suppress(OSError):
            while room == 0 or free_mb(self.directory / "data") > room:
                file.write(b"\0" * 2**20)
                file.flush()
        time.sleep(3)
        ballast.unlink()


def free_mb(path: Path) -> int:
    stat = os.statvfs(path)
    return stat.f_bavail * stat.f_frsize >> 20


def mount_disk(path: Path, on_exit: ExitStack) -> bool:
    """A small disk of our own at this place; False if we may not have one."""
    path.mkdir(mode=0o700)
    command = ["mount", "-t", "tmpfs", "-o", f"size={DISK_MB}m,mode=0700", "tmpfs", str(path)]
    if subprocess.run(command, capture_output=True, check=False).returncode != 0:
        return False
    on_exit.callback(subprocess.run, ["umount", "-l", str(path)], check=False)
    return True
