"""Where the club finds its games, and what it signs with."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Settings:
    token: str
    """The club's token as a host of the game server."""
    secret: str
    """What links and sessions are signed with."""
    stele: str = "http://127.0.0.1:8000"
    """The game server, as the club calls it."""
    public_stele: str = "http://127.0.0.1:8000"
    """The same server, as browsers call it."""
    host: str = "club"
    """What the game server calls the club."""
    database: Path = Path("club.sqlite3")
    outbox: Path | None = None
    """Where mails are written, one JSON each line; without it they are printed."""
    secure: bool = False
    """Is the club served by https alone?"""

    @classmethod
    def of(cls, environ: Mapping[str, str]) -> "Settings":
        stele = environ.get("CLUB_STELE", cls.stele)
        outbox = environ.get("CLUB_OUTBOX")
        return cls(
            token=environ["CLUB_TOKEN"],
            secret=environ["CLUB_SECRET"],
            stele=stele,
            public_stele=environ.get("CLUB_PUBLIC_STELE", stele),
            host=environ.get("CLUB_NAME", cls.host),
            database=Path(environ.get("CLUB_DATABASE", cls.database)),
            outbox=Path(outbox) if outbox else None,
            secure=environ.get("CLUB_HTTPS") == "1",
        )
