"""High-water mark: where each log ended, in a file outside the store's own files, so that a start-up sees what the store lost.

The store's append-only file cannot tell that its tail is gone. The projector writes the heads down a few times a second
(`services/worker/head_recorder.py`); `stele up` compares them with the logs before anybody plays on.
"""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from events.clocks import utc_now
from events.keys import keys_of
from events.store import Client

MARK_FILE = "heads.sqlite"
GAMES_PER_COMPARISON = 500
"""Logs whose lengths are asked for in one round trip."""
RAISE_HEAD = "INSERT INTO heads VALUES (?, ?) ON CONFLICT (game) DO UPDATE SET seq = max(seq, excluded.seq)"
TABLES = """
CREATE TABLE IF NOT EXISTS heads (game TEXT PRIMARY KEY, seq INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS cursors (feed TEXT PRIMARY KEY, line TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS lost (game TEXT, known INTEGER, found INTEGER, at TEXT);
"""


class MissingEntries(NamedTuple):
    """A log that ends before an entry that it held: the number that was known, and the number it ends at now."""

    game: str
    known: int
    found: int

    def __str__(self) -> str:
        return f"{self.game} ended at entry {self.known} and ends at entry {self.found} now"


class HighWaterMark:
    """The heads of a data directory's logs. Any process may read and write it; each change is on disk when it is made."""

    def __init__(self, data_dir: Path) -> None:
        self.path = data_dir / MARK_FILE

    def note(self, heads: Mapping[str, int], cursors: Mapping[str, str] = MappingProxyType({})) -> None:
        """Logs have reached these numbers; the feeds were read up to these lines."""
        with self._open() as mark:
            mark.executemany(RAISE_HEAD, heads.items())
            mark.executemany("INSERT OR REPLACE INTO cursors VALUES (?, ?)", cursors.items())

    def cursors(self) -> dict[str, str]:
        """The lines up to which the feeds were read."""
        with self._open() as mark:
            return dict(mark.execute("SELECT feed, line FROM cursors"))

    def compare(self, client: Client) -> list[MissingEntries]:
        """Find the logs that end before their mark, write down which they are, and lower their marks."""
        with self._open() as mark:
            known = [(str(game), int(seq)) for game, seq in mark.execute("SELECT game, seq FROM heads")]
        missing = []
        for start in range(0, len(known), GAMES_PER_COMPARISON):
            some = known[start : start + GAMES_PER_COMPARISON]
            lengths = lengths_of(client, [game for game, _ in some])
            missing += [
                MissingEntries(*head, lengths[head[0]]) for head in some if lengths[head[0]] < head[1]
            ]
        with self._open() as mark:
            at = utc_now()
            mark.executemany("INSERT INTO lost VALUES (?, ?, ?, ?)", [(*each, at) for each in missing])
            mark.executemany(
                "UPDATE heads SET seq = ? WHERE game = ?", [(each.found, each.game) for each in missing]
            )
        return missing

    def lost(self) -> list[MissingEntries]:
        """What was found missing and nobody has acknowledged."""
        if not self.path.exists():
            return []
        with self._open() as mark:
            rows = mark.execute("SELECT game, known, found FROM lost ORDER BY at, game")
            return [MissingEntries(*row) for row in rows]

    def acknowledge(self) -> None:
        """Someone has looked into what was lost: report it no longer."""
        with self._open() as mark:
            mark.execute("DELETE FROM lost")

    def reset(self) -> None:
        """Forget everything: the store starts empty, as it was asked to."""
        for name in (MARK_FILE, f"{MARK_FILE}-wal", f"{MARK_FILE}-shm"):
            self.path.with_name(name).unlink(missing_ok=True)

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self.path, timeout=10)) as mark:
            mark.execute("PRAGMA journal_mode = WAL")
            mark.execute("PRAGMA synchronous = FULL")
            mark.executescript(TABLES)
            with mark:  # one transaction
                yield mark


def lengths_of(client: Client, games: Sequence[str]) -> dict[str, int]:
    """How many entries each of these logs has; those of an archived log are counted by its tombstone."""
    with client.pipeline(transaction=False) as pipe:
        for game in games:
            pipe.xlen(keys_of(game).stream)
            pipe.hget(keys_of(game).archived, "seq")
        answers: list[Any] = pipe.execute()
    pairs = zip(games, answers[::2], answers[1::2], strict=True)
    return {game: length or int(archived or 0) for game, length, archived in pairs}
