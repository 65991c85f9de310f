"""Logs for tests: games of the toy ruleset, written to a page or entry by entry as a server would write them."""

import json
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count
from typing import Any, TypeVar

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec import UNSET
from msgspec.structs import replace

from events import commands, signatures, table_commands
from events.batch import EntryBatch, EntryFactory, IdempotencyKey
from events.clocks import DEFAULT_PATIENCE, Patience, due_times, next_deadline
from events.entries import FIRST_TERMS, ActionSignature, Carved, EntrySignature, body_hash, request_key
from events.expiry import expire_clocks
from events.game import Game, ruleset_of, unfold
from events.keys import game_id
from events.seeds import name_hash
from events.store import Head
from events.times import timestamp
from games.canonical import canonical
from games.kernel import Registry
from games.toy import LANTERNS
from replays.audit.audit import settlement
from replays.record import Record, to_record

T = TypeVar("T")

TOYS = Registry([LANTERNS])
SERVER_SEED = bytes(range(32))
NONCE = bytes(16)
ANYONE = {"anonymous": True}
NAMES = ("Ada", "Ben", "Cleo", "Dora")


class Watch:
    """A clock that goes on by a millisecond at each look, and otherwise as tests wind it."""

    def __init__(self) -> None:
        self.moment = datetime(2026, 11, 16, 9, 30, tzinfo=UTC)

    def __call__(self) -> str:
        self.wind(0.001)
        return timestamp(self.moment)

    def wind(self, seconds: float) -> None:
        self.moment += timedelta(seconds=seconds)

    def wind_to(self, due: int | None) -> None:
        """On to a moment (milliseconds since 1970), if it is still to come."""
        assert due is not None
        self.moment = max(self.moment, datetime.fromtimestamp(due / 1000, UTC))


def ticking_scribe(watch: Watch | None = None) -> EntryFactory:
    """Times and salts that are the same in every run."""
    salts = count()
    return EntryFactory(now=watch or Watch(), salt=lambda: f"{next(salts):032x}")


def named(name: str, **brought: Any) -> commands.Sitter:
    """A sitter with a name, whose nonce the tests know."""
    return commands.Sitter(name_hash(NONCE, name), **brought)


def person(name: str) -> bytes:
    """What is kept of a name beside the log."""
    return json.dumps({"name": name, "nonce": NONCE.hex()}).encode()


PEOPLE = {seat: person(name) for seat, name in enumerate(NAMES)}
SITTERS = tuple(named(name) for name in NAMES[:3])


def created(
    game: str | None = None,
    entry_factory: EntryFactory | None = None,
    sitters: tuple[commands.Sitter, ...] = SITTERS,
    rulesets: Registry = TOYS,
    *,
    first_terms: bool = False,
    **settings: Any,
) -> EntryBatch:
    """A page with a new game (of Lanterns, if no other ruleset is given) and who sits at it."""
    batch = EntryBatch(entry_factory or ticking_scribe(), None, game or game_id())
    terms_of_creation: dict[str, Any] = {"options": {}, "seats": 3, "server_seed": SERVER_SEED, **settings}
    terms_of_creation.setdefault("ruleset", next(iter(rulesets)))
    host = terms_of_creation.get("host")
    creator = {"host": host} if host else ANYONE
    if first_terms:
        draft = EntryBatch(batch.entry_factory, None, batch.id)
        commands.create(draft, creator, commands.NewGame(**terms_of_creation))
        old = replace(draft.game.created, terms=FIRST_TERMS, takebacks=UNSET, rematch_of=UNSET)
        batch.write(creator, old)
    else:
        commands.create(batch, creator, commands.NewGame(**terms_of_creation))
    for seat, sitter in enumerate(sitters):
        commands.sit(batch, seat, sitter, by=ANYONE if sitter.bot else None)
    commands.start_if_ready(batch, rulesets, terms_of_creation["server_seed"])
    return batch


class Log:
    """A log that has begun with a page, and is written on, each act an append of its own."""

    def __init__(
        self,
        batch: EntryBatch,
        rulesets: Registry = TOYS,
        people: Mapping[int, bytes] | None = None,
        request: IdempotencyKey | None = None,
        server_seed: bytes = SERVER_SEED,
    ) -> None:
        self.entry_factory = batch.entry_factory
        self.rulesets = rulesets
        self.server_seed = server_seed
        self.entries = batch.carve(request)
        self.game = batch.game
        self.people = dict(people or {})
        self.keys: dict[int, Ed25519PrivateKey] = {}
        """The keys of seats that sign what they do."""

    @property
    def seed(self) -> bytes:
        return self.game.seed(self.server_seed)

    @property
    def latest(self) -> Carved:
        return self.entries[-1]

    def append(self, write: Callable[[EntryBatch], T], request: IdempotencyKey | None = None) -> T:
        """What one request does, in one append."""
        batch = EntryBatch(self.entry_factory, self.game, self.game.id)
        result = write(batch)
        self.entries += batch.carve(request)
        self.game = batch.game
        return result

    def sits(self, seat: int, sitter: commands.Sitter, by: dict[str, Any] | None = None) -> None:
        def write(batch: EntryBatch) -> None:
            commands.sit(batch, seat, sitter, by)
            commands.start_if_ready(batch, self.rulesets, self.server_seed)

        self.append(write)

    def opens(self, seat: int, entropy: bytes) -> None:
        def write(batch: EntryBatch) -> None:
            commands.open_seal(batch, seat, entropy.hex())
            commands.start_if_ready(batch, self.rulesets, self.server_seed)

        self.append(write)

    def acts(self, seat: int, action: Mapping[str, Any]) -> None:
        signed = self.signs_action(seat, action) if seat in self.keys else None
        self.append(lambda batch: commands.act(batch, seat, action, self.rulesets, self.seed, signed))

    def signs_action(self, seat: int, action: Mapping[str, Any], index: int = 0) -> ActionSignature:
        decision, digest = self.game.decisions[seat], self.game.decision_hashes[seat]
        message = signatures.action_message(self.game.id, seat, digest, index, action)
        return ActionSignature(decision, index, self.keys[seat].sign(message).hex())

    def signs(self, seat: int, message: bytes) -> EntrySignature | None:
        """The signature over what a seat says of the latest entry; None if it has no key."""
        if seat not in self.keys:
            return None
        return EntrySignature(self.game.version, self.keys[seat].sign(message).hex())

    def plays_on(self, until: Callable[[Game], bool] = lambda game: False) -> None:
        """First legal actions until the end, or until someone says stop."""
        while self.game.to_act and not until(self.game):
            self.acts(*next_action(self.game, self.rulesets))

    def resigns(self, seat: int) -> None:
        signed = self.signs(seat, signatures.resignation_message(self.game.id, seat, self.game.hash))
        self.append(
            lambda batch: commands.withdraw(batch, seat, "resigned", {"seat": seat}, self.rulesets, signed)
        )

    def times_out(self, seat: int) -> None:
        """Nothing happens until the seat's time is up; then the clock withdraws it."""
        assert isinstance(self.entry_factory.now, Watch)
        self.entry_factory.now.wind_to(due_times(self.game)[seat])
        self.append(
            lambda batch: commands.withdraw(batch, seat, "timed_out", commands.CLOCK_ACTOR, self.rulesets)
        )

    def leaves(self, seat: int, by: Mapping[str, Any] | None = None) -> None:
        self.people.pop(seat, None)
        self.append(lambda batch: commands.leave(batch, dict(by or {"seat": seat}), seat))

    def takes_back(self, seat: int, to: int | None = None) -> None:
        def sign(game: Game, to: int) -> EntrySignature | None:
            return self.signs(seat, signatures.takeback_message(game.id, seat, self.game.hash, to))

        self.append(lambda batch: table_commands.take_back(batch, seat, to, self.rulesets, sign))

    def is_handed_over(self, seat: int, sitter: commands.Sitter, by: Mapping[str, Any] | None = None) -> None:
        actor = dict(by or {"operator": True})
        self.append(lambda batch: table_commands.hand_over(batch, actor, seat, sitter))

    def gets_time(self, seat: int, seconds: int, by: Mapping[str, Any] | None = None) -> None:
        actor = dict(by or {"operator": True})
        self.append(lambda batch: table_commands.add_time(batch, actor, seat, seconds))

    def agrees_to_pause(self, *seats: int) -> None:
        for seat in seats:
            self.append(partial(table_commands.agree_to_pause, seat=seat))

    def is_paused(self, by: Mapping[str, Any] | None = None) -> None:
        self.append(lambda batch: table_commands.pause(batch, dict(by or {"operator": True})))

    def is_resumed(self, by: Mapping[str, Any] | None = None) -> None:
        self.append(lambda batch: table_commands.resume(batch, dict(by or {"operator": True})))

    def is_adjudicated(self, *winners: int, by: Mapping[str, Any] | None = None, why: str = "late") -> None:
        actor = dict(by or {"operator": True})
        self.append(lambda batch: commands.adjudicate(batch, actor, winners, why, self.rulesets))

    def runs_out(self, patience: Patience = DEFAULT_PATIENCE) -> None:
        """Nothing happens until a clock calls for something; then that is done."""
        assert isinstance(self.entry_factory.now, Watch)
        self.entry_factory.now.wind_to(next_deadline(self.game, patience))
        self.append(lambda batch: expire_clocks(batch, patience, self.rulesets))

    def is_aborted(self, reason: str = "by_operator", by: Mapping[str, Any] | None = None) -> None:
        self.append(lambda batch: commands.abort(batch, dict(by or {"operator": True}), reason))

    def settles(self) -> None:
        audited = settlement(self.record, self.rulesets, self.server_seed)
        self.append(lambda batch: commands.settle(batch, self.server_seed, audited))

    @property
    def record(self) -> Record:
        return to_record(self.entries, self.people)


def next_action(game: Game, rulesets: Registry = TOYS) -> tuple[int, dict[str, Any]]:
    """The first seat to act and its first legal action."""
    seat = game.to_act[0]
    action = ruleset_of(game, rulesets).legal_actions(game.state, seat)[0]
    return seat, json.loads(canonical(action))


def game_at(entries: Iterable[Carved], version: int, rulesets: Registry = TOYS) -> Game:
    """The game as it stood after entry number `version`."""
    return next(game for carved, game in unfold(entries, rulesets) if carved.seq == version)


def finished(settled: bool = True, **settings: Any) -> list[Carved]:
    """The log of a whole game, settled or not."""
    log = Log(created(**settings))
    log.plays_on()
    if settled:
        log.settles()
    return log.entries


def head_of(entries: list[Carved]) -> Head:
    return Head(entries[-1].seq, entries[-1].hash)


def call(key: str = "a key", body: Any = None) -> IdempotencyKey:
    """A request as the store sees it."""
    return IdempotencyKey(request_key("0", key), body_hash(body))
