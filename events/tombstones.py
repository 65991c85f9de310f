"""Tombstones of archived games: what the store keeps of a log that has moved, and what an archive must be able to do."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from events.entries import Carved, RequestReference
from games.kernel import Refusal


class Tombstone(NamedTuple):
    """What stands where a log was: where the log ended, when it was moved, and who may know of the game."""

    seq: int
    hash: str
    at: str
    private: bool
    host: str | None

    def fields(self) -> dict[str, str | int]:
        """The tombstone as the fields of a hash in the store."""
        return {**self._asdict(), "private": int(self.private), "host": self.host or ""}


def read_tombstone(fields: Mapping[bytes, bytes]) -> Tombstone:
    """A tombstone as the store keeps it."""
    values = {name.decode(): value.decode() for name, value in fields.items()}
    return Tombstone(
        int(values["seq"]), values["hash"], values["at"], values["private"] == "1", values["host"] or None
    )


class Archive(Protocol):
    """Gives the logs that are not in the store any more."""

    def entries(self, game: str, seq: int, digest: str) -> Sequence[Carved]:
        """The whole log of a game, which ends with this entry; ArchiveUnavailable if just that is not to be had."""


class ArchiveUnavailable(Refusal):
    """The log of an archived game cannot be read now."""

    def __init__(self, game: str) -> None:
        super().__init__(
            "archive_unavailable", f"The game {game} is archived, and the archive cannot be read just now."
        )


class NoArchive:
    """The archive of a process that was given none."""

    def entries(self, game: str, seq: int, digest: str) -> Sequence[Carved]:
        raise ArchiveUnavailable(game)


def request_in(log: Sequence[Carved], key: str) -> RequestReference | None:
    """The record of the request with this key."""
    return next(
        (carved.entry.req for carved in log if carved.entry.req and carved.entry.req.key == key), None
    )
