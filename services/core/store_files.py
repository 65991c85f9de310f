"""The append-only files of the embedded store: whether they are all there, and where a torn or damaged tail begins."""

import mmap
import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from events.clocks import utc_now
from services.core.datadir import sync_directory
from services.core.settings import ROWS, CannotStart

FOLDER = "appendonlydir"
AOF_NAME = "appendonly.aof"
AOF_MANIFEST = f"{AOF_NAME}.manifest"
TRUNCATIONS = "truncations.jsonl"
TRUNCATED = re.compile(r"Truncating the AOF (?:file )?(\S+) at offset (\d+)")
"""What the store logs of a torn tail."""
"""What the store has dropped while it started, a line each time; `stele losses --acknowledge` removes it."""
KEYS = tuple(ROWS[name].file for name in ("token_key", "signing_key", "log_key"))
"""Files of the data directory that no server with games is without: where they are, one has run."""
GAME_KEY = re.compile(rb"stele:\{[0-9]{2}\}:game:([0-9]{2}-[0-9a-z]{26}):")
FILE = re.compile(rf"{re.escape(AOF_NAME)}\.([0-9]+)\.(base|incr)\.(rdb|aof)")


def refuse_to_start_empty(data_dir: Path) -> None:
    """Refuse a directory that has held games whose files are gone: an empty store would pass for theirs."""
    if listed := listed_files(data_dir):
        if missing := [file.name for file in listed if not file.exists()]:
            raise CannotStart(
                f"The store in {data_dir} has lost {', '.join(missing)}: put them back into {FOLDER}/, or restore a backup."
            )
        return
    if has_store_files(data_dir):
        raise CannotStart(
            f"{data_dir / FOLDER} has the store's files but no usable {AOF_MANIFEST}: the store would start empty."
            f" `stele repair --data-dir {data_dir}` writes it again."
        )
    keys = [name for name in KEYS if (data_dir / name).exists()]
    if keys:
        raise CannotStart(
            f"{data_dir} has keys ({', '.join(keys)}) but no store: its games are gone or lie elsewhere."
            f" Put {FOLDER}/ back. To begin with no games, as before a `stele restore`: stele up --start-empty."
        )


def has_store_files(data_dir: Path) -> bool:
    """Has a store kept anything in this directory?"""
    return any(FILE.fullmatch(path.name) for path in (data_dir / FOLDER).glob(f"{AOF_NAME}.*"))


def listed_files(data_dir: Path) -> list[Path]:
    """The files that the manifest names, in the order in which the store reads them; none if it is missing or damaged."""
    manifest = data_dir / FOLDER / AOF_MANIFEST
    lines = manifest.read_text(encoding="utf-8", errors="replace").splitlines() if manifest.exists() else []
    words = [line.split() for line in lines if line.startswith("file ")]
    return [data_dir / FOLDER / line[1] for line in words if len(line) > 5 and line[5] in ("b", "i")]


def appended_files(data_dir: Path) -> list[Path]:
    """The files that commands were appended to, oldest first."""
    files = listed_files(data_dir) or sorted((data_dir / FOLDER).glob("*.incr.aof"))
    return [file for file in files if file.suffix == ".aof" and file.exists()]


def sizes(data_dir: Path) -> dict[str, int]:
    """How many bytes each append-only file has. A store that drops a torn tail while it starts makes one shorter."""
    return {path.name: path.stat().st_size for path in (data_dir / FOLDER).glob(f"{AOF_NAME}.*.incr.aof")}


def note_truncation(data_dir: Path, before: dict[str, int], said: str) -> str:
    """Note, for `/readyz` and the metrics, that the store dropped a torn tail while it started; a sentence about it.

    `said` is what the store logged since. Its file may be as long as before by now: expired keys are written there at once.
    """
    left = {name: int(offset) for name, offset in TRUNCATED.findall(said)}
    cuts = [(name, before[name] - end) for name, end in left.items() if before.get(name, 0) > end]
    with (data_dir / TRUNCATIONS).open("ab") as notes:
        for name, lost in cuts:
            notes.write(msgspec.json.encode({"at": utc_now(), "file": name, "bytes": lost}) + b"\n")
    return " ".join(f"The store dropped a torn tail of {lost:,} bytes from {name}." for name, lost in cuts)


def truncations(data_dir: Path) -> int:
    """How often the store has dropped a torn tail in this directory."""
    notes = data_dir / TRUNCATIONS
    return notes.read_bytes().count(b"\n") if notes.exists() else 0


# -- repairing ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Damage:
    """A tail that is no whole command: where it begins, how long it is, and whose entries it may have held."""

    file: Path
    good: int
    """Bytes up to which everything is whole."""
    bad: int
    """Bytes after them."""
    games: tuple[str, ...]


def find_damage(file: Path) -> Damage | None:
    """The damaged tail of an append-only file, if it has one."""
    size = file.stat().st_size
    if not size:
        return None
    with file.open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as data:
        good = whole_commands(data)
        if good == size:
            return None
        games = dict.fromkeys(found.decode() for found in GAME_KEY.findall(data[good:]))
        return Damage(file, good, size - good, tuple(games))


def whole_commands(data: mmap.mmap) -> int:
    """Bytes up to which a file consists of whole commands, and of transactions that reach their EXEC."""
    good, in_transaction = 0, False
    for end, command in commands(data):
        in_transaction = (in_transaction or command == b"MULTI") and command != b"EXEC"
        if not in_transaction:
            good = end
    return good


def commands(data: mmap.mmap) -> Iterator[tuple[int, bytes]]:
    """The end and the name of each command, as far as they can be read (RESP arrays, and annotations behind `#`)."""
    place = 0
    while place < len(data):
        if data[place] == ord("#"):
            end = data.find(b"\r\n", place)
            if end < 0:
                return
            place, name = end + 2, b"#"
        else:
            count, at = file_number(data, place, b"*")
            name = b""
            for word in range(count):
                length, at = file_number(data, at, b"$")
                if length < 0 or data[at + length : at + length + 2] != b"\r\n":
                    return
                if word == 0:
                    name = data[at : at + length].upper()
                at += length + 2
            if count < 1:
                return
            place = at
        yield place, name


def file_number(data: mmap.mmap, place: int, kind: bytes) -> tuple[int, int]:
    """The number behind `*` or `$`, and where what follows begins; -1 if there is none."""
    end = data.find(b"\r\n", place, place + 32)
    digits = data[place + 1 : end] if end >= 0 else b""
    if data[place : place + 1] != kind or not digits.isdigit():
        return -1, place
    return int(digits), end + 2


def cut(damage: Damage) -> None:
    """Cut a damaged tail off, on disk."""
    with damage.file.open("r+b") as file:
        file.truncate(damage.good)
        os.fsync(file.fileno())


def keep_copy(data_dir: Path) -> Path:
    """A copy of the store's files as they are, beside them."""
    now = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%fZ")
    copy = data_dir / f"{FOLDER}.before-repair-{now}"
    shutil.copytree(data_dir / FOLDER, copy)
    sync_directory(data_dir)
    return copy


def write_manifest(data_dir: Path) -> None:
    """Write a lost manifest again, from the names of the files: the newest base, and what was appended since."""
    folder = data_dir / FOLDER
    found = [(path.name, match) for path in folder.iterdir() if (match := FILE.fullmatch(path.name))]
    bases = sorted((int(match[1]), name) for name, match in found if match[2] == "base")
    increments = sorted((int(match[1]), name) for name, match in found if match[2] == "incr")
    lines = [f"file {name} seq {seq} type b" for seq, name in bases[-1:]]
    lines += [f"file {name} seq {seq} type i" for seq, name in increments]
    draft = folder / f"{AOF_MANIFEST}.draft"
    with draft.open("w", encoding="utf-8") as file:
        file.write("".join(f"{line}\n" for line in lines))
        file.flush()
        os.fsync(file.fileno())
    draft.replace(folder / AOF_MANIFEST)
    sync_directory(folder)
