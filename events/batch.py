"""A batch of entries being written: their time, salt, predecessor, and the idempotency key of the request."""

import secrets
from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

from events.canonical import digest
from events.entries import GENESIS, TYPE_NAMES, Carved, Data, Entry, RequestReference, carve
from events.game import Game, follow
from events.times import utc_now


class IdempotencyKey(NamedTuple):
    """The request that entries come of: the hashes of its caller and key, and of its body."""

    key: str
    body: str


class EntryFactory:
    """Where an entry's time and salt come from; tests give their own."""

    def __init__(
        self, now: Callable[[], str] = utc_now, salt: Callable[[], str] = lambda: secrets.token_hex(16)
    ) -> None:
        self.now = now
        self.salt = salt


class EntryBatch:
    """Entries being written after a game's latest one. They are numbered, salted and carved together."""

    def __init__(self, entry_factory: EntryFactory, game: Game | None, game_id: str) -> None:
        self.entry_factory = entry_factory
        self.id = game_id
        self.before = game
        self.after = game
        self.people: dict[int, str] = {}
        """Who sits down on this page, by seat: name and nonce, which are kept beside the log."""
        self.handed_over: dict[int, int] = {}
        """Seats that others take over on this page, and the generation with which their former players came."""
        self._at: str | None = None
        self._drafts: list[Entry] = []

    @property
    def at(self) -> str:
        """When all of this page is written: what is judged by the clock is judged by this very moment."""
        if self._at is None:
            self._at = max(self.entry_factory.now(), self.before.at if self.before else "")
        return self._at

    @property
    def game(self) -> Game:
        """The game as it will be once this page is in the log."""
        if self.after is None:
            raise ValueError("nothing is written yet")
        return self.after

    @property
    def latest_actor(self) -> dict[str, Any]:
        """Who wrote the latest entry of this page."""
        return self._drafts[-1].actor

    def write(self, actor: dict[str, Any], data: Data, state: Any = None) -> None:
        """Add an entry; `state` is what its facts have led to (none: the state stays as it is)."""
        seq, prev, previous = 1, GENESIS, None
        if self.after is not None:
            seq, prev, previous = self.after.version + 1, self.after.hash, self.after.state_hash
        entry = Entry(
            actor=actor,
            at=self.at,
            data=data,
            game=self.id,
            prev=prev,
            req=None,
            salt=self.entry_factory.salt(),
            seq=seq,
            state=previous if state is None else digest(state),
            type=TYPE_NAMES[type(data)],
        )
        if state is None and self.after is not None:
            state = self.after.state
        self._drafts.append(entry)
        self.after = follow(self.after, Carved(entry, b"", ""), state, getattr(data, "facts", ()))

    def carve(self, call: IdempotencyKey | None = None) -> list[Carved]:
        """Carve every entry of the page: hash after hash, each naming the request it came of."""
        request = None
        if call and self._drafts:
            request = RequestReference(call.key, call.body, (self._drafts[0].seq, self._drafts[-1].seq))
        prev = self.before.hash if self.before else GENESIS
        written: list[Carved] = []
        for draft in self._drafts:
            written.append(carve(msgspec.structs.replace(draft, prev=prev, req=request)))
            prev = written[-1].hash
        if self.after is not None and written:
            self.after = _with_hashes(self.after, written)
        return written


def _with_hashes(game: Game, written: list[Carved]) -> Game:
    """The game after entries whose hashes are known only now."""
    hashes = {carved.entry.seq: carved.hash for carved in written}
    decided = {
        seat: hashes.get(decision) or game.decision_hashes[seat] for seat, decision in game.decisions.items()
    }
    return msgspec.structs.replace(game, hash=written[-1].hash, decision_hashes=decided)
