"""Names stay out of the log: it holds their hashes, and the names lie beside it, where they can be forgotten."""

import json
import secrets
from collections.abc import Mapping
from typing import Any

from events import acts
from events.seeds import name_hash


def introduce(wanted: Mapping[str, Any]) -> acts.Sitter:
    """Someone who sits down: what the log will hold of them, and what is kept beside it (nothing of a bot)."""
    nonce = secrets.token_bytes(16)
    name = wanted.get("name")
    return acts.Sitter(
        name_hash=None if name is None else name_hash(nonce, name),
        ref=wanted.get("ref"),
        bot=wanted.get("bot"),
        entropy=wanted.get("entropy"),
        entropy_commitment=wanted.get("entropy_commitment"),
        person=None if name is None else json.dumps({"name": name, "nonce": nonce.hex()}),
    )
