"""Backups: every game with what no log can give back, as files that are checked before anything is believed of them.

Each game is a file of its own; `backup.json` is written last and says which games there are and where each log ends,
so that a backup that was broken off, or lost a file, is known for what it is.
"""

import gzip
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, cast

import msgspec

from events.archived import ArchiveUnavailable
from events.canonical import canonical
from events.clocks import utc_now
from events.entries import Carved, MalformedEntry, SeatTaken, read_carved
from events.keys import partition_of
from events.store import EMPTY, Appended, Aside, BrokenChain, EventStore
from projections.catch_up import catch_up
from projections.rebuild import Rebuild
from projections.store import ProjectionStore
from services.core.archive import BROKEN, UNREADABLE, check_chain, write_whole
from services.core.signing import LISTED
from services.core.webhooks import REGISTERED, Webhook, Webhooks

FORMAT = "stele-backup/1"
MANIFEST = "backup.json"


class Copy(msgspec.Struct, frozen=True):
    """One game: its log as a record has it, and what is kept beside it."""

    format: str
    game: str
    entries: list[dict[str, Any]]
    people: dict[str, str]
    secrets: dict[str, str]

    def log(self) -> list[Carved]:
        """The entries as the store holds them."""
        return [entry_as_kept(shown) for shown in self.entries]


class Line(msgspec.Struct, frozen=True):
    """What the manifest says of a game: where its log ends, and the hash of its file."""

    seq: int
    hash: str
    file: str


class Manifest(msgspec.Struct, frozen=True):
    """What a backup consists of."""

    format: str
    at: str
    keys: dict[str, str]
    games: dict[str, Line]
    webhooks: dict[str, str] = {}
    """Registrations; how far each was told is not in a backup: it goes on with what happens then."""


class Done(NamedTuple):
    """A game that was backed up or restored, or (`problem`) why it was not."""

    game: str
    problem: str | None = None


class CannotRestore(Exception):
    """Why nothing is restored."""


# -- entries and files --------------------------------------------------------------------------------------------------


def entry_as_kept(shown: Mapping[str, Any]) -> Carved:
    """An entry with the hash that it was kept with, right or wrong: the audit is what judges it."""
    return read_carved(
        canonical({name: value for name, value in shown.items() if name != "hash"}), shown["hash"]
    )


def file_of(directory: Path, game: str) -> Path:
    return directory / partition_of(game) / f"{game}.json.gz"


def read_copy(directory: Path, game: str) -> Copy:
    return msgspec.json.decode(gzip.decompress(file_of(directory, game).read_bytes()), type=Copy)


# -- backing up ---------------------------------------------------------------------------------------------------------


class Backup:
    """One run that copies all games to a directory."""

    def __init__(self, store: EventStore, directory: Path) -> None:
        self.store = store
        self.directory = directory
        self.lines: dict[str, Line] = {}

    def run(self, games: Iterable[str]) -> Iterator[Done]:
        """Copy these games, and then say of which the backup consists."""
        for game in games:
            try:
                self.lines[game] = self.keep(game)
                yield Done(game)
            except ArchiveUnavailable as problem:
                yield Done(game, problem.message)
            except BROKEN as problem:
                yield Done(game, f"it cannot be copied: {type(problem).__name__}")
        listed = cast(dict[bytes, bytes], self.store.client.hgetall(LISTED))
        keys = {name.decode(): line.decode() for name, line in listed.items()}
        registered = cast(dict[bytes, bytes], self.store.client.hgetall(REGISTERED))
        webhooks = {name.decode(): line.decode() for name, line in registered.items()}
        manifest = Manifest(FORMAT, utc_now(), keys, self.lines, webhooks)
        write_whole(self.directory / MANIFEST, canonical(manifest))

    def keep(self, game: str) -> Line:
        """Copy one game as it stands at this moment, and read the copy back."""
        log = list(self.store.walk(game))
        seated = {carved.data.seat for carved in log if isinstance(carved.data, SeatTaken)}
        copy = Copy(
            format=FORMAT,
            game=game,
            entries=[carved.laid_open() for carved in log],
            # who sat down after the log was read is not in this copy
            people={
                str(seat): person.decode()
                for seat, person in self.store.people(game).items()
                if seat in seated
            },
            secrets=self.store.secrets(game),
        )
        content = gzip.compress(canonical(copy), mtime=0)
        write_whole(file_of(self.directory, game), content)
        if read_copy(self.directory, game).log() != log:
            raise MalformedEntry("the copy is not what was copied")
        return Line(log[-1].seq, log[-1].hash, hashlib.sha256(content).hexdigest())


# -- restoring ----------------------------------------------------------------------------------------------------------


class Restore:
    """One run that brings the games of a backup into an empty store."""

    def __init__(self, store: EventStore, projections: ProjectionStore, directory: Path) -> None:
        self.store = store
        self.projections = projections
        self.directory = directory
        self.manifest = read_manifest(directory)

    def check(self) -> Iterator[str]:
        """Refuse a store that is not empty, and a backup that is not whole; nothing is written yet."""
        survey = Rebuild(self.store, self.projections).survey()
        if survey.logs or survey.others:
            raise CannotRestore("The store has games already: a backup is restored into an empty one only.")
        for game, line in self.manifest.games.items():
            path = file_of(self.directory, game)
            try:
                if hashlib.sha256(path.read_bytes()).hexdigest() != line.file:
                    raise EOFError("it is not the file that was written")
            except (OSError, EOFError) as problem:
                raise CannotRestore(f"{path} cannot be used: {problem}.") from None
            yield game

    def run(self) -> Iterator[Done]:
        """Write every log as if it were played again at once, and bring what is read up to date with it."""
        for key_id, key in self.manifest.keys.items():
            self.store.client.hset(LISTED, key_id, key)  # with the day since which it signs
        for game, line in self.manifest.games.items():
            try:
                self._bring_back(game, line)
                yield Done(game)
            except (BrokenChain, *UNREADABLE) as problem:
                yield Done(game, f"{type(problem).__name__}: {problem}")
        registry = Webhooks(self.store.client)
        for registration in self.manifest.webhooks.values():
            registry.add(msgspec.json.decode(registration, type=Webhook))

    def _bring_back(self, game: str, line: Line) -> None:
        copy = read_copy(self.directory, game)
        log = copy.log()
        check_chain(log, line.seq, line.hash)
        if not isinstance(self.store.append(EMPTY, log, aside=Aside(copy.secrets, copy.people)), Appended):
            raise BrokenChain("the game was begun here meanwhile")
        self.store.reindex(game)
        catch_up(self.store, self.projections, self.projections.rulesets, game)


def read_manifest(directory: Path) -> Manifest:
    """What a backup consists of; one that was broken off does not say."""
    try:
        manifest = msgspec.json.decode((directory / MANIFEST).read_bytes(), type=Manifest)
    except (OSError, msgspec.DecodeError):
        raise CannotRestore(f"{directory} is no backup, or one that was broken off.") from None
    if manifest.format != FORMAT:
        raise CannotRestore(f"{directory} is a backup of another kind: {manifest.format}.")
    return manifest
