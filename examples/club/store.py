"""The club's own data, in SQLite: who its members are, what they asked each other, and which seats they hold.

Games are not here: they are the game server's. A member's `ref` is all that both know of a person.
"""

import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

SCHEMA = """
CREATE TABLE IF NOT EXISTS members (ref TEXT PRIMARY KEY, email TEXT UNIQUE NOT NULL, name TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS used_links (nonce TEXT PRIMARY KEY);
CREATE TABLE IF NOT EXISTS challenges (
  id INTEGER PRIMARY KEY, challenger TEXT NOT NULL, challenged TEXT NOT NULL, ruleset TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS seats (game TEXT, ref TEXT, token TEXT NOT NULL, PRIMARY KEY (game, ref));
CREATE TABLE IF NOT EXISTS news (
  id INTEGER PRIMARY KEY, ref TEXT NOT NULL, kind TEXT NOT NULL, about TEXT NOT NULL, text TEXT NOT NULL, link TEXT NOT NULL,
  UNIQUE (ref, kind, about));
CREATE TABLE IF NOT EXISTS feed (only INTEGER PRIMARY KEY CHECK (only = 1), cursor TEXT NOT NULL);
"""


class Member(NamedTuple):
    ref: str
    email: str
    name: str


class Challenge(NamedTuple):
    id: int
    challenger: str
    challenged: str
    ruleset: str


class News(NamedTuple):
    id: int
    text: str
    link: str


class Store:
    def __init__(self, path: Path) -> None:
        self._path = path
        with self._connection() as db:
            db.execute("PRAGMA journal_mode = WAL")
            db.executescript(SCHEMA)

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        """A transaction: all of it, or nothing."""
        db = sqlite3.connect(self._path, timeout=10)
        try:
            with db:
                yield db
        finally:
            db.close()

    # -- members ------------------------------------------------------------------------------------------------------

    def member(self, ref: str) -> Member | None:
        with self._connection() as db:
            row = db.execute("SELECT ref, email, name FROM members WHERE ref = ?", (ref,)).fetchone()
        return Member(*row) if row else None

    def members(self) -> list[Member]:
        with self._connection() as db:
            return [Member(*row) for row in db.execute("SELECT ref, email, name FROM members ORDER BY name")]

    def enter(self, nonce: str, email: str, name: str) -> Member | None:
        """The member who came by a link, who is new if nobody has this address; None if the link was used before."""
        with self._connection() as db:
            if not db.execute("INSERT OR IGNORE INTO used_links VALUES (?)", (nonce,)).rowcount:
                return None
            ref = f"m-{secrets.token_hex(8)}"  # nothing of the address: refs stand in public games
            db.execute("INSERT OR IGNORE INTO members VALUES (?, ?, ?)", (ref, email, name))
            row = db.execute("SELECT ref, email, name FROM members WHERE email = ?", (email,)).fetchone()
        return Member(*row)

    # -- challenges ---------------------------------------------------------------------------------------------------

    def challenge(self, challenger: str, challenged: str, ruleset: str) -> int:
        with self._connection() as db:
            done = db.execute(
                "INSERT INTO challenges (challenger, challenged, ruleset) VALUES (?, ?, ?)",
                (challenger, challenged, ruleset),
            )
        assert done.lastrowid is not None
        return done.lastrowid

    def challenges(self, ref: str) -> list[Challenge]:
        """Those that a member has made or been given."""
        wanted = "SELECT id, challenger, challenged, ruleset FROM challenges WHERE ? IN (challenger, challenged) ORDER BY id"
        with self._connection() as db:
            return [Challenge(*row) for row in db.execute(wanted, (ref,))]

    def find_challenge(self, challenge: int, challenged: str) -> Challenge | None:
        wanted = "SELECT id, challenger, challenged, ruleset FROM challenges WHERE id = ? AND challenged = ?"
        with self._connection() as db:
            row = db.execute(wanted, (challenge, challenged)).fetchone()
        return Challenge(*row) if row else None

    def end_challenge(self, challenge: int) -> None:
        with self._connection() as db:
            db.execute("DELETE FROM challenges WHERE id = ?", (challenge,))

    # -- seats --------------------------------------------------------------------------------------------------------

    def keep_seat(self, game: str, ref: str, token: str) -> None:
        with self._connection() as db:
            db.execute("INSERT OR REPLACE INTO seats VALUES (?, ?, ?)", (game, ref, token))

    def seat(self, game: str, ref: str) -> str | None:
        """The token of a member's seat."""
        with self._connection() as db:
            row = db.execute("SELECT token FROM seats WHERE game = ? AND ref = ?", (game, ref)).fetchone()
        return row[0] if row else None

    def seated(self, game: str) -> set[str]:
        with self._connection() as db:
            return {ref for (ref,) in db.execute("SELECT ref FROM seats WHERE game = ?", (game,))}

    # -- news ---------------------------------------------------------------------------------------------------------

    def tell(self, ref: str, kind: str, about: str, text: str, link: str) -> None:
        """Tell a member something; told again, it takes the place of the first."""
        with self._connection() as db:
            db.execute(
                "INSERT OR REPLACE INTO news (ref, kind, about, text, link) VALUES (?, ?, ?, ?, ?)",
                (ref, kind, about, text, link),
            )

    def news(self, ref: str) -> list[News]:
        wanted = "SELECT id, text, link FROM news WHERE ref = ? ORDER BY id DESC"
        with self._connection() as db:
            return [News(*row) for row in db.execute(wanted, (ref,))]

    def forget_news(self, ref: str, about: str, kind: str | None = None) -> None:
        """A member has seen what was told about this, or what was told is over."""
        with self._connection() as db:
            db.execute(
                "DELETE FROM news WHERE ref = ? AND about = ? AND kind = coalesce(?, kind)",
                (ref, about, kind),
            )

    # -- the feed -----------------------------------------------------------------------------------------------------

    def cursor(self) -> str | None:
        with self._connection() as db:
            row = db.execute("SELECT cursor FROM feed").fetchone()
        return row[0] if row else None

    def keep_cursor(self, cursor: str) -> None:
        with self._connection() as db:
            db.execute("INSERT OR REPLACE INTO feed VALUES (1, ?)", (cursor,))
