"""Delivering to webhooks: each receiver has a thread of its own for a while, so a slow one delays nobody."""

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, NamedTuple

import msgspec
from redis.exceptions import RedisError
from standardwebhooks.webhooks import Webhook as Signer

from events.clocks import utc_now
from events.store import Client
from events.weather import AWAY, parts_of
from projections.happenings import Cursor, CursorExpired, Interest, check_whole
from services.core.faults import fault
from services.core.outbound import Undeliverable, post
from services.core.webhooks import Webhook, Webhooks, check_of, secret_of
from services.worker.queue import WorkQueue

log = logging.getLogger(__name__)

JOB = "deliver"
THREADS = 256
"""Receivers that one process serves at once: more than there are, so that slow ones leave room for all others."""
A_WHILE = 20.0
"""Seconds for which a delivery goes on; what is left is asked for again."""
CLAIM = 15
"""Seconds after which a delivery that has died is begun anew: longer than one call may take."""
AT_ONCE = 32
GONE = 410


class Line(NamedTuple):
    stream: str
    id: str
    fields: Any


class Couriers:
    """The deliveries of this process."""

    def __init__(self, client: Client, queue: WorkQueue, key: bytes, *, allow_private: bool) -> None:
        self.webhooks = Webhooks(client)
        self.client = client
        self.queue = queue
        self.key = key
        self.allow_private = allow_private
        self._busy: set[str] = set()
        self._lock = threading.Lock()

    def send_off(self, webhook: str) -> None:
        """Begin to deliver what a webhook is owed, unless someone is at it; this does not wait for it.

        What finds no room is asked for again soon; threads that die with the process leave a claim that fades.
        """
        with self._lock:
            if webhook in self._busy or len(self._busy) >= THREADS:
                return
            threading.Thread(target=self._run, args=[webhook], name=f"deliver {webhook}", daemon=True).start()
            self._busy.add(webhook)

    def _run(self, webhook: str) -> None:
        try:
            self.queue.begin(JOB, webhook, CLAIM)
            self.deliver(webhook)
        except (*AWAY, RedisError) as error:
            log.warning("a delivery was broken off: %s", type(error).__name__)
        except Exception:
            log.exception("a delivery has failed")
            self.webhooks.failed(webhook, "a fault of this server, see its log")
        finally:
            with self._lock:
                self._busy.discard(webhook)
            with suppress(*AWAY, RedisError):
                self.queue.done(JOB, webhook)

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
            for event_id, body in self._owed(webhook):
                self._post(webhook, secret, event_id, body)
                fault("between a delivery and its cursor")
        except CursorExpired:
            self.webhooks.disable(webhook.id, "it fell so far behind that events are not kept any more")
        except Refused as refused:
            (self.webhooks.disable if refused.for_good else self.webhooks.failed)(webhook.id, str(refused))

    def _owed(self, webhook: Webhook) -> Iterator[tuple[str, bytes]]:
        """Each delivery that is owed; asked for the next one, the one before was taken."""
        until = time.monotonic() + A_WHILE
        while event := self.webhooks.next_test(webhook.id):
            yield event, _body("test", utc_now(), {"id": event, "type": "test"})
            self.webhooks.tested(webhook.id, event)
        cursor = self.webhooks.seen(webhook)
        check_whole(self.client, webhook.interest, cursor)
        seen = dict(cursor.seen)
        while time.monotonic() < until and (lines := self._read(webhook.interest, seen)):
            for line in lines:
                seen[line.stream] = line.id
                if webhook.interest.wants(line.fields):
                    event = msgspec.json.decode(line.fields[b"event"])
                    yield event["id"], _body(event["type"], event["at"], event)
                    self._saw(webhook, seen)
                    self.queue.begin(JOB, webhook.id, CLAIM)
            self._saw(webhook, seen)

    def _saw(self, webhook: Webhook, seen: dict[str, str]) -> None:
        self.webhooks.saw(webhook.id, Cursor(round(time.time() * 1000), seen))

    def _read(self, interest: Interest, seen: dict[str, str]) -> list[Line]:
        with self.client.pipeline(transaction=False) as pipe:
            for stream in interest.streams:
                pipe.xrange(stream, f"({seen[stream]}", "+", count=AT_ONCE)
            answers: list[Any] = pipe.execute(raise_on_error=False)
        return [
            Line(stream, line.decode(), fields)
            for stream, rows in zip(interest.streams, parts_of(answers), strict=True)
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
            raise Refused(str(problem)) from None
        if not 200 <= status < 300:
            raise Refused(f"it answered {status}", for_good=status == GONE)
        self.webhooks.taken(webhook.id)


class Refused(Exception):
    """A receiver did not take what it was sent; `for_good`: it wants nothing more."""

    def __init__(self, reason: str, *, for_good: bool = False) -> None:
        super().__init__(reason)
        self.for_good = for_good


def _body(kind: str, timestamp: str, data: Any) -> bytes:
    return msgspec.json.encode({"type": kind, "timestamp": timestamp, "data": data})
