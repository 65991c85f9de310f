"""Signing in by a link that is sent to an address: who can read the mail is the person."""

import json
import secrets
from pathlib import Path

from itsdangerous import BadSignature, URLSafeTimedSerializer

LINK_SECONDS = 15 * 60


class Mailer:
    """A stand-in for a real one: mails are written to a file, or printed."""

    def __init__(self, outbox: Path | None) -> None:
        self._outbox = outbox

    def send(self, to: str, subject: str, text: str) -> None:
        mail = json.dumps({"to": to, "subject": subject, "text": text})
        if self._outbox is None:
            print(mail, flush=True)
            return
        with self._outbox.open("a", encoding="utf-8") as outbox:
            outbox.write(mail + "\n")


class Links:
    """Makes links and reads them: signed, good for a quarter of an hour, and (with a list of those used) for once."""

    def __init__(self, secret: str) -> None:
        self._signer = URLSafeTimedSerializer(secret, salt="sign-in")

    def make(self, email: str, name: str) -> str:
        return self._signer.dumps([secrets.token_hex(16), email, name])

    def read(self, link: str) -> tuple[str, str, str] | None:
        """The nonce, the address and the name in a link; None if it is not ours, or too old."""
        try:
            nonce, email, name = self._signer.loads(link, max_age=LINK_SECONDS)
        except BadSignature:
            return None
        return nonce, email, name
