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

from events.canonical import canonical
from events.clocks import utc_now
from events.entries import Carved, GameCreated, MalformedEntry, SeatTaken, read_carved
from events.integrity import DamagedLog, check_log
from events.keys import partition_of
from events.store import EMPTY_LOG, Appended, BrokenChain, EventStore, SideData, former_field
from events.tombstones import ArchiveUnavailable
from games.kernel import UnknownRuleset
from projections.catch_up import catch_up
from projections.rebuild import Rebuild
from projections.store import ProjectionStore
from projections.unlogged import LeafMark, Unlogged, read_mark
from services.core.archive import CORRUPT, UNREADABLE, check_archived_chain, write_atomically
from services.core.signing import PUBLIC_KEYS_KEY
from services.core.transparency_log import TransparencyLog
from services.core.webhooks import REGISTERED, Webhook, Webhooks

BACKUP_FORMAT = "stele-backup/1"
MANIFEST = "backup.json"
LOG_COPY = "tlog"


class GameCopy(msgspec.Struct, frozen=True):
    """One game: its log as a record has it, and what is kept beside it."""

    format: str
    game: str
    entries: list[dict[str, Any]]
    people: dict[str, str]
    secrets: dict[str, str]

    def log(self) -> list[Carved]:
        """The entries as the store holds them."""
        return [entry_as_kept(shown) for shown in self.entries]


class ManifestEntry(msgspec.Struct, frozen=True):
    """What the manifest says of a game: where its log ends, and the hash of its file."""

    seq: int
    hash: str
    file: str


class Manifest(msgspec.Struct, frozen=True):
    """What a backup consists of."""

    format: str
    at: str
    keys: dict[str, str]
    games: dict[str, ManifestEntry]
    webhooks: dict[str, str] = {}
    """Registrations; how far each was told is not in a backup: it goes on with what happens then."""
    unlogged: list[str] = []
    """Leaves that the transparency log did not show yet."""


class BackupOutcome(NamedTuple):
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


def read_copy(directory: Path, game: str) -> GameCopy:
    return msgspec.json.decode(gzip.decompress(file_of(directory, game).read_bytes()), type=GameCopy)


# -- backing up ---------------------------------------------------------------------------------------------------------


class Backup:
    """One run that copies all games to a directory."""

    def __init__(self, store: EventStore, directory: Path, log: TransparencyLog | None = None) -> None:
        self.store = store
        self.directory = directory
        self.log = log
        self.lines: dict[str, ManifestEntry] = {}

    def run(self, games: Iterable[str]) -> Iterator[BackupOutcome]:
        """Copy these games, and then say of which the backup consists."""
        for game in games:
            try:
                self.lines[game] = self.keep(game)
                yield BackupOutcome(game)
            except ArchiveUnavailable as problem:
                yield BackupOutcome(game, problem.message)
            except DamagedLog as problem:
                yield BackupOutcome(game, f"its log is damaged: {problem}")
            except CORRUPT as problem:
                yield BackupOutcome(game, f"it cannot be copied: {type(problem).__name__}")
        listed = cast(dict[bytes, bytes], self.store.client.hgetall(PUBLIC_KEYS_KEY))
        keys = {name.decode(): line.decode() for name, line in listed.items()}
        registered = cast(dict[bytes, bytes], self.store.client.hgetall(REGISTERED))
        webhooks = {name.decode(): line.decode() for name, line in registered.items()}
        # marks first: what loses its mark meanwhile is in the log that is copied then
        unlogged = [str(mark) for mark in Unlogged(self.store.client).all()]
        for log in self.log.logs() if self.log else ():
            log.copy_to(self.directory / LOG_COPY / log.directory.name)
        manifest = Manifest(BACKUP_FORMAT, utc_now(), keys, self.lines, webhooks, unlogged)
        write_atomically(self.directory / MANIFEST, canonical(manifest))

    def keep(self, game: str) -> ManifestEntry:
        """Copy one game as it stands at this moment, and read the copy back."""
        log = list(self.store.walk(game))
        check_log(game, log)
        seated = {carved.data.seat for carved in log if isinstance(carved.data, SeatTaken)}
        copy = GameCopy(
            format=BACKUP_FORMAT,
            game=game,
            entries=[carved.laid_open() for carved in log],
            # who sat down after the log was read is not in this copy
            people={
                str(seat): person.decode()
                for seat, person in self.store.people(game).items()
                if seat in seated
            }
            | {
                former_field(*place): person.decode()
                for place, person in self.store.former_people(game).items()
            },
            secrets=self.store.secrets(game),
        )
        content = gzip.compress(canonical(copy), mtime=0)
        write_atomically(file_of(self.directory, game), content)
        if read_copy(self.directory, game).log() != log:
            raise MalformedEntry("the copy is not what was copied")
        return ManifestEntry(log[-1].seq, log[-1].hash, hashlib.sha256(content).hexdigest())


# -- restoring ----------------------------------------------------------------------------------------------------------


class Restore:
    """One run that brings the games of a backup into an empty store."""

    def __init__(
        self,
        store: EventStore,
        projections: ProjectionStore,
        directory: Path,
        log: TransparencyLog | None = None,
        identity: tuple[str, bytes] | None = None,
    ) -> None:
        self.log = log
        self.identity = identity
        self.successor: str | None = None
        """The transparency log that follows on the one that was rolled back."""
        self.store = store
        self.projections = projections
        self.directory = directory
        self.manifest = read_manifest(directory)

    def check(self) -> Iterator[str]:
        """Refuse a store that is not empty, and a backup of which not every game can be restored; nothing is written yet."""
        survey = Rebuild(self.store, self.projections).survey()
        if survey.logs or survey.others:
            raise CannotRestore("The store has games already: a backup is restored into an empty one only.")
        for game, line in self.manifest.games.items():
            path = file_of(self.directory, game)
            try:
                if hashlib.sha256(path.read_bytes()).hexdigest() != line.file:
                    raise EOFError("it is not the file that was written")
                self._read_checked(game, line)
            except (OSError, EOFError, MalformedEntry, UnknownRuleset) as problem:
                raise CannotRestore(f"{path} cannot be used: {problem}.") from None
            except CORRUPT as problem:
                raise CannotRestore(f"{path} cannot be used: {type(problem).__name__}.") from None
            yield game

    def run(self) -> Iterator[BackupOutcome]:
        """Write every log as if it were played again at once, and bring what is read up to date with it."""
        for key_id, key in self.manifest.keys.items():
            self.store.client.hset(PUBLIC_KEYS_KEY, key_id, key)  # with the day since which it signs
        for game, line in self.manifest.games.items():
            try:
                self._bring_back(game, line)
                yield BackupOutcome(game)
            except (BrokenChain, *UNREADABLE) as problem:
                yield BackupOutcome(game, f"{type(problem).__name__}: {problem}")
        self._bring_back_log()
        registry = Webhooks(self.store.client)
        for registration in self.manifest.webhooks.values():
            registry.add(msgspec.json.decode(registration, type=Webhook))

    def _bring_back_log(self) -> None:
        """Bring back the transparency log, and mark the leaves that it does not show yet of games that are there."""
        if self.log and self.identity:
            self.successor = self.log.restore(TransparencyLog(self.directory / LOG_COPY), *self.identity)
            marks = map(read_mark, self.manifest.unlogged)
            Unlogged(self.store.client).add(mark for mark in marks if self._has_entry(mark))

    def _has_entry(self, mark: LeafMark) -> bool:
        entries = self.store.read(mark.game, mark.seq - 1, 1)
        return bool(entries) and entries[0].hash == mark.hash

    def _read_checked(self, game: str, line: ManifestEntry) -> tuple[GameCopy, list[Carved]]:
        """A game of the backup and its log, whole and of rules that are known here."""
        copy = read_copy(self.directory, game)
        log = copy.log()
        check_archived_chain(game, log, line.seq, line.hash)
        created: GameCreated = log[0].data
        self.projections.rulesets.get(created.ruleset, created.ruleset_version)
        return copy, log

    def _bring_back(self, game: str, line: ManifestEntry) -> None:
        copy, log = self._read_checked(game, line)
        if not isinstance(
            self.store.append(EMPTY_LOG, log, side_data=SideData(copy.secrets, copy.people)), Appended
        ):
            raise BrokenChain("the game was begun here meanwhile")
        self.store.reindex(game)
        catch_up(self.store, self.projections, self.projections.rulesets, game)


def read_manifest(directory: Path) -> Manifest:
    """What a backup consists of; one that was broken off does not say."""
    try:
        manifest = msgspec.json.decode((directory / MANIFEST).read_bytes(), type=Manifest)
    except (OSError, msgspec.DecodeError):
        raise CannotRestore(f"{directory} is no backup, or one that was broken off.") from None
    if manifest.format != BACKUP_FORMAT:
        raise CannotRestore(f"{directory} is a backup of another kind: {manifest.format}.")
    return manifest
