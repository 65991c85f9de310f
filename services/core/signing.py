"""The server's signature: what makes a head proof that this server wrote the log it ends."""

from datetime import UTC, datetime
from typing import Any, cast

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events.clocks import timestamp
from events.store import Client, Head
from replays.audit.heads import Trust
from replays.audit.verify import Keys, head_message, key_id
from services.core.datadir import load_or_create_secret
from services.core.settings import ROWS, CannotStart, Settings, ed25519_key

PUBLIC_KEYS_KEY = "stele:keys"
"""Every key that ever signed here (a hash: id -> public key and since when), so that old signatures stay checkable."""


class Signer:
    """Signs heads with the server's present key."""

    def __init__(self, private: bytes) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(private)
        self.public = self._key.public_key().public_bytes_raw()
        self.key_id = key_id(self.public)

    def signed(self, game: str, head: Head) -> dict[str, Any]:
        """A head as a record carries it."""
        signature = self._key.sign(head_message(game, head.seq, head.hash)).hex()
        return {"seq": head.seq, "hash": head.hash, "signature": signature, "key_id": self.key_id}


class Keyring:
    """The present key, and the public keys of all that ever signed on this store."""

    def __init__(self, signer: Signer, client: Client) -> None:
        self.signer = signer
        self._client = client

    def announce(self) -> None:
        """List the present key; once listed, a key stays so."""
        if not self._client.hexists(PUBLIC_KEYS_KEY, self.signer.key_id):
            line = {"public_key": self.signer.public.hex(), "since": timestamp(datetime.now(UTC))}
            self._client.hsetnx(PUBLIC_KEYS_KEY, self.signer.key_id, msgspec.json.encode(line).decode())

    def listed(self) -> list[dict[str, Any]]:
        """Every key for everyone to see, the present one first, then the latest."""
        lines = cast(dict[bytes, bytes], self._client.hgetall(PUBLIC_KEYS_KEY))
        keys = [{"key_id": name.decode()} | msgspec.json.decode(line) for name, line in lines.items()]
        for key in keys:
            key |= {"algorithm": "Ed25519", "retired": key["key_id"] != self.signer.key_id}
        keys.sort(key=lambda key: str(key["since"]), reverse=True)
        return sorted(keys, key=lambda key: bool(key["retired"]))

    def public_keys(self) -> Keys:
        """Public keys by id, the present one in any case."""
        listed = {key["key_id"]: bytes.fromhex(key["public_key"]) for key in self.listed()}
        return {self.signer.key_id: self.signer.public} | listed

    def trust(self, *, own: bool) -> Trust:
        """A game of our own is signed by us or not at all; of others' keys we know nothing."""
        return Trust(self.public_keys(), only_these=own)


def log_identity(settings: Settings) -> tuple[str, bytes]:
    """The name and the private key of the transparency log of these settings."""
    file = ROWS["log_key"].file
    written = settings.log_key or load_or_create_secret(settings.data_dir, file)
    try:
        private = bytes.fromhex(ed25519_key(written))
    except ValueError as wanted:
        raise CannotStart(f"The secret {settings.data_dir / file} must be {wanted}.") from None
    public = Ed25519PrivateKey.from_private_bytes(private).public_key().public_bytes_raw()
    return settings.log_origin or f"stele/{key_id(public)}", private


def make_signer(settings: Settings) -> Signer:
    """The signer of these settings: by the key given, or by the data directory's own, made on first start."""
    if settings.signing_key:
        return Signer(bytes.fromhex(settings.signing_key))
    file = ROWS["signing_key"].file
    try:
        return Signer(bytes.fromhex(ed25519_key(load_or_create_secret(settings.data_dir, file))))
    except ValueError as wanted:
        raise CannotStart(f"The secret {settings.data_dir / file} must be {wanted}.") from None
