"""Webhook sender: each receiver has a thread of its own for a turn of 20 seconds, so a slow one delays nobody."""

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, NamedTuple

import msgspec
from standardwebhooks.webhooks import Webhook as Signer

from events.clocks import utc_now
from events.store import Client
from events.store_errors import STORE_FAILED, available_answers
from projections.host_events import CursorExpired, FeedCursor, Interest, check_no_gap
from services.core.backoff import DELIVERY_REFUSED
from services.core.crash_points import crash_point
from services.core.outbound_http import Undeliverable, post
from services.core.webhooks import (
    GIVE_UP_SECONDS,
    Parked,
    Webhook,
    Webhooks,
    check_of,
    secret_of,
)
from services.worker.queue import WorkQueue

log = logging.getLogger(__name__)

DELIVER_JOB = "deliver"
MAX_DELIVERY_THREADS = 256
"""Receivers that one process serves at once: more than there are, so that slow ones leave room for all others."""
DELIVERY_TURN_SECONDS = 20.0
"""Seconds for which a delivery goes on; what is left is asked for again."""
DELIVERY_CLAIM_SECONDS = 15
"""Seconds after which a delivery that has died is begun anew: longer than one call may take."""
LINES_PER_DELIVERY_READ = 32
HTTP_GONE = 410
MAX_PARKED_EVENTS = 500
"""Events of one game that wait apart at most."""


class HostEventLine(NamedTuple):
    stream: str
    id: str
    fields: Any


class Delivery(NamedTuple):
    """An event on its way: of which game (none: a test), its id, and what is posted."""

    game: str
    id: str
    body: bytes


class WebhookSender:
    """The deliveries of this process."""

    def __init__(self, client: Client, queue: WorkQueue, key: bytes, *, allow_private: bool) -> None:
        self.webhooks = Webhooks(client)
        self.client = client
        self.queue = queue
        self.key = key
        self.allow_private = allow_private
        self._busy: set[str] = set()
        self._lock = threading.Lock()

    def start_delivery(self, webhook: str) -> None:
        """Begin to deliver what a webhook is owed, unless someone is at it; this does not wait for it.

        What finds no room is asked for again soon; threads that die with the process leave a claim that fades.
        """
        with self._lock:
            if webhook in self._busy or len(self._busy) >= MAX_DELIVERY_THREADS:
                return
            threading.Thread(target=self._run, args=[webhook], name=f"deliver {webhook}", daemon=True).start()
            self._busy.add(webhook)

    def _run(self, webhook: str) -> None:
        try:
            self.queue.begin(DELIVER_JOB, webhook, DELIVERY_CLAIM_SECONDS)
            self.deliver(webhook)
        except STORE_FAILED as error:
            log.warning("a delivery was broken off: %s", type(error).__name__)
        except Exception:
            log.exception("a delivery has failed")
            self.webhooks.failed(webhook, "a fault of this server, see its log")
        finally:
            with self._lock:
                self._busy.discard(webhook)
            with suppress(*STORE_FAILED):
                self.queue.done(DELIVER_JOB, webhook)

    def deliver(self, webhook_id: str) -> None:
        """Deliver in order what is owed, for a while; a receiver that does not take it is left alone for some time."""
        webhook = self.webhooks.get(webhook_id)
        if webhook is None:
            return
        secret = secret_of(self.key, webhook.id)
        if check_of(secret) != webhook.key_check:
            self.webhooks.failed(webhook.id, "a worker has another STELE_TOKEN_KEY than the API")
            return
        try:
            self._deliver_parked(webhook, secret)
            for delivery in self._owed(webhook):
                self._deliver_or_park(webhook, secret, delivery)
                crash_point("between a delivery and its cursor")
        except CursorExpired:
            self.webhooks.disable(webhook.id, "it fell so far behind that events are not kept any more")
        except DeliveryRefused as refused:
            if refused.for_good:
                self.webhooks.disable(webhook.id, str(refused))
            else:
                self.webhooks.failed(webhook.id, str(refused), event=refused.event)

    # -- games that wait apart ----------------------------------------------------------------------------------------

    def _deliver_or_park(self, webhook: Webhook, secret: str, delivery: Delivery) -> None:
        """Deliver an event. One that is refused a second time waits apart with its game: other games go on."""
        waiting = self.webhooks.parked(webhook.id).get(delivery.game)
        if waiting:
            self._park(webhook, delivery, waiting)
            return
        try:
            self._post(webhook, secret, delivery.id, delivery.body)
        except DeliveryRefused as refused:
            trouble = self.webhooks.trouble(webhook.id)
            again = refused.answered and trouble is not None and trouble.event == delivery.id
            if refused.for_good or not again or not delivery.game:
                raise
            now = time.time()
            self._park(webhook, delivery, Parked(now, 1, now + DELIVERY_REFUSED.pause(1), ()))

    def _park(self, webhook: Webhook, delivery: Delivery, waiting: Parked) -> None:
        events = (*waiting.events, (delivery.id, delivery.body.decode()))
        if len(events) > MAX_PARKED_EVENTS:
            raise DeliveryRefused(f"it refuses the events of game {delivery.game}", for_good=True)
        self.webhooks.park(webhook.id, delivery.game, msgspec.structs.replace(waiting, events=events))

    def _deliver_parked(self, webhook: Webhook, secret: str) -> None:
        """Try the games again that wait apart, each after its own pause; after a day the receiver is given up."""
        now = time.time()
        for game, waiting in self.webhooks.parked(webhook.id).items():
            if waiting.until > now:
                continue
            left = list(waiting.events)
            try:
                while left:
                    event, body = left[0]
                    self._post(webhook, secret, event, body.encode())
                    del left[0]
                self.webhooks.park(webhook.id, game, None)
            except DeliveryRefused as refused:
                if refused.for_good or now - waiting.since >= GIVE_UP_SECONDS:
                    raise DeliveryRefused(str(refused), for_good=True) from None
                tries = waiting.tries + 1
                later = Parked(waiting.since, tries, now + DELIVERY_REFUSED.pause(tries), tuple(left))
                self.webhooks.park(webhook.id, game, later)

    def _owed(self, webhook: Webhook) -> Iterator[Delivery]:
        """Each delivery that is owed; asked for the next one, the one before was taken."""
        until = time.monotonic() + DELIVERY_TURN_SECONDS
        while event := self.webhooks.next_test(webhook.id):
            yield Delivery("", event, _body("test", utc_now(), {"id": event, "type": "test"}))
            self.webhooks.tested(webhook.id, event)
        cursor = self.webhooks.seen(webhook)
        check_no_gap(self.client, webhook.interest, cursor)
        seen = dict(cursor.seen)
        while time.monotonic() < until and (lines := self._read(webhook.interest, seen)):
            for line in lines:
                seen[line.stream] = line.id
                if webhook.interest.wants(line.fields):
                    event = msgspec.json.decode(line.fields[b"event"])
                    yield Delivery(event["game"], event["id"], _body(event["type"], event["at"], event))
                    self._saw(webhook, seen)
                    self.queue.begin(DELIVER_JOB, webhook.id, DELIVERY_CLAIM_SECONDS)
            self._saw(webhook, seen)

    def _saw(self, webhook: Webhook, seen: dict[str, str]) -> None:
        self.webhooks.saw(webhook.id, FeedCursor(round(time.time() * 1000), seen))

    def _read(self, interest: Interest, seen: dict[str, str]) -> list[HostEventLine]:
        with self.client.pipeline(transaction=False) as pipe:
            for stream in interest.streams:
                pipe.xrange(stream, f"({seen[stream]}", "+", count=LINES_PER_DELIVERY_READ)
            answers: list[Any] = pipe.execute(raise_on_error=False)
        return [
            HostEventLine(stream, line.decode(), fields)
            for stream, rows in zip(interest.streams, available_answers(answers), strict=True)
            for line, fields in rows
        ]

    def _post(self, webhook: Webhook, secret: str, event_id: str, body: bytes) -> None:
        now = datetime.now(UTC)
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "stele",
            "webhook-id": event_id,
            "webhook-timestamp": str(int(now.timestamp())),
            "webhook-signature": Signer(secret).sign(event_id, now, body.decode()),
        }
        try:
            status = post(webhook.url, body, headers, allow_private=self.allow_private)
        except Undeliverable as problem:
            raise DeliveryRefused(str(problem), event=event_id, answered=False) from None
        if not 200 <= status < 300:
            raise DeliveryRefused(f"it answered {status}", for_good=status == HTTP_GONE, event=event_id)
        self.webhooks.taken(webhook.id)


class DeliveryRefused(Exception):
    """A receiver did not take an event; `for_good`: it wants nothing more; `answered`: it did say so."""

    def __init__(
        self, reason: str, *, for_good: bool = False, event: str = "", answered: bool = True
    ) -> None:
        super().__init__(reason)
        self.for_good = for_good
        self.event = event
        self.answered = answered


def _body(kind: str, timestamp: str, data: Any) -> bytes:
    return msgspec.json.encode({"type": kind, "timestamp": timestamp, "data": data})
