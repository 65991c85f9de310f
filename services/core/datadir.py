"""The data directory: private to its owner, locked by one process at a time; it holds the generated secrets."""

import fcntl
import json
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

from services.core.settings import ROWS, CannotStart, Settings

LOCK_FILE = "lock"
SOCKET_FILE = "valkey.sock"
LOG_FILE = "valkey.log"
STAMP = "format.json"
FORMAT = 1
"""The format of a data directory that this version writes. It rises when an older version must not touch the directory."""


def prepare_data_dir(data_dir: Path) -> None:
    """Make the directory, for its owner only, and see that it can be written to."""
    try:
        data_dir.parent.mkdir(parents=True, exist_ok=True)
        data_dir.mkdir(mode=0o700, exist_ok=True)
        with tempfile.TemporaryFile(dir=data_dir):
            pass
    except OSError as problem:
        raise CannotStart(
            f"The data directory {data_dir} cannot be used: {os_error_reason(problem)}."
            " Choose another with --data-dir (STELE_DATA_DIR)."
        ) from None


def os_error_reason(problem: OSError) -> str:
    return (problem.strerror or str(problem)).lower()


def free_mb(data_dir: Path) -> int:
    """The megabytes that can still be written there."""
    return shutil.disk_usage(data_dir).free // 2**20


@contextmanager
def lock_data_dir(data_dir: Path, command: str) -> Iterator[None]:
    """Hold the directory for this process (and no child of it); refused if another does, by name."""
    lock = os.open(data_dir / LOCK_FILE, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise CannotStart(
                f"The data directory {data_dir} is in use by {lock_holder(lock)}."
                " Stop it first, or choose another with --data-dir (STELE_DATA_DIR)."
            ) from None
        since = datetime.now(UTC).isoformat(timespec="seconds")
        os.ftruncate(lock, 0)
        os.pwrite(lock, json.dumps({"pid": os.getpid(), "since": since, "command": command}).encode(), 0)
        yield
    finally:
        os.close(lock)  # which lets go; the file stays, for a lock on a removed file holds nothing


def lock_holder(lock: int) -> str:
    """Who wrote their name into the lock; it is empty for a moment after being taken."""
    try:
        who = json.loads(os.pread(lock, 4096, 0))
        return f"`{who['command']}`, process {who['pid']}, since {who['since']}"
    except (ValueError, KeyError):
        return "another process"


def stamp_format(data_dir: Path) -> None:
    """Refuse a directory that a newer version wrote; stamp one that has no stamp yet."""
    stamp = data_dir / STAMP
    if not stamp.exists():
        write_secret(stamp, json.dumps({"format": FORMAT}))
    try:
        found = int(json.loads(stamp.read_bytes())["format"])
    except (OSError, ValueError, KeyError, TypeError):
        raise CannotStart(
            f"{stamp} cannot be read: restore it, or remove it if no newer Stele has used {data_dir}."
        ) from None
    if found > FORMAT:
        raise CannotStart(
            f"A newer Stele wrote {data_dir} (format {found}, and this version knows {FORMAT}): run that version."
        )


def embedded_url(data_dir: Path) -> str:
    """Where the store listens that `stele up` keeps in this directory."""
    return f"unix://{quote(str(socket_of(data_dir)))}"


def socket_of(data_dir: Path) -> Path:
    """The socket in the data directory, or the one that a link there leads to if the path is too long."""
    socket = data_dir / SOCKET_FILE
    return socket.readlink() if socket.is_symlink() else socket


def token_key(settings: Settings) -> bytes:
    """The key of seat tokens and tickets: the one given, or the data directory's own."""
    return (settings.token_key or load_or_create_secret(settings.data_dir, ROWS["token_key"].file)).encode()


def load_or_create_secret(data_dir: Path, name: str) -> str:
    """The secret of that name, made if there is none yet; processes that start at once agree on one."""
    path = data_dir / name
    if not path.exists():
        prepare_data_dir(data_dir)
        write_secret(path, secrets.token_hex(32))
    return read_secret(path)


def check_secrets(settings: Settings) -> None:
    """Refuse key files of the data directory that are empty, cannot be read, or hold no key: before anything starts."""
    for field, row in ROWS.items():
        path = settings.data_dir / row.file
        if row.file and getattr(settings, field) is None and path.exists():
            try:
                row.read(read_secret(path))
            except ValueError as wanted:
                raise CannotStart(
                    f"The secret {path} must be {wanted}: put the right one back from a backup of the keys."
                ) from None


def read_secret(path: Path) -> str:
    """The secret in a file, which must be there for its owner only."""
    try:
        if path.stat().st_mode & 0o007:
            raise CannotStart(f"Everyone on this machine may read the secret {path}: chmod 600 {path}.")
        secret = path.read_text(encoding="utf-8").strip()
    except OSError as problem:
        raise CannotStart(f"The secret {path} cannot be read: {os_error_reason(problem)}.") from None
    except UnicodeDecodeError:
        raise CannotStart(
            f"The secret {path} is no text: put the right one back from a backup of the keys."
        ) from None
    if not secret:
        raise CannotStart(
            f"The secret {path} is empty: put it back, or remove the file to have a new one made."
        )
    return secret


def write_secret(path: Path, secret: str) -> None:
    """Write the secret whole and for its owner only; whoever comes second leaves the first one's in place."""
    written, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")  # mode 0600
    try:
        with os.fdopen(written, "w") as file:
            file.write(secret + "\n")
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):
            os.link(draft, path)
    finally:
        Path(draft).unlink()
    sync_directory(path.parent)


def sync_directory(directory: Path) -> None:
    """Have the names in it on disk, too."""
    opened = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
