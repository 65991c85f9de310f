"""Logs for tests: games of the toy ruleset, written to a page or entry by entry as a server would write them."""

import json
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any, TypeVar

from msgspec.structs import replace

from events import acts
from events.clocks import USUAL, Patience, due_times, next_deadline
from events.entries import FIRST_TERMS, Carved, body_hash, request_key
from events.expiry import expire
from events.game import Game, ruleset_of, unfold
from events.keys import game_id
from events.scribe import Call, Page, Scribe
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


def ticking_scribe(watch: Watch | None = None) -> Scribe:
    """Times and salts that are the same in every run."""
    salts = count()
    return Scribe(now=watch or Watch(), salt=lambda: f"{next(salts):032x}")


def named(name: str, **brought: Any) -> acts.Sitter:
    """A sitter with a name, whose nonce the tests know."""
    return acts.Sitter(name_hash(NONCE, name), **brought)


def person(name: str) -> bytes:
    """What is kept of a name beside the log."""
    return json.dumps({"name": name, "nonce": NONCE.hex()}).encode()


PEOPLE = {seat: person(name) for seat, name in enumerate(NAMES)}
SITTERS = tuple(named(name) for name in NAMES[:3])


def created(
    game: str | None = None,
    scribe: Scribe | None = None,
    sitters: tuple[acts.Sitter, ...] = SITTERS,
    rulesets: Registry = TOYS,
    *,
    first_terms: bool = False,
    **settings: Any,
) -> Page:
    """A page with a new game (of Lanterns, if no other ruleset is given) and who sits at it."""
    page = Page(scribe or ticking_scribe(), None, game or game_id())
    terms_of_creation: dict[str, Any] = {"options": {}, "seats": 3, "server_seed": SERVER_SEED, **settings}
    terms_of_creation.setdefault("ruleset", next(iter(rulesets)))
    host = terms_of_creation.get("host")
    creator = {"host": host} if host else ANYONE
    if first_terms:
        draft = Page(page.scribe, None, page.id)
        acts.create(draft, creator, acts.NewGame(**terms_of_creation))
        page.write(creator, replace(draft.game.created, terms=FIRST_TERMS))
    else:
        acts.create(page, creator, acts.NewGame(**terms_of_creation))
    for seat, sitter in enumerate(sitters):
        acts.sit(page, seat, sitter, by=ANYONE if sitter.bot else None)
    acts.start_if_ready(page, rulesets, terms_of_creation["server_seed"])
    return page


class Log:
    """A log that has begun with a page, and is written on, each act an append of its own."""

    def __init__(
        self,
        page: Page,
        rulesets: Registry = TOYS,
        people: Mapping[int, bytes] | None = None,
        request: Call | None = None,
        server_seed: bytes = SERVER_SEED,
    ) -> None:
        self.scribe = page.scribe
        self.rulesets = rulesets
        self.server_seed = server_seed
        self.entries = page.carve(request)
        self.game = page.game
        self.people = dict(people or {})

    @property
    def seed(self) -> bytes:
        return self.game.seed(self.server_seed)

    @property
    def latest(self) -> Carved:
        return self.entries[-1]

    def append(self, write: Callable[[Page], T], request: Call | None = None) -> T:
        """What one request does, in one append."""
        page = Page(self.scribe, self.game, self.game.id)
        result = write(page)
        self.entries += page.carve(request)
        self.game = page.game
        return result

    def sits(self, seat: int, sitter: acts.Sitter, by: dict[str, Any] | None = None) -> None:
        def write(page: Page) -> None:
            acts.sit(page, seat, sitter, by)
            acts.start_if_ready(page, self.rulesets, self.server_seed)

        self.append(write)

    def opens(self, seat: int, entropy: bytes) -> None:
        def write(page: Page) -> None:
            acts.open_seal(page, seat, entropy.hex())
            acts.start_if_ready(page, self.rulesets, self.server_seed)

        self.append(write)

    def acts(self, seat: int, action: Mapping[str, Any]) -> None:
        self.append(lambda page: acts.act(page, seat, action, self.rulesets, self.seed))

    def plays_on(self, until: Callable[[Game], bool] = lambda game: False) -> None:
        """First legal actions until the end, or until someone says stop."""
        while self.game.to_act and not until(self.game):
            self.acts(*next_action(self.game, self.rulesets))

    def resigns(self, seat: int) -> None:
        self.append(lambda page: acts.withdraw(page, seat, "resigned", {"seat": seat}, self.rulesets))

    def times_out(self, seat: int) -> None:
        """Nothing happens until the seat's time is up; then the clock withdraws it."""
        assert isinstance(self.scribe.now, Watch)
        self.scribe.now.wind_to(due_times(self.game)[seat])
        self.append(lambda page: acts.withdraw(page, seat, "timed_out", acts.CLOCK, self.rulesets))

    def leaves(self, seat: int, by: Mapping[str, Any] | None = None) -> None:
        self.people.pop(seat, None)
        self.append(lambda page: acts.leave(page, dict(by or {"seat": seat}), seat))

    def is_adjudicated(self, *winners: int, by: Mapping[str, Any] | None = None, why: str = "late") -> None:
        actor = dict(by or {"operator": True})
        self.append(lambda page: acts.adjudicate(page, actor, winners, why, self.rulesets))

    def runs_out(self, patience: Patience = USUAL) -> None:
        """Nothing happens until a clock calls for something; then that is done."""
        assert isinstance(self.scribe.now, Watch)
        self.scribe.now.wind_to(next_deadline(self.game, patience))
        self.append(lambda page: expire(page, patience, self.rulesets))

    def is_aborted(self, reason: str = "by_operator", by: Mapping[str, Any] | None = None) -> None:
        self.append(lambda page: acts.abort(page, dict(by or {"operator": True}), reason))

    def settles(self) -> None:
        audited = settlement(self.record, self.rulesets, self.server_seed)
        self.append(lambda page: acts.settle(page, self.server_seed, audited))

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


def call(key: str = "a key", body: Any = None) -> Call:
    """A request as the store sees it."""
    return Call(request_key("0", key), body_hash(body))
