"""A transparency log on disk: full tiles as files, and a small database of everything that still changes.

One transaction adds leaves, so that a crash leaves all of them or none. Full tiles wait in the database until they are
files.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from replays.audit.verify import (
    HASH_BYTES,
    TILE_WIDTH,
    NotChecked,
    Tree,
    leaf_hash,
    tile_path,
)
from replays.transparency.growing_tree import GrowingTree
from replays.transparency.notes import NoteSigner, bundle, proof_text, unbundled
from services.core.archive import make_directory, write_atomically
from services.core.crash_points import crash_point

DATABASE = "log.db"
DRAFT_DATABASE = ".log.db.draft"
BUSY_SECONDS = 10
"""How long a reader waits while the writer commits."""
SCHEMA = """
CREATE TABLE about (origin TEXT, public BLOB, size INTEGER);
CREATE TABLE edge (level INTEGER PRIMARY KEY, hashes BLOB);
CREATE TABLE leaves (place INTEGER PRIMARY KEY, leaf BLOB);
CREATE TABLE places (hash BLOB PRIMARY KEY, place INTEGER) WITHOUT ROWID;
CREATE TABLE checkpoints (size INTEGER PRIMARY KEY, at REAL, note TEXT);
CREATE TABLE unwritten (path TEXT PRIMARY KEY, content BLOB);
CREATE TABLE witnesses (name TEXT PRIMARY KEY, size INTEGER, problem TEXT);
"""


class AboutLog(NamedTuple):
    """Whose log it is, and how long."""

    origin: str
    public: bytes
    size: int


class PublishedCheckpoint(NamedTuple):
    """A checkpoint as it is handed out, its cosignatures included."""

    size: int
    at: float
    note: str


class LogFiles:
    """One log in one directory."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def exists(self) -> bool:
        return (self.directory / DATABASE).exists()

    @contextmanager
    def transaction(self, *, write: bool = False) -> Iterator[sqlite3.Connection]:
        """The database for the length of the block; a writer commits at its end, and the disk has it then."""
        address = f"{(self.directory / DATABASE).absolute().as_uri()}?mode=rw"
        with closing(
            sqlite3.connect(address, uri=True, timeout=BUSY_SECONDS, isolation_level=None)
        ) as database:
            database.execute("PRAGMA synchronous = EXTRA")
            database.execute("BEGIN IMMEDIATE" if write else "BEGIN")
            yield database
            database.execute("COMMIT")

    def begin(self, signer: NoteSigner, leaves: Sequence[bytes] = ()) -> None:
        """Make a log that begins with these leaves, whole or not at all."""
        make_directory(self.directory)
        draft = self.directory / DRAFT_DATABASE
        draft.unlink(missing_ok=True)
        with closing(sqlite3.connect(draft)) as database:
            database.executescript(SCHEMA)
            database.execute("INSERT INTO about VALUES (?, ?, 0)", (signer.name, signer.public))
            _append(database, leaves)
            database.commit()
        write_atomically(self.directory / DATABASE, draft.read_bytes())
        draft.unlink()

    # -- reading ----------------------------------------------------------------------------------------------------

    def about(self) -> AboutLog:
        with self.transaction() as database:
            return AboutLog(*database.execute("SELECT origin, public, size FROM about").fetchone())

    def latest_checkpoint(self) -> PublishedCheckpoint | None:
        with self.transaction() as database:
            row = database.execute("SELECT size, at, note FROM checkpoints ORDER BY size DESC LIMIT 1")
            return _checkpoint(row.fetchone())

    def tile(self, level: int, number: int, width: int) -> bytes | None:
        """The first hashes of a tile; None if it has not so many."""
        content = self._content(tile_path(level, number))
        if content is None:
            with self.transaction() as database:
                (size,) = database.execute("SELECT size FROM about").fetchone()
                row = database.execute("SELECT hashes FROM edge WHERE level = ?", (level,)).fetchone()
            if row is None or number != size // TILE_WIDTH ** (level + 1):
                return None
            (content,) = row
        wanted = width * HASH_BYTES
        return content[:wanted] if len(content) >= wanted else None

    def entries(self, number: int, width: int) -> bytes | None:
        """The first leaves of a bundle; None if it has not so many."""
        content = self._content(tile_path("entries", number))
        if content is not None:
            return bundle(unbundled(content, width))
        first = number * TILE_WIDTH
        with self.transaction() as database:
            rows = database.execute(
                "SELECT leaf FROM leaves WHERE place >= ? AND place < ? ORDER BY place",
                (first, first + width),
            ).fetchall()
        return bundle([leaf for (leaf,) in rows]) if len(rows) == width else None

    def _content(self, path: str) -> bytes | None:
        """A full tile or bundle: a file, or about to be one."""
        try:
            return (self.directory / path).read_bytes()
        except OSError:
            with self.transaction() as database:
                row = database.execute("SELECT content FROM unwritten WHERE path = ?", (path,)).fetchone()
            return None if row is None else bytes(row[0])

    def tree(self, size: int) -> Tree:
        """The tree of the first leaves, as long as there are so many."""
        return Tree(size, self.read_tile)

    def read_tile(self, level: int, number: int, width: int) -> bytes:
        """The first hashes of a tile that must be there."""
        content = self.tile(level, number, width)
        if content is None:
            raise NotChecked(f"{tile_path(level, number, width)} is missing")
        return content

    def proof(self, leaf: bytes) -> str | None:
        """The proof that a leaf is in the first checkpoint that has it; None if none has it yet."""
        with self.transaction() as database:
            found = database.execute("SELECT place FROM places WHERE hash = ?", (leaf_hash(leaf),)).fetchone()
            if found is None:
                return None
            row = database.execute(
                "SELECT size, at, note FROM checkpoints WHERE size > ? ORDER BY size LIMIT 1", found
            ).fetchone()
        checkpoint = _checkpoint(row)
        if checkpoint is None:
            return None
        return proof_text(found[0], self.tree(checkpoint.size).inclusion(found[0]), checkpoint.note)

    # -- writing ----------------------------------------------------------------------------------------------------

    def append(self, leaves: Sequence[bytes]) -> int:
        """Add the leaves that are not there yet, in this order, all or none; how many were added."""
        with self.transaction(write=True) as database:
            added = _append(database, leaves)
            crash_point("before the leaves are committed")
        return added

    def write_full_tiles(self) -> None:
        """Make files of what has become full."""
        with self.transaction() as database:
            waiting = database.execute("SELECT path, content FROM unwritten").fetchall()
        for path, content in waiting:
            write_atomically(self.directory / path, content)
            crash_point("between a tile's file and its row")
            with self.transaction(write=True) as database:
                database.execute("DELETE FROM unwritten WHERE path = ?", (path,))

    def publish(self, signer: NoteSigner, at: float) -> PublishedCheckpoint | None:
        """Sign what is there, if anything is new since the checkpoint before."""
        with self.transaction(write=True) as database:
            (size,) = database.execute("SELECT size FROM about").fetchone()
            known = database.execute("SELECT 1 FROM checkpoints WHERE size = ?", (size,)).fetchone()
            if known or not size:
                return None
            rows = database.execute("SELECT hashes FROM edge ORDER BY level").fetchall()
            root = GrowingTree(size, [hashes for (hashes,) in rows]).root()
            checkpoint = PublishedCheckpoint(size, at, signer.checkpoint(size, root))
            database.execute("INSERT INTO checkpoints VALUES (?, ?, ?)", checkpoint)
        return checkpoint

    def add_cosignatures(self, size: int, name: str, lines: str) -> None:
        """Publish what a witness has signed with the checkpoint of this size."""
        with self.transaction(write=True) as database:
            database.execute("UPDATE checkpoints SET note = note || ? WHERE size = ?", (lines, size))
            database.execute("INSERT OR REPLACE INTO witnesses VALUES (?, ?, NULL)", (name, size))

    def note_problem(self, name: str, problem: str) -> bool:
        """Keep why a witness did not sign; False if it was the same the last time."""
        with self.transaction(write=True) as database:
            row = database.execute("SELECT problem FROM witnesses WHERE name = ?", (name,)).fetchone()
            if row == (problem,):
                return False
            database.execute(
                "INSERT INTO witnesses VALUES (?, 0, ?) ON CONFLICT (name) DO UPDATE SET problem = excluded.problem",
                (name, problem),
            )
        return True

    def cosigned_size(self, name: str) -> int:
        """The size of the latest checkpoint that a witness has signed."""
        with self.transaction() as database:
            row = database.execute("SELECT size FROM witnesses WHERE name = ?", (name,)).fetchone()
        return int(row[0]) if row else 0

    def copy_to(self, directory: Path) -> None:
        """Copy the log as it is at one moment; the database, which makes a log of the copy, has its name last."""
        make_directory(directory)
        draft = directory / DRAFT_DATABASE
        draft.unlink(missing_ok=True)
        with (
            closing(sqlite3.connect(self.directory / DATABASE)) as source,
            closing(sqlite3.connect(draft)) as copy,
        ):
            source.backup(copy)
        for path in sorted((self.directory / "tile").rglob("*")):
            if path.is_file() and not path.name.startswith("."):
                write_atomically(directory / path.relative_to(self.directory), path.read_bytes())
        write_atomically(directory / DATABASE, draft.read_bytes())
        draft.unlink()


def _checkpoint(row: Any) -> PublishedCheckpoint | None:
    return None if row is None else PublishedCheckpoint(*row)


def _append(database: sqlite3.Connection, leaves: Sequence[bytes]) -> int:
    """Add leaves in a transaction that is under way."""
    (size,) = database.execute("SELECT size FROM about").fetchone()
    rows = database.execute("SELECT hashes FROM edge ORDER BY level").fetchall()
    tree = GrowingTree(size, [hashes for (hashes,) in rows])
    for leaf in leaves:
        _add(database, tree, leaf)
    for level, hashes in enumerate(tree.edge):
        database.execute("INSERT OR REPLACE INTO edge VALUES (?, ?)", (level, hashes))
    database.execute("UPDATE about SET size = ?", (tree.size,))
    return int(tree.size - size)


def _add(database: sqlite3.Connection, tree: GrowingTree, leaf: bytes) -> None:
    """Add one leaf, unless it is there; a full bundle and full tiles wait to become files."""
    place = tree.size
    added = database.execute("INSERT OR IGNORE INTO places VALUES (?, ?)", (leaf_hash(leaf), place))
    if not added.rowcount:
        return
    database.execute("INSERT INTO leaves VALUES (?, ?)", (place, leaf))
    filled = tree.append(leaf)
    for tile in filled:
        path = tile_path(tile.level, tile.number)
        database.execute("INSERT INTO unwritten VALUES (?, ?)", (path, tile.hashes))
    if filled:
        rows = database.execute("SELECT leaf FROM leaves ORDER BY place").fetchall()
        content = bundle([leaf for (leaf,) in rows])
        database.execute(
            "INSERT INTO unwritten VALUES (?, ?)", (tile_path("entries", place // TILE_WIDTH), content)
        )
        database.execute("DELETE FROM leaves")
