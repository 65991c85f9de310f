"""A browser for tests that has subscribed to push messages: it reads what a push service was sent for it."""

import json
import os
from typing import Any

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from projections.pushes import Registration
from services.core.web_push import base64url
from tests.worker.receiver import Receiver


class Browser:
    """Its keys, and the push service that keeps its messages."""

    def __init__(self, service: Receiver) -> None:
        self.service = service
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._auth = os.urandom(16)
        point = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.p256dh, self.auth = base64url(point), base64url(self._auth)

    @property
    def subscription(self) -> dict[str, Any]:
        """As a page sends it to the server."""
        keys = {"p256dh": self.p256dh, "auth": self.auth}
        return {"endpoint": self.service.url, "expirationTime": None, "keys": keys}

    def registration(self, after_seconds: int = 0, language: str = "en", generation: int = 0) -> Registration:
        return Registration(self.service.url, self.p256dh, self.auth, after_seconds, generation, language)

    def read(self, body: bytes) -> Any:
        """A message, by an independent implementation of RFC 8188."""
        message = http_ece.decrypt(body, private_key=self._key, auth_secret=self._auth, version="aes128gcm")
        return json.loads(message)

    @property
    def messages(self) -> list[Any]:
        """Everything that was sent."""
        return [self.read(body) for _, body in self.service.taken]
