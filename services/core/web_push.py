"""Web Push: messages encrypted for one browser (RFC 8291), under the name of this server (VAPID, RFC 8292)."""

import json
import os
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from services.core.datadir import load_or_create_secret
from services.core.settings import ROWS, CannotStart, Settings, p256_key

CURVE = ec.SECP256R1()
RECORD_SIZE = 4096
PADDED_TO = 512
"""Bytes: a message is as long as the next multiple, so that its length tells little."""
VAPID_SECONDS = 12 * 3600
"""How long a push service may take our word; at most a day."""
AUTH_BYTES = 16


class PushKey:
    """The key by which push services know this server."""

    def __init__(self, private: str, contact: str | None = None) -> None:
        self._key = ec.derive_private_key(int(private, 16), CURVE)
        self.public = base64url(_point(self._key.public_key()))
        self._contact = contact

    def authorization(self, endpoint: str, now: float | None = None) -> str:
        """The header that says who sends to this endpoint."""
        parts = urlsplit(endpoint)
        expires = int(time.time() if now is None else now) + VAPID_SECONDS
        claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": expires}
        if self._contact:
            claims["sub"] = self._contact
        signed = f"{_json({'typ': 'JWT', 'alg': 'ES256'})}.{_json(claims)}"
        r, s = decode_dss_signature(self._key.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
        return f"vapid t={signed}.{base64url(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))}, k={self.public}"


def encrypt(message: bytes, p256dh: str, auth: str) -> bytes:
    """A message that only the browser with these keys can read, as the body of a push (`aes128gcm`)."""
    receiver, secret = read_subscriber_keys(p256dh, auth)
    ours = ec.generate_private_key(CURVE)
    point = _point(ours.public_key())
    shared = ours.exchange(ec.ECDH(), receiver)
    salt = os.urandom(16)
    ikm = _derive(secret, shared, b"WebPush: info\0" + _point(receiver) + point, 32)
    key = _derive(salt, ikm, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derive(salt, ikm, b"Content-Encoding: nonce\0", 12)
    padded = message + b"\x02" + bytes(-(len(message) + 1) % PADDED_TO)
    header = salt + RECORD_SIZE.to_bytes(4, "big") + bytes([len(point)]) + point
    return header + AESGCM(key).encrypt(nonce, padded, None)


def read_subscriber_keys(p256dh: str, auth: str) -> tuple[ec.EllipticCurvePublicKey, bytes]:
    """The keys of a subscription; ValueError if they are none."""
    secret = from_base64url(auth)
    if len(secret) != AUTH_BYTES:
        raise ValueError(f"`auth` has {AUTH_BYTES} bytes")
    return ec.EllipticCurvePublicKey.from_encoded_point(CURVE, from_base64url(p256dh)), secret


def make_push_key(settings: Settings) -> PushKey:
    """The key of these settings: the one given, or the data directory's own, made on first start."""
    file = ROWS["push_key"].file
    try:
        private = p256_key(settings.push_key or load_or_create_secret(settings.data_dir, file))
    except ValueError as wanted:
        raise CannotStart(f"The secret {settings.data_dir / file} must be {wanted}.") from None
    return PushKey(private, settings.push_contact or settings.public_url)


def base64url(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def from_base64url(text: str) -> bytes:
    return urlsafe_b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4))


def _json(value: dict[str, object]) -> str:
    return base64url(json.dumps(value, separators=(",", ":")).encode())


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _derive(salt: bytes, material: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(material)
