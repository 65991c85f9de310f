"""Where a game's chance comes from: a seed that the server commits to, mixed with what the seats bring."""

import hashlib
import hmac
from collections.abc import Sequence


def commitment(server_seed: bytes) -> str:
    """The hash that is published of the server's seed, before anything is dealt."""
    return hashlib.sha256(server_seed).hexdigest()


def seal(entropy: bytes) -> str:
    """The commitment of a seat that brings its entropy sealed."""
    return hashlib.sha256(b"stele-seal-1" + entropy).hexdigest()


def game_seed(server_seed: bytes, game: str, entropies: Sequence[bytes]) -> bytes:
    """The seed of every shuffle: nobody who knows only a part of it can foresee or choose the deal."""
    message = b"stele-game-1\x00" + game.encode() + b"\x00"
    message += b"".join(hashlib.sha256(entropy).digest() for entropy in entropies)
    return hmac.digest(server_seed, message, "sha256")


def name_hash(nonce: bytes, name: str) -> str:
    """What the log holds of a player's name: nothing, once the nonce is forgotten."""
    return hashlib.sha256(nonce + name.encode()).hexdigest()
