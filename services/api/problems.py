"""Errors as RFC 9457 problems: a status, a stable code, and a sentence that helps. Never a stack trace."""

import logging
from typing import Any

import msgspec

from events.canonical import MalformedJSON
from events.store_errors import OUT_OF_MEMORY, STORE_FAILED, UNAVAILABLE, NotReplicated
from games.kernel import Refusal
from services.api import translation
from services.bodies.server import ProblemBody
from services.http.messages import Request, Response, response

log = logging.getLogger(__name__)

STATUS = {
    "bad_request": 400,
    "malformed_json": 400,
    "unauthorized": 401,
    "forbidden": 403,
    "seat_withdrawn": 403,
    "seat_is_bot": 403,
    "invalid_code": 403,
    "game_not_found": 404,
    "no_hint": 404,
    "no_review": 404,
    "not_found": 404,
    "method_not_allowed": 405,
    "not_acceptable": 406,
    "cursor_expired": 410,
    "version_conflict": 412,
    "body_too_large": 413,
    "unsupported_media_type": 415,
    "unknown_ruleset": 422,
    "unknown_bot": 422,
    "invalid_options": 422,
    "invalid_seats": 422,
    "invalid_position": 422,
    "invalid_request": 422,
    "unknown_action": 422,
    "bad_signature": 422,
    "malformed_action": 422,
    "idempotency_key_reused": 422,
    "weak_idempotency_key": 422,
    "upgrade_required": 426,
    "rate_limited": 429,
    "internal_error": 500,
    "not_implemented": 501,
    "ruleset_version_missing": 503,
    "archive_unavailable": 503,
    "busy": 503,
    "store_unavailable": 503,
    "store_full": 503,
    "not_replicated": 503,
}
"""The status of each code; what the rules refuse is 409."""

RETRY_AFTER = {"store_unavailable": "1", "not_replicated": "1", "store_full": "60"}


class Problem(Refusal):
    """A refusal that tells more than a sentence: extra members of the problem."""

    def __init__(self, code: str, message: str, **more: Any) -> None:
        super().__init__(code, message)
        self.more = more


def problem(code: str, detail: str, status: int | None = None, **more: Any) -> Response:
    """A problem as an answer."""
    status = status or STATUS.get(code, 409)
    body = ProblemBody(
        type=f"urn:stele:problem:{code}",
        title=translation.title(status),
        status=status,
        detail=translation.detail(code, detail, more),
        code=code,
        **more,
    )
    headers = {
        "cache_control": "no-store",
        "content_language": translation.language(),
        "vary": "Accept-Language",
    }
    if status == 401:
        headers["www_authenticate"] = "Bearer"
    if code in RETRY_AFTER:
        headers["retry_after"] = RETRY_AFTER[code]
    return response(msgspec.json.encode(body), "application/problem+json", status, **headers)


def refused(refusal: Refusal) -> Response:
    """What the rules or the API refuse."""
    answer = problem(refusal.code, refusal.message, **getattr(refusal, "more", {}))
    return answer.with_headers(**getattr(refusal, "headers", {}))


def malformed(error: MalformedJSON) -> Response:
    return problem("malformed_json", f"The body is not JSON that can be kept: {error}.")


def store_failed(error: Exception) -> Response:
    """The store does not answer, has no memory left, or has too few copies of what it was given."""
    if isinstance(error, OUT_OF_MEMORY):
        log.error("the store takes nothing more: %s", error)
        return problem(
            "store_full", "The server cannot write just now; nothing was changed. Try again later."
        )
    if isinstance(error, NotReplicated):
        log.warning("not replicated in time")
        return problem(
            "not_replicated",
            "It is written, but not in as many copies as this server asks for, and may yet be lost."
            " Try again with the same Idempotency-Key; without one, look first whether it was done.",
        )
    if isinstance(error, UNAVAILABLE):
        log.warning("the store is away: %s", type(error).__name__)
        return problem(
            "store_unavailable", "The store is away. Try again, with the same Idempotency-Key if you had one."
        )
    raise error


def missing(method: str, allowed: list[str]) -> Response:
    """Nothing is at this address, or nothing that takes this method."""
    if not allowed:
        return problem("not_found", "There is nothing at this address; `/docs` shows what there is.")
    taken = ", ".join(each for each in allowed if each not in ("HEAD", "OPTIONS"))
    answer = problem("method_not_allowed", f"This address does not take {method}, but {taken}.")
    return answer.with_headers(allow=", ".join(allowed))


def unforeseen(request: Request, error: Exception) -> Response:
    """What nobody has foreseen is logged, and tells nothing."""
    log.error("%s %s has failed", request.method, request.path, exc_info=error)
    return problem("internal_error", "Something went wrong on our side; it is in the server's log.")


def explain(error: Exception) -> Response:
    """The answer to an error that can be foreseen; any other is raised again."""
    match error:
        case Refusal():
            return refused(error)
        case MalformedJSON():
            return malformed(error)
    if isinstance(error, STORE_FAILED):
        return store_failed(error)
    raise error
