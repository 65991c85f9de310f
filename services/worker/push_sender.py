"""Push sender: each game whose messages are due has a thread of its own, so that a slow push service delays nobody else."""

import logging
import threading
import time
from contextlib import suppress
from hashlib import sha256

import msgspec

from events.clocks import utc_now
from events.game import ruleset_of
from events.store_errors import STORE_FAILED
from games.kernel import UnknownRuleset
from projections.pushes import AT_THE_END, DuePush, Registration, occasion_of
from replays.narration import bot_name, teller_of
from services.core import metrics
from services.core.backoff import PUSH_REFUSED
from services.core.crash_points import crash_point
from services.core.ledger import Dossier, GameNotFound, Ledger
from services.core.outbound_http import Undeliverable, post
from services.core.web_push import PushKey, base64url, encrypt
from services.worker.queue import WorkQueue

log = logging.getLogger(__name__)

PUSH_JOB = "push"
MAX_PUSH_THREADS = 64
"""Games that one process sends messages of at once; others are asked for again soon."""
PUSH_CLAIM_SECONDS = 15
"""Seconds after which messages whose sender has died are sent by another: longer than one call may take."""
PUSH_TTL = 24 * 3600
"""For how long a push service keeps a message for a browser that is away."""
GONE = (404, 410)
"""Answers that say that a subscription has ended."""
TEXTS = {
    "en": {"turn": "Your turn in {game} against {others}", AT_THE_END: "{game} against {others} is over"},
    "fr": {
        "turn": "À vous de jouer : {game}, contre {others}",
        AT_THE_END: "La partie est finie : {game}, contre {others}",
    },
}


class PushSender:
    """The push messages of this process."""

    def __init__(self, ledger: Ledger, queue: WorkQueue, key: PushKey, *, allow_private: bool) -> None:
        self.ledger = ledger
        self.pushes = ledger.projections.pushes
        self.queue = queue
        self.key = key
        self.allow_private = allow_private
        self._busy: set[str] = set()
        self._lock = threading.Lock()

    def start_sending(self, game: str) -> None:
        """Begin to send what is due in a game, unless someone is at it; this does not wait for it."""
        with self._lock:
            if game in self._busy or len(self._busy) >= MAX_PUSH_THREADS:
                return
            threading.Thread(target=self._run, args=[game], name=f"push {game}", daemon=True).start()
            self._busy.add(game)

    def _run(self, game: str) -> None:
        try:
            self.send_due(game)
        except STORE_FAILED as error:
            log.warning("push messages were broken off: %s", type(error).__name__)
        except Exception:
            log.exception("push messages have failed")
        finally:
            with self._lock:
                self._busy.discard(game)
            with suppress(*STORE_FAILED):
                self.queue.done(PUSH_JOB, game)

    def send_due(self, game: str) -> None:
        """Send what is due in a game, as far as it holds."""
        for due in self.pushes.due_in(game, time.time()):
            self.queue.begin(PUSH_JOB, game, PUSH_CLAIM_SECONDS)
            registration = self.pushes.of_game(game).get(due.seat)
            dossier = self._dossier(game)
            if registration is None or dossier is None or occasion_of(dossier.game, due.seat) != due.occasion:
                self.pushes.drop(due)
            elif dossier.game.chairs[due.seat].generation != registration.generation:
                self._remove(due)  # another holds the seat now
            elif self.pushes.is_present(game, due.seat, time.time()):
                self._finish(due, registration)
            else:
                self._send(due, registration, message_for(self.ledger, dossier, due, registration.language))

    def _dossier(self, game: str) -> Dossier | None:
        with suppress(GameNotFound, UnknownRuleset):
            return self.ledger.get(game)
        return None

    def _send(self, due: DuePush, registration: Registration, message: bytes) -> None:
        headers = {
            "Authorization": self.key.authorization(registration.endpoint),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(PUSH_TTL),
            "Topic": base64url(sha256(f"{due.game} {due.seat}".encode()).digest())[:32],
            "Urgency": "normal",
            "User-Agent": "stele",
        }
        body = encrypt(message, registration.p256dh, registration.auth)
        try:
            status = post(registration.endpoint, body, headers, allow_private=self.allow_private)
        except Undeliverable:
            status = 0
        crash_point("between a push message and its mark")
        if status in GONE:
            metrics.PUSHES.labels("gone").inc()
            self._remove(due)
        elif 200 <= status < 300:
            metrics.PUSHES.labels("sent").inc()
            self._finish(due, registration)
        elif registration.tries + 1 < (PUSH_REFUSED.attempts or 0):
            until = time.time() + PUSH_REFUSED.pause(registration.tries + 1)
            self.pushes.postpone(due, registration, until)
        else:
            metrics.PUSHES.labels("given up").inc()
            self._finish(due, registration)

    def _finish(self, due: DuePush, registration: Registration) -> None:
        """There is no other message for this occasion; after the end there is none at all."""
        if due.occasion == AT_THE_END:
            self._remove(due)
        else:
            self.pushes.finish(due, registration)

    def _remove(self, due: DuePush) -> None:
        self.pushes.remove(due.game, due.seat)
        self.pushes.drop(due)


def message_for(ledger: Ledger, dossier: Dossier, due: DuePush, language: str) -> bytes:
    """What a browser shows: nothing but what the table knows, the game and who plays it."""
    game = dossier.game
    names = [_name(dossier.people.get(seat), chair.bot, language) for seat, chair in enumerate(game.chairs)]
    others = [name for seat, name in enumerate(names) if seat != due.seat and name]
    kind = AT_THE_END if due.occasion == AT_THE_END else "turn"
    title = teller_of(ruleset_of(game, ledger.rulesets), language, names).label(game.created.ruleset)
    text = TEXTS[language][kind].format(game=title, others=", ".join(others))
    members = {"type": kind, "game": game.id, "seat": due.seat, "ruleset": game.created.ruleset}
    return msgspec.json.encode(members | {"text": text, "lang": language, "at": utc_now()})


def _name(person: bytes | None, bot: str | None, language: str) -> str | None:
    """What somebody is called at the table; None where nobody sits, or the name was forgotten."""
    if person is not None:
        return str(msgspec.json.decode(person)["name"])
    return bot_name(bot, language) if bot else None
