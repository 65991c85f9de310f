"""Webhook registrations: what each receiver wants, the cursor it has reached, and the backoff of those that fail.

A webhook has come so far in each stream of happenings (`projections/host_events.py`), which its deliveries move on only
after they were taken: so each event is delivered at least once, in order, under an id that is always the same.
"""

import hashlib
import hmac
import secrets
import time
from base64 import b64encode
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, TypeVar, cast

import msgspec

from events.store import Client
from projections.errors_as_values import unwrap
from projections.host_events import (
    HOST_EVENT_TYPES,
    FeedCursor,
    HostEventType,
    Interest,
    StreamEnd,
    ask_for_ends,
    current_cursor,
    is_behind,
    read_ends,
)
from services.core.backoff import DELIVERY_REFUSED

T = TypeVar("T")

WEBHOOKS_PREFIX = "stele:{webhooks}:"
REGISTERED, SEEN, FAILING = WEBHOOKS_PREFIX + "all", WEBHOOKS_PREFIX + "seen", WEBHOOKS_PREFIX + "failing"
MAX_WEBHOOKS = 16
"""Webhooks of one host, and of all operators."""
MAX_PENDING_TESTS = 8
GIVE_UP_SECONDS = 24 * 3600.0


class Webhook(msgspec.Struct, frozen=True):
    """A receiver, and what it wants to be told."""

    id: str
    host: str | None
    """None: an operator's, which hears of all games."""
    url: str
    types: tuple[HostEventType, ...] = HOST_EVENT_TYPES
    tag: str | None = None
    created: str = ""
    key_check: str = ""
    """By which a worker sees that it has the key that the secret is made with."""

    @property
    def interest(self) -> Interest:
        return Interest(self.host, self.tag, frozenset(self.types))


class Trouble(msgspec.Struct, frozen=True):
    """A receiver that does not take what it is sent: since when, how often it was tried, until when it is left alone."""

    since: float
    tries: int
    until: float
    reason: str
    disabled: bool = False
    event: str = ""
    """The event that it refused last."""


class Parked(msgspec.Struct, frozen=True):
    """A game of which a receiver has refused an event twice: its events wait here, so that other games are delivered."""

    since: float
    tries: int
    until: float
    events: tuple[tuple[str, str], ...]
    """Ids and bodies, in order."""


State = Literal["active", "failing", "disabled"]


def state_of(trouble: Trouble | None) -> State:
    return "active" if trouble is None else "disabled" if trouble.disabled else "failing"


def new_id(key: bytes, caller: str, idempotency_key: str | None) -> str:
    """A webhook's id: the same for every retry of its registration."""
    if idempotency_key is None:
        return f"wh_{secrets.token_hex(13)}"
    made_of = "\0".join(("stele-webhook-id-1", caller, idempotency_key)).encode()
    return f"wh_{hmac.digest(key, made_of, 'sha256').hex()[:26]}"


def secret_of(key: bytes, webhook: str) -> str:
    """What a webhook's deliveries are signed with."""
    mac = hmac.digest(key, b"stele-webhook-1\0" + webhook.encode(), "sha256")
    return f"whsec_{b64encode(mac).decode()}"


def check_of(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()[:16]


class PendingDeliveries(NamedTuple):
    """What the store has of all webhooks at one moment, as far as deliveries are owed by it."""

    webhooks: dict[str, Webhook]
    seen: dict[str, FeedCursor]
    troubles: dict[str, Trouble]
    parked: dict[str, dict[str, Parked]]
    tests: set[str]
    """The webhooks that wait for a test event."""
    ends: dict[str, StreamEnd]

    def is_owed(self, webhook: str, now: float) -> bool:
        """May something have to be delivered now?"""
        trouble = self.troubles.get(webhook)
        if trouble and (trouble.disabled or trouble.until > now):
            return False
        cursor, interest = self.seen.get(webhook), self.webhooks[webhook].interest
        behind = cursor is not None and is_behind(cursor, interest, self.ends)
        return (
            behind
            or webhook in self.tests
            or any(game.until <= now for game in self.parked.get(webhook, {}).values())
        )


class Webhooks:
    """The registrations of a store."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self._known: set[str] = set()
        """The webhooks that were registered when it was last looked what is owed."""

    def all(self) -> list[Webhook]:
        lines = cast(dict[bytes, bytes], self.client.hgetall(REGISTERED))
        webhooks = [msgspec.json.decode(line, type=Webhook) for line in lines.values()]
        return sorted(webhooks, key=lambda webhook: (webhook.created, webhook.id))

    def get(self, webhook: str) -> Webhook | None:
        line = cast(bytes | None, self.client.hget(REGISTERED, webhook))
        return msgspec.json.decode(line, type=Webhook) if line else None

    def add(self, webhook: Webhook) -> None:
        """Register it: it is told what happens from now on."""
        self.saw(webhook.id, current_cursor(self.client, webhook.interest))
        self.client.hset(REGISTERED, webhook.id, msgspec.json.encode(webhook))

    def remove(self, webhook: str) -> None:
        self.client.hdel(REGISTERED, webhook)
        self.client.hdel(SEEN, webhook)
        self.client.hdel(FAILING, webhook)
        self.client.delete(_tests(webhook), _parked(webhook))

    # -- games that wait apart ----------------------------------------------------------------------------------------

    def parked(self, webhook: str) -> dict[str, Parked]:
        """The games whose events wait apart."""
        lines = cast(dict[bytes, bytes], self.client.hgetall(_parked(webhook)))
        return {game.decode(): msgspec.json.decode(line, type=Parked) for game, line in lines.items()}

    def park(self, webhook: str, game: str, waiting: Parked | None) -> None:
        """Keep what waits of a game; None: nothing does any more."""
        if waiting is None:
            self.client.hdel(_parked(webhook), game)
        else:
            self.client.hset(_parked(webhook), game, msgspec.json.encode(waiting))

    # -- how far each was told --------------------------------------------------------------------------------------

    def seen(self, webhook: Webhook) -> FeedCursor:
        """How far it was told; one that was brought back from a backup begins now."""
        line = cast(bytes | None, self.client.hget(SEEN, webhook.id))
        return (
            msgspec.json.decode(line, type=FeedCursor)
            if line
            else current_cursor(self.client, webhook.interest)
        )

    def saw(self, webhook: str, cursor: FeedCursor) -> None:
        self.client.hset(SEEN, webhook, msgspec.json.encode(cursor))

    def ask_for_test(self, webhook: str) -> str:
        """Have an event delivered that tells nothing; its id."""
        event = f"test.{secrets.token_hex(8)}"
        self.client.rpush(_tests(webhook), event)
        self.client.ltrim(_tests(webhook), -MAX_PENDING_TESTS, -1)
        return event

    def next_test(self, webhook: str) -> str | None:
        event = cast(bytes | None, self.client.lindex(_tests(webhook), 0))
        return event.decode() if event else None

    def tested(self, webhook: str, event: str) -> None:
        self.client.lrem(_tests(webhook), 1, event)

    def owed(self, now: float) -> list[str]:
        """The webhooks to which something may have to be delivered now: one round trip, two when there are new ones.

        Streams that are out of reach owe nothing.
        """
        while (pending := self._pending(sorted(self._known))).webhooks.keys() - self._known:
            self._known = {*pending.webhooks}
        self._known = {*pending.webhooks}
        return [webhook for webhook in pending.webhooks if pending.is_owed(webhook, now)]

    def _pending(self, known: Sequence[str]) -> "PendingDeliveries":
        streams = Interest(None, None, frozenset()).streams if known else []
        with self.client.pipeline(transaction=False) as pipe:
            for key in (REGISTERED, SEEN, FAILING):
                pipe.hgetall(key)
            for webhook in known:
                pipe.hgetall(_parked(webhook))
                pipe.llen(_tests(webhook))
            ask_for_ends(pipe, streams)
            answers: list[Any] = pipe.execute(raise_on_error=False)
        own, ends = answers[: 3 + 2 * len(known)], answers[3 + 2 * len(known) :]
        for answer in own:
            unwrap(answer)
        registered, seen, failing, *waiting = own
        return PendingDeliveries(
            _read_lines(registered, Webhook),
            _read_lines(seen, FeedCursor),
            _read_lines(failing, Trouble),
            {webhook: _read_lines(games, Parked) for webhook, games in zip(known, waiting[::2], strict=True)},
            {webhook for webhook, tests in zip(known, waiting[1::2], strict=True) if tests},
            read_ends(streams, ends),
        )

    def lags(self, now: float) -> dict[str, float]:
        """Seconds since the oldest event that each receiver has not taken; 0 if it has taken all. Disabled ones have none."""
        return {
            webhook.id: max(0.0, now - self._oldest_owed(webhook, now))
            for webhook in self.all()
            if state_of(self.trouble(webhook.id)) != "disabled"
        }

    def _oldest_owed(self, webhook: Webhook, now: float) -> float:
        seen = self.seen(webhook).seen
        with self.client.pipeline(transaction=False) as pipe:
            for stream in webhook.interest.streams:
                pipe.xrange(stream, f"({seen[stream]}", "+", count=1)
            answers: list[Any] = pipe.execute(raise_on_error=False)
        rows = [rows[0][0] for rows in answers if rows and not isinstance(rows, Exception)]
        times = [int(line.partition(b"-")[0]) / 1000 for line in rows]
        return min([now, *times, *(game.since for game in self.parked(webhook.id).values())])

    # -- receivers that do not answer -------------------------------------------------------------------------------

    def trouble(self, webhook: str) -> Trouble | None:
        line = cast(Any, self.client.hget(FAILING, webhook))
        return msgspec.json.decode(line, type=Trouble) if line else None

    def taken(self, webhook: str) -> None:
        """The receiver has taken a delivery: its troubles are over."""
        self.client.hdel(FAILING, webhook)

    def failed(self, webhook: str, reason: str, now: float | None = None, event: str = "") -> None:
        """Try again ever more seldom, for a day; then no more."""
        now = time.time() if now is None else now
        before = self.trouble(webhook)
        since, tries = (before.since, before.tries + 1) if before else (now, 1)
        given_up = now - since >= GIVE_UP_SECONDS
        trouble = Trouble(since, tries, now + DELIVERY_REFUSED.pause(tries), reason, given_up, event)
        self.client.hset(FAILING, webhook, msgspec.json.encode(trouble))

    def disable(self, webhook: str, reason: str) -> None:
        """Deliver nothing more to it."""
        now = time.time()
        self.client.hset(FAILING, webhook, msgspec.json.encode(Trouble(now, 1, now, reason, disabled=True)))


def _read_lines(lines: dict[bytes, bytes], kind: type[T]) -> dict[str, T]:
    return {name.decode(): msgspec.json.decode(line, type=kind) for name, line in lines.items()}


def _parked(webhook: str) -> str:
    return f"{WEBHOOKS_PREFIX}parked:{webhook}"


def _tests(webhook: str) -> str:
    return f"{WEBHOOKS_PREFIX}tests:{webhook}"
