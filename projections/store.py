"""The projection store: all projections of a game are written by one script, in the slot of its partition."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple, cast

import msgspec

from events.canonical import canonical
from events.clocks import DEFAULT_PATIENCE, Patience, milliseconds, next_deadline
from events.entries import Carved
from events.game import Game, ruleset_of
from events.keys import game_key, keys_of, partition_key, partition_of, partitions
from events.scripts import Script, ScriptCall
from events.store import Client, Head, entries_in, people_among
from events.tombstones import Tombstone
from games.kernel import Registry
from projections.errors_as_values import attempt, unwrap
from projections.forks import Fork, fork, parent_of
from projections.hints import Hints
from projections.host_events import KEPT_MS, HostEvent, dropped_key, publication
from projections.keyframes import Keyframes
from projections.list_query import LISTS_FORMAT
from projections.lobby import facets, lobby_row
from projections.pending_work import PendingWork, pending_work, read_pending_work
from projections.results import audit_failed, result_lists, result_of
from projections.reviews import Reviews
from projections.scatter_gather import ask_partitions
from projections.snapshots import read_snapshot, snapshot_tag, write_snapshot
from projections.standings import Standings, score_of

PROJECTION_KEYS = (
    "dirty",
    "todo",
    "lobby:rows",
    "lobby:facets",
    "results",
    "results:lists",
    "results:scored",
    "standings:untold",
    "failed_audits",
    "stuck",
    "deadlines",
    "lists",
    "told",
    "settled",
    "turns:feed",
)
"""The keys of a partition that a projection writes, in the order of the script."""


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

    def save_each(self, following: Sequence[ScriptCall]) -> list[bool | Exception]:
        """Store what follows from games (see `following`), in one round trip. Is each at its latest version, or what hinders it?"""
        answers = self._project.for_each(following)
        return [attempt(self._saved, call, answer) for call, answer in zip(following, answers, strict=True)]

    def _saved(self, call: ScriptCall, answer: Any) -> bool:
        clean, untold = unwrap(answer)
        if untold:
            self.standings.tell(str(call.args[0]))
        return bool(clean == 1)

    def following(self, game: Game, happened: list[HostEvent]) -> ScriptCall:
        """Everything that follows from a game as it stands, with what has happened, ready to be stored."""
        if parent := parent_of(game):
            self.client.hset(game_key(parent, "forks"), game.id, canonical(fork(game)).decode())
        partition = partition_of(game.id)
        row, game_result = lobby_row(game, self.patience), result_of(game)
        deadline = next_deadline(game, self.patience)
        stream, length, events = publication(game, happened)
        arguments: list[Any] = [
            game.id,
            game.version,
            game.hash,
            snapshot_tag(ruleset_of(game, self.rulesets)),
            write_snapshot(game),
            canonical([str(work) for work in pending_work(game)]),
            canonical(row),
            canonical(facets(row)),
            milliseconds(game.created_at),
            partition_key(partition, ""),
            canonical(game_result) if game_result else "",
            milliseconds(game.at),
            canonical(result_lists(game_result) if game_result else []),
            canonical(score) if game_result and (score := score_of(game_result)) else "",
            int(audit_failed(game)),
            "" if deadline is None else deadline,
            int(game.settled is not None),
            LISTS_FORMAT,
            game.created.host or "",
            "" if length is None else length,
            KEPT_MS,
            *events,
        ]
        mine, shared = keys_of(game.id), shared_keys(partition)
        keys = [mine.stream, game_key(game.id, "snapshot"), mine.secrets, mine.archived, *shared]
        return ScriptCall([*keys, stream, dropped_key(stream)], arguments)

    def bury(self, game: str, stone: Tombstone) -> bool:
        """Put a tombstone in the place of a log, if the log still ends there and is projected. Does it stand?"""
        keys, partition = keys_of(game), partition_of(game)
        touched = [keys.stream, keys.archived, keys.dirty, partition_key(partition, "settled")]
        touched += [game_key(game, "snapshot"), game_key(game, "keyframes"), keys.retries]
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
        for _, games in ask_partitions(
            self.client, lambda pipe, part: pipe.smembers(partition_key(part, "dirty")), of
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

    def forget(self, game: str) -> None:
        """No log has this id (any more): nothing is behind, late or owed."""
        partition = partition_of(game)
        for name in ("dirty", "standings:untold"):
            self.client.srem(partition_key(partition, name), game)
        self.client.zrem(partition_key(partition, "deadlines"), game)
        for name in ("todo", "stuck", "told", "turns:feed"):
            self.client.hdel(partition_key(partition, name), game)

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


@cache
def shared_keys(partition: str) -> list[str]:
    """The keys that a projection writes to besides those of its game."""
    return [partition_key(partition, name) for name in PROJECTION_KEYS]


def people_in(flat: Sequence[bytes]) -> dict[int, bytes]:
    """Names and nonces by seat, as a script gives them."""
    return people_among(dict(zip(flat[::2], flat[1::2], strict=True)))
