"""Sealed entropy: a player's own part in the chance of a game, which nobody can choose or foresee."""

import hashlib
import secrets
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Seal:
    """Thirty-two secret bytes, committed to when sitting down and opened once everyone sits. Keep it until then."""

    entropy: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)

    @property
    def commitment(self) -> str:
        """What is shown of it at first."""
        return hashlib.sha256(b"stele-seal-1" + self.entropy).hexdigest()
