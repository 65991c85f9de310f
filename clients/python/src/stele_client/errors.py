"""What a server refuses, and what keeps it from answering: one class for both."""

from collections.abc import Mapping
from typing import Any

import httpx
import msgspec

TEMPORARY = frozenset({429, 502, 503, 504})
"""Statuses after which the same request is worth another try."""
UNREACHABLE = "unreachable"
UNEXPECTED = "unexpected_answer"


class SteleError(Exception):
    """A request that was not carried out.

    `code` is stable and for programs, `detail` is a sentence for people. `status` is that of HTTP; None if there was
    no answer at all (code `unreachable`). `problem` has every member of the server's answer (RFC 9457), such as
    `errors` by field, or `version` and `expected` of a `version_conflict`.
    """

    def __init__(
        self,
        code: str,
        detail: str,
        status: int | None = None,
        *,
        retry_after: float | None = None,
        problem: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(f"{code}: {detail}" if status is None else f"{code} ({status}): {detail}")
        self.code = code
        self.detail = detail
        self.status = status
        self.retry_after = retry_after
        self.problem = dict(problem or {})

    @property
    def is_temporary(self) -> bool:
        """May the same request succeed a little later?"""
        return self.code == UNREACHABLE or self.status in TEMPORARY

    @property
    def errors(self) -> Mapping[str, Any]:
        """Of `invalid_request`: what is wrong, by field."""
        errors = self.problem.get("errors")
        return errors if isinstance(errors, dict) else {}


def unreachable(lost: httpx.TransportError) -> SteleError:
    """The error for a connection that failed, or broke before the answer was there."""
    return SteleError(UNREACHABLE, f"The server does not answer ({type(lost).__name__}: {lost}).")


def error_of(response: httpx.Response) -> SteleError:
    """The error that an answer tells of; its body has been read."""
    try:
        problem = msgspec.json.decode(response.content, type=dict[str, Any])
        code, detail = str(problem["code"]), str(problem["detail"])
    except (msgspec.MsgspecError, KeyError):
        problem, code = {}, UNEXPECTED
        detail = f"The answer {response.status_code} is not one of this API: {response.text[:200]!r}"
    return SteleError(
        code, detail, response.status_code, retry_after=seconds_to_wait(response), problem=problem
    )


def seconds_to_wait(response: httpx.Response) -> float | None:
    """What `Retry-After` asks for, if it is a number of seconds."""
    text = response.headers.get("Retry-After", "")
    return float(text) if text.isascii() and text.isdecimal() else None
