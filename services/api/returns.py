"""What routes answer with: codes of problems that several share, and headers."""

from services.http.routing import Doc, Returns

ANY_RULE = "(the rules of the game)"
"""Stands for every code of every game."""
BODY = ("malformed_json", "body_too_large", "unsupported_media_type", "invalid_request")
RETRIED = ("idempotency_key_reused", "weak_idempotency_key", "store_full", "not_replicated")
ABOUT_A_GAME = (
    "rate_limited",
    "unauthorized",
    "game_not_found",
    "invalid_request",
    "not_found",
    "ruleset_version_missing",
    "archive_unavailable",
    "store_unavailable",
)
CREATING = (
    *BODY,
    *RETRIED,
    "forbidden",
    "invalid_seats",
    "ruleset_version_missing",
    "archive_unavailable",
    "rate_limited",
    "store_unavailable",
    "unauthorized",
)

REPLAYED_HEADER: Doc = {"Idempotent-Replayed": {"schema": {"type": "string", "enum": ["true"]}}}
"""The header of an answer that was given before."""
CREATED_HEADERS: Doc = REPLAYED_HEADER | {"Location": {"schema": {"type": "string"}, "required": True}}
TAG_HEADER: Doc = {"ETag": {"schema": {"type": "string"}, "required": True}}
NOT_MODIFIED = Returns(description="You have it already.", headers=TAG_HEADER)
TEXT: Doc = {"type": "string"}
