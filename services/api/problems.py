"""Errors as RFC 9457 problems: a status, a stable code, and a sentence that helps. Never a stack trace."""

import logging
from http import HTTPStatus
from typing import Any

import msgspec
from flask import Flask, Response, request
from flask_smorest import Api
from redis import exceptions
from werkzeug.exceptions import HTTPException, InternalServerError, MethodNotAllowed, NotFound

from events.canonical import MalformedJSON
from events.weather import AWAY, FULL, NotReplicated
from games.kernel import Refusal
from services.api import wording

log = logging.getLogger(__name__)

STATUS = {
    "malformed_json": 400,
    "unauthorized": 401,
    "forbidden": 403,
    "seat_withdrawn": 403,
    "seat_is_bot": 403,
    "game_not_found": 404,
    "no_review": 404,
    "cursor_expired": 410,
    "version_conflict": 412,
    "unknown_ruleset": 422,
    "unknown_bot": 422,
    "invalid_options": 422,
    "invalid_seats": 422,
    "invalid_position": 422,
    "invalid_request": 422,
    "unknown_action": 422,
    "malformed_action": 422,
    "idempotency_key_reused": 422,
    "weak_idempotency_key": 422,
    "rate_limited": 429,
    "ruleset_version_missing": 503,
    "archive_unavailable": 503,
    "store_unavailable": 503,
    "store_full": 503,
    "not_replicated": 503,
}
"""The status of each code; what the rules refuse is 409."""

HTTP_CODES = {
    400: "bad_request",
    404: "not_found",
    405: "method_not_allowed",
    406: "not_acceptable",
    413: "body_too_large",
    415: "unsupported_media_type",
    422: "invalid_request",
    429: "rate_limited",
    500: "internal_error",
}

RETRY_AFTER = {"store_unavailable": "1", "not_replicated": "1", "store_full": "60"}


class Problem(Refusal):
    """A refusal that tells more than a sentence: extra members of the problem."""

    def __init__(self, code: str, message: str, **more: Any) -> None:
        super().__init__(code, message)
        self.more = more


def problem(code: str, detail: str, status: int | None = None, **more: Any) -> Response:
    """A problem as an answer."""
    status = status or STATUS.get(code, 409)
    body = {
        "type": f"urn:stele:problem:{code}",
        "title": wording.title(status),
        "status": status,
        "detail": wording.detail(code, detail, more),
        "code": code,
        **more,
    }
    answer = Response(msgspec.json.encode(body), status, mimetype="application/problem+json")
    answer.headers["Cache-Control"] = "no-store"
    answer.headers["Content-Language"] = wording.language()
    answer.headers["Vary"] = "Accept-Language"
    if status == 401:
        answer.headers["WWW-Authenticate"] = "Bearer"
    if code in RETRY_AFTER:
        answer.headers["Retry-After"] = RETRY_AFTER[code]
    return answer


def refused(refusal: Refusal) -> Response:
    """What the rules or the API refuse."""
    answer = problem(refusal.code, refusal.message, **getattr(refusal, "more", {}))
    answer.headers.update(getattr(refusal, "headers", {}))
    return answer


def malformed(error: MalformedJSON) -> Response:
    return problem("malformed_json", f"The body is not JSON that can be kept: {error}.")


def store_failed(error: Exception) -> Response:
    """The store does not answer, has no memory left, or has too few copies of what it was given."""
    if isinstance(error, FULL):
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
    if isinstance(error, AWAY):
        log.warning("the store is away: %s", type(error).__name__)
        return problem(
            "store_unavailable", "The store is away. Try again, with the same Idempotency-Key if you had one."
        )
    raise error


def sentence(error: HTTPException) -> str:
    """An error of HTTP itself in our own words, or in those of whoever raised it."""
    match error:
        case NotFound(description=NotFound.description):
            return "There is nothing at this address; `/docs` shows what there is."
        case MethodNotAllowed(valid_methods=methods):
            allowed = ", ".join(sorted({*(methods or ())} - {"HEAD", "OPTIONS"}))
            return f"This address does not take {request.method}, but {allowed}."
        case InternalServerError():
            return "Something went wrong on our side; it is in the server's log."
    return error.description or HTTPStatus(error.code or 500).phrase


class ProblemApi(Api):  # type: ignore[misc]  # flask-smorest has no types
    """flask-smorest, answering every error of HTTP itself as a problem, and documenting those a route may give."""

    DEFAULT_ERROR_RESPONSE_NAME = None

    def handle_http_exception(self, error: HTTPException) -> Response:
        status = error.code or 500
        code = HTTP_CODES.get(status, "http_error")
        data = getattr(error, "data", None) or {}
        more = {"errors": data["messages"]} if "messages" in data else {}
        detail = "Some members of the request are not right." if more else sentence(error)
        answer = problem(code, detail, status, **more)
        for name, value in error.get_headers():
            if name in ("Allow", "Retry-After"):
                answer.headers[name] = value
        return answer


def register_problems(app: Flask) -> None:
    """Every error that can reach Flask has its answer."""
    app.register_error_handler(Refusal, refused)
    app.register_error_handler(MalformedJSON, malformed)
    for failure in (exceptions.RedisError, *AWAY):
        app.register_error_handler(failure, store_failed)
