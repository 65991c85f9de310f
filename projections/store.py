"""The projection store: all projections of a game are written by one script, in the slot of its partition."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

import msgspec

from events.clocks import DEFAULT_PATIENCE, Patience
from events.entries import Carved
from events.game import Game, ruleset_of
from events.keys import game_key, keys_of, partition_key, partition_of, partitions
from events.scripts import Script, ScriptCall
from events.store import Client, Head, entries_in, people_among
from events.tombstones import Tombstone
from games.kernel import Registry
from projections.errors_as_values import attempt, unwrap
from projections.forks import Fork
from projections.hints import Hints
from projections.keyframes import Keyframes
from projections.pending_work import PendingWork, read_pending_work
from projections.projection import ProjectedGame, Projection, Write
from projections.pushes import Pushes
from projections.ratings import Ratings
from projections.registry import PROJECTIONS
from projections.reviews import Reviews
from projections.scatter_gather import ask_partitions
from projections.snapshots import read_snapshot, snapshot_tag, write_snapshot
from projections.standings import Standings

MARKED = {projection.marked: projection for projection in PROJECTIONS if projection.marked}
"""The projections that something outside of a game's partition has to know of, by their sets of games."""
PROJECTION_KEYS = {name: kind for projection in PROJECTIONS for name, kind in projection.keys.items()}
"""The keys of a partition that projections write, with what they hold."""
REMOVALS = {"hash": "HDEL", "set": "SREM", "order": "ZREM"}
"""The command that takes a game out of a key of each kind."""


class ProjectionTable(msgspec.Struct, frozen=True):
    """What the script stores of a game, by name."""

    game: str
    version: int
    hash: str
    tag: str
    snapshot: str
    tombstone: str
    prefix: str
    marks: list[str]
    writes: list[Write]


class PreparedProjection(NamedTuple):
    """A game, and all that follows from it, ready to be stored."""

    game: str
    call: ScriptCall


@dataclass(frozen=True)
class Loaded:
    """A game as the store has it: the latest snapshot that can be read, and the log from there on."""

    snapshot: Game | None
    entries: list[Carved]
    secrets: dict[str, str]
    people: dict[int, bytes]
    archived: Head | None = None
    """Number and hash of the last entry, if the log is in the archive and not here."""

    @property
    def lost(self) -> int | None:
        """The number of the snapshot's entry, if the log does not hold it any more."""
        if self.snapshot is None or self.archived:
            return None
        stands = bool(self.entries) and self.entries[0].hash == self.snapshot.hash
        return None if stands else self.snapshot.version


class GameUpdate(NamedTuple):
    """What has come to a game since it was looked at: entries, and the people as they are now."""

    entries: list[Carved]
    people: dict[int, bytes]


class ProjectionStore:
    """Reads and writes what follows from the logs."""

    def __init__(self, client: Client, rulesets: Registry, patience: Patience = DEFAULT_PATIENCE) -> None:
        self.client = client
        self.rulesets = rulesets
        self.patience = patience
        self.keyframes = Keyframes(client, rulesets)
        self.standings = Standings(client)
        self.ratings = Ratings(client)
        self.pushes = Pushes(client)
        self.reviews = Reviews(client)
        self.hints = Hints(client)
        self._load = Script(client, "projections", "load.lua")
        self._news = Script(client, "projections", "news.lua")
        self._bury = Script(client, "projections", "tombstone.lua")
        self._project = Script(client, "projections", "project.lua")

    # -- one game ---------------------------------------------------------------------------------------------------

    def load(self, game: str) -> Loaded:
        """A game in one round trip: its snapshot, and its log from the snapshot's entry on."""
        return self._read_loaded(self._load(loaded_keys(game)))

    def load_each(self, games: Sequence[str]) -> list[Loaded | Exception]:
        """Many games in one round trip, each an error if it cannot be loaded."""
        answers = self._load.for_each([ScriptCall(loaded_keys(game)) for game in games])
        return [attempt(self._read_loaded, answer) for answer in answers]

    def _read_loaded(self, answer: Any) -> Loaded:
        tag, body, flat, secrets, people, stone = unwrap(answer)
        snapshot = read_snapshot(body, tag.decode(), self.rulesets) if tag else None
        return Loaded(
            snapshot=snapshot,
            entries=entries_in(flat),
            secrets={
                name.decode(): value.decode() for name, value in zip(secrets[::2], secrets[1::2], strict=True)
            },
            people=people_in(people),
            archived=Head(int(stone[0]), stone[1].decode()) if stone[0] else None,
        )

    def news(self, game: str, head: Head) -> GameUpdate | None:
        """What has come after an entry that is known, in one round trip; None if that entry stands no longer."""
        keys = keys_of(game)
        answer = cast(Any, self._news([keys.stream, keys.people, keys.archived], head))
        return GameUpdate(entries_in(answer[0]), people_in(answer[1])) if answer else None

    def save_each(self, prepared: Sequence[PreparedProjection]) -> list[bool | Exception]:
        """Store what follows from games (see `prepare`), in one round trip. Is each at its latest version, or what hinders it?"""
        answers = self._project.for_each([each.call for each in prepared])
        return [
            attempt(self._saved, each.game, answer) for each, answer in zip(prepared, answers, strict=True)
        ]

    def _saved(self, game: str, answer: Any) -> bool:
        clean, marked = unwrap(answer)
        for name in marked:
            MARKED[name.decode()].publish(self.client, game)
        return bool(clean == 1)

    def prepare(self, of: ProjectedGame) -> PreparedProjection:
        """Everything that follows from a game as it stands, ready to be stored; what lies elsewhere is written now."""
        game, keys = of.game, keys_of(of.game.id)
        for projection in PROJECTIONS:
            projection.beside(self.client, of)
        table = ProjectionTable(
            game=game.id,
            version=game.version,
            hash=game.hash,
            tag=snapshot_tag(ruleset_of(game, self.rulesets)),
            snapshot=game_key(game.id, "snapshot"),
            tombstone=keys.archived,
            prefix=partition_key(partition_of(game.id), ""),
            marks=list(MARKED),
            writes=[write for projection in PROJECTIONS for write in projection.write(of)],
        )
        arguments = [msgspec.json.encode(table), write_snapshot(game)]
        return PreparedProjection(game.id, ScriptCall([keys.stream], arguments))

    def bury(self, game: str, stone: Tombstone) -> bool:
        """Put a tombstone in the place of a log, if the log still ends there and is projected. Does it stand?"""
        keys, partition = keys_of(game), partition_of(game)
        touched = [keys.stream, keys.archived, keys.dirty, partition_key(partition, "settled")]
        touched += [
            game_key(game, name) for each in PROJECTIONS if not each.outlives_log for name in each.game_keys
        ]
        fields = [part for pair in stone.fields().items() for part in pair]
        return cast(int, self._bury(touched, [game, stone.seq, stone.hash, *fields])) == 1

    def settled(self, until: int) -> Iterator[str]:
        """Games of the store that were settled by this moment (milliseconds), and are not archived."""
        for partition in partitions():
            games = self.client.zrangebyscore(partition_key(partition, "settled"), "-inf", until)
            yield from (game.decode() for game in cast(list[bytes], games))

    def forks(self, game: str) -> list[Fork]:
        """The games that began from positions of this one, oldest first."""
        lines = cast(dict[bytes, bytes], self.client.hgetall(game_key(game, "forks")))
        return sorted(
            (msgspec.json.decode(line, type=Fork) for line in lines.values()),
            key=lambda fork: (fork.created, fork.id),
        )

    # -- work ---------------------------------------------------------------------------------------------------------

    def dirty(self, of: Iterable[str] | None = None) -> Iterator[str]:
        """Games whose projections are behind their logs, of these partitions (None: of all), as far as they answer."""
        return self._members("dirty", of)

    def _members(self, name: str, of: Iterable[str] | None = None) -> Iterator[str]:
        for _, games in ask_partitions(
            self.client, lambda pipe, part: pipe.smembers(partition_key(part, name)), of
        ).each():
            yield from (game.decode() for game in games)

    def todo(self) -> Iterator[tuple[str, list[PendingWork]]]:
        """Games that wait for a worker, and for what, of the partitions that answer."""
        for _, owed_by_game in ask_partitions(
            self.client, lambda pipe, part: pipe.hgetall(partition_key(part, "todo"))
        ).each():
            for game, listed in owed_by_game.items():
                yield game.decode(), read_pending_work(listed)

    def late(self, now: int) -> Iterator[str]:
        """Games of which a clock has run out by this moment (milliseconds), of the partitions that answer."""
        for _, games in ask_partitions(
            self.client,
            lambda pipe, part: pipe.zrangebyscore(partition_key(part, "deadlines"), "-inf", now),
        ).each():
            yield from (game.decode() for game in games)

    def failed_audits(self) -> list[str]:
        """Games that were settled although their audit failed, and those whose log was found damaged since."""
        return sorted(
            game.decode()
            for partition in partitions()
            for game in cast(Any, self.client.sunion(failed_audit_keys(partition)))
        )

    def mark_damaged(self, game: str, *, damaged: bool) -> None:
        """An audit or a scrub has found a log damaged, or whole again; no projection changes this."""
        change = self.client.sadd if damaged else self.client.srem
        change(partition_key(partition_of(game), "damaged"), game)

    def marked(self) -> Iterator[tuple[Projection, str]]:
        """Games that `publish` of a projection is owed, of the partitions that answer."""
        for name, projection in MARKED.items():
            for game in self._members(name):
                yield projection, game

    def forget(self, game: str) -> None:
        """No log has this id (any more): nothing follows from it."""
        partition = partition_of(game)
        with self.client.pipeline(transaction=False) as pipe:
            pipe.srem(partition_key(partition, "dirty"), game)
            pipe.delete(*(game_key(game, name) for each in PROJECTIONS for name in each.game_keys))
            for name, kind in PROJECTION_KEYS.items():
                key = partition_key(partition, name)
                if kind == "places":
                    for place in msgspec.json.decode(
                        cast(bytes | None, self.client.hget(key, game)) or b"[]"
                    ):
                        pipe.zrem(partition_key(partition, place), game)
                    pipe.hdel(key, game)
                elif kind in REMOVALS:
                    pipe.execute_command(REMOVALS[kind], key, game)
            pipe.execute()
        for projection in MARKED.values():
            projection.publish(self.client, game)

    def mark_stuck(self, game: str, reason: str) -> None:
        """A game that cannot be projected, or whose owed work cannot be done: said aloud until it can."""
        self.client.hset(partition_key(partition_of(game), "stuck"), game, reason)

    def stuck(self) -> dict[str, str]:
        """Games that cannot go on, and why."""
        return {
            game.decode(): reason.decode()
            for partition in partitions()
            for game, reason in cast(Any, self.client.hgetall(partition_key(partition, "stuck"))).items()
        }


def failed_audit_keys(partition: str) -> list[str]:
    """The sets of a partition's games that failed an audit: at their settlement, or in one made since."""
    return [partition_key(partition, name) for name in ("failed_audits", "damaged")]


def loaded_keys(game: str) -> list[str]:
    """What is read to know a game, in the order of the script."""
    keys = keys_of(game)
    return [keys.stream, game_key(game, "snapshot"), keys.secrets, keys.people, keys.archived]


def people_in(flat: Sequence[bytes]) -> dict[int, bytes]:
    """Names and nonces by seat, as a script gives them."""
    return people_among(dict(zip(flat[::2], flat[1::2], strict=True)))
