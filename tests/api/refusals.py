"""What every refusal has in common: a problem that helps, tells nothing hidden, and has changed nothing."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any, NamedTuple, cast

from tests.api.client import Answer, Api, Table

MEMBERS = {"type", "title", "status", "detail", "code"}
EXTRA = {"errors", "expected", "version", "decision", "audit"}
"""What some problems tell besides."""


class Case(NamedTuple):
    """A request that is refused: why, how, and how it is made (of an API and a game of Lanterns in play)."""

    name: str
    status: int
    code: str
    send: Callable[[Api, Table], Answer]

    def __str__(self) -> str:
        return self.name.replace(" ", "_")


def assert_problem(answer: Answer, status: int, code: str) -> dict[str, Any]:
    """The answer is this problem, after RFC 9457; gives its body."""
    assert (answer.status, answer.code) == (status, code), answer
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["cache-control"] == "no-store"
    body = cast(dict[str, Any], answer.json)
    assert set(body) - EXTRA == MEMBERS
    assert body["type"] == f"urn:stele:problem:{code}"
    assert (body["status"], body["title"]) == (status, HTTPStatus(status).phrase)
    assert " " in body["detail"], "a sentence"
    assert body["detail"].endswith("."), body["detail"]
    assert len(body["detail"]) < 400, "a sentence, not an essay"
    assert "Traceback" not in body["detail"]
    return body


def contents(api: Api) -> dict[bytes, Any]:
    """Everything that the store holds."""
    client = cast(Any, api.context.store.client)
    return {key: client.dump(key) for key in client.scan_iter()}


def assert_refused(api: Api, game: Table, case: Case) -> None:
    """The request is refused as the case says, and nothing has changed."""
    before = contents(api)
    assert_problem(case.send(api, game), case.status, case.code)
    assert contents(api) == before
