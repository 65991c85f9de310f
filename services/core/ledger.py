"""The ledger executes commands: decide on the cached game, append with optimistic concurrency, retry on a conflict."""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from events.batch import EntryBatch, EntryFactory, IdempotencyKey
from events.clocks import next_deadline
from events.entries import Carved, RequestReference, SeatHandedOver, SeatLeft
from events.game import Game, fold_on
from events.store import (
    EMPTY_LOG,
    AlreadyApplied,
    Appended,
    EventStore,
    Head,
    LogDiverged,
    SideData,
    VersionConflict,
    former_field,
)
from games.kernel import Refusal
from projections.catch_up import GameUnknown, fold_loaded
from projections.pending_work import pending_work
from projections.store import Loaded, ProjectionStore
from services.core import lost_entries, metrics
from services.core.backoff import CONFLICT, wait_seconds
from services.core.greenlet_bridge import offload
from services.core.lru import LruCache

CACHED_GAMES = 4096
LONG_FOLD = 128
"""Entries that are folded in some milliseconds."""


class Denied(Refusal):
    """The caller may not do this, or not know of it; whether it was done before is then none of its business."""


class GameNotFound(Denied):
    """No game has this id."""


class KeyReused(Refusal):
    """An Idempotency-Key that came with another request before."""


class Overtaken(Refusal):
    """Others' appends were faster again and again; nothing was appended."""


class Dossier(NamedTuple):
    """A game as this process knows it, and what the server keeps to itself of it."""

    game: Game
    server_seed: bytes
    join_code: str | None
    people: Mapping[int, bytes]
    """Names and nonces by seat, as of the latest read."""

    @property
    def seed(self) -> bytes:
        """The seed of the game's chances."""
        return self.game.seed(self.server_seed)


class Change(NamedTuple):
    """What came of a change: the game after it, and the entries it wrote."""

    game: Game
    entries: list[Carved]


@dataclass(frozen=True)
class Repeat:
    """The request was carried out before: its entries stand in the log."""

    request: RequestReference


class Ledger:
    """Games by id, kept up to date by what appends and reads return."""

    def __init__(
        self, store: EventStore, projections: ProjectionStore, entry_factory: EntryFactory | None = None
    ) -> None:
        self.store = store
        self.projections = projections
        self.rulesets = projections.rulesets
        self.patience = projections.patience
        self.entry_factory = entry_factory or EntryFactory()
        self._cache: LruCache[str, Dossier] = LruCache(CACHED_GAMES)

    # -- reading --------------------------------------------------------------------------------------------------

    def get(self, game_id: str) -> Dossier:
        """The game as it stands now, in one round trip: what is cached, and the tail of the log after it."""
        dossier = self._cache.get(game_id)
        if dossier is None:
            return self._load(game_id)
        news = self.projections.news(game_id, Head(dossier.game.version, dossier.game.hash))
        if news is None:
            lost_entries.report_lost_entries(game_id, dossier.game.version)
            return self._load(game_id)
        if not news.entries and news.people == dossier.people:
            return dossier
        game = fold_on(dossier.game, news.entries, self.rulesets)
        return self._keep(dossier._replace(game=game, people=news.people))

    def cached(self, game_id: str) -> Dossier:
        """The game as this process knows it, perhaps a little behind: an append will tell."""
        return self._cache.get(game_id) or self._load(game_id)

    def _load(self, game_id: str) -> Dossier:
        loaded = self.projections.load(game_id)
        try:
            game = self._fold(loaded, game_id)
        except GameUnknown:
            raise GameNotFound("game_not_found", f"There is no game {game_id}.") from None
        secret = loaded.secrets
        self._cache.forget(game_id)
        return self._keep(
            Dossier(game, bytes.fromhex(secret["seed"]), secret.get("join_code"), loaded.people)
        )

    def _fold(self, loaded: Loaded, game_id: str) -> Game:
        """The game that was loaded; one with much to fold, or in the archive, must not keep the loop from others."""
        if 0 < len(loaded.entries) <= LONG_FOLD:
            return fold_loaded(loaded, self.store, self.rulesets, game_id)
        return offload(lambda: fold_loaded(loaded, self.store, self.rulesets, game_id))

    def _keep(self, dossier: Dossier) -> Dossier:
        """Remember a game, unless this process knows more of it by now."""
        version = dossier.game.version
        self._cache.keep(dossier.game.id, dossier, unless=lambda present: present.game.version > version)
        return dossier

    # -- changing -------------------------------------------------------------------------------------------------

    def create(
        self,
        game_id: str,
        write: Callable[[EntryBatch], None],
        *,
        server_seed: bytes,
        join_code: str | None = None,
        idempotency_key: IdempotencyKey | None = None,
    ) -> Change | Repeat:
        """Begin a log. `write` fills its first page; an id in use is a repeat.

        As with changes, a repeated request is found before it is refused.
        """
        batch = EntryBatch(self.entry_factory, None, game_id)
        try:
            write(batch)
        except Refusal:
            if idempotency_key and (request := self.store.done(game_id, idempotency_key)):
                return Repeat(_same(request, idempotency_key))
            raise
        entries = batch.carve(idempotency_key)
        secret = {"seed": server_seed.hex()} | ({"join_code": join_code} if join_code else {})
        match self.store.append(EMPTY_LOG, entries, idempotency_key, self._aside(batch, secret)):
            case Appended():
                self._keep(Dossier(batch.game, server_seed, join_code, _encoded(batch.people)))
                return Change(batch.game, entries)
            case AlreadyApplied(request):
                return Repeat(_same(request, idempotency_key))
            case _:
                raise KeyReused("idempotency_key_reused", f"The id {game_id} is in use.")

    def change(
        self,
        game_id: str,
        write: Callable[[EntryBatch, Dossier], None],
        *,
        idempotency_key: IdempotencyKey | None = None,
    ) -> Change | Repeat:
        """Let `write` put entries on a page after the latest entry, and append it. If others were faster, again.

        A refusal counts only if this process is up to date; and a repeated request is found before it is refused.
        """
        dossier = self.cached(game_id)
        for failures in range(CONFLICT.attempts or 1):
            if failures > 1:
                wait_seconds(CONFLICT.pause(failures - 1))
            batch = EntryBatch(self.entry_factory, dossier.game, game_id)
            try:
                write(batch, dossier)
            except Refusal as refusal:
                admitted = not isinstance(refusal, Denied)
                if idempotency_key and admitted and (request := self.store.done(game_id, idempotency_key)):
                    return Repeat(_same(request, idempotency_key))
                fresh = self.get(game_id)
                if fresh.game.hash == dossier.game.hash:
                    raise
                dossier = fresh
                continue
            entries = batch.carve(idempotency_key)
            head = Head(dossier.game.version, dossier.game.hash)
            match self.store.append(head, entries, idempotency_key, self._aside(batch)):
                case Appended():
                    people = {**_staying(dossier.people, entries), **_encoded(batch.people)}
                    self._keep(Dossier(batch.game, dossier.server_seed, dossier.join_code, people))
                    return Change(batch.game, entries)
                case AlreadyApplied(request):
                    return Repeat(_same(request, idempotency_key))
                case VersionConflict(unseen):
                    metrics.CONFLICTS.inc()
                    game = fold_on(dossier.game, unseen, self.rulesets)
                    dossier = self._keep(dossier._replace(game=game, people=_staying(dossier.people, unseen)))
                case LogDiverged():
                    lost_entries.report_lost_entries(game_id, dossier.game.version)
                    dossier = self._load(game_id)
        raise Overtaken("busy", f"Others were faster {CONFLICT.attempts} times. Try again.")

    def _aside(self, batch: EntryBatch, secret: Mapping[str, str] = MappingProxyType({})) -> SideData:
        """What is kept beside the log with this page."""
        people = {str(seat): person for seat, person in batch.people.items()}
        due = bool(pending_work(batch.game)) or batch.game.settled is not None
        handed_over = {seat: former_field(seat, came) for seat, came in batch.handed_over.items()}
        deadline = next_deadline(batch.game, self.patience)
        return SideData(secret, people, deadline, handed_over, due, self.store.logged)


def _staying(people: Mapping[int, bytes], entries: list[Carved]) -> Mapping[int, bytes]:
    """The people whose seats were neither given up nor handed over by these entries."""
    left = {carved.data.seat for carved in entries if isinstance(carved.data, SeatLeft | SeatHandedOver)}
    return {seat: person for seat, person in people.items() if seat not in left} if left else people


def _encoded(people: Mapping[int, str]) -> dict[int, bytes]:
    """People as a read of the store gives them."""
    return {seat: person.encode() for seat, person in people.items()}


def _same(request: RequestReference, idempotency_key: IdempotencyKey | None) -> RequestReference:
    """The record of this very request; the key with another body is refused."""
    if idempotency_key is None or request.body != idempotency_key.body:
        raise key_reused()
    return request


def key_reused() -> KeyReused:
    return KeyReused("idempotency_key_reused", "This Idempotency-Key came with another request before.")


def new_seed() -> bytes:
    """A server seed that nobody can guess."""
    return secrets.token_bytes(32)
