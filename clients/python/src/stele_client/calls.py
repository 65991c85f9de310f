"""A request in the making: what is sent, apart from how it is sent."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Any, TypeVar

import httpx
import msgspec

from stele_client.errors import UNEXPECTED, SteleError

T = TypeVar("T")

LOOKING = Lock()
"""Held while a shape is looked at: msgspec lets another thread have what it has found while it is still looking, and a
bot that plays several games in threads would end without a word (msgspec 0.22)."""
DECODERS: dict[Any, msgspec.json.Decoder[Any]] = {}


@dataclass(frozen=True)
class Call:
    """A method, an address below the server's, and what goes with it. A member or parameter that is None is left out."""

    method: str
    path: str
    query: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str | None] = field(default_factory=dict)
    body: bytes | None = None
    wait: float = 0.0
    """Seconds that the server may take its time."""

    @property
    def params(self) -> dict[str, str]:
        """The query as it is written."""
        return {name: in_query(value) for name, value in self.query.items() if value is not None}

    @property
    def all_headers(self) -> dict[str, str]:
        sent = {name: value for name, value in self.headers.items() if value is not None}
        return sent | ({"Content-Type": "application/json"} if self.body is not None else {})

    def with_query(self, **more: Any) -> "Call":
        return replace(self, query={**self.query, **more})

    def with_headers(self, **more: str | None) -> "Call":
        return replace(self, headers={**self.headers, **more})


def get(path: str, **query: Any) -> Call:
    """A reading request."""
    return Call("GET", path, query)


def change(
    path: str, body: Any = None, *, method: str = "POST", key: str | None = None, **query: Any
) -> Call:
    """A request that changes something: its Idempotency-Key, which it always has, makes it safe to send again."""
    headers = {"Idempotency-Key": key or secrets.token_urlsafe(24)}
    return Call(method, path, query, headers, None if body is None else msgspec.json.encode(body))


def members(**wanted: Any) -> dict[str, Any]:
    """The members of a body that are there."""
    return {name: value for name, value in wanted.items() if value is not None}


def in_query(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(value) if isinstance(value, list | tuple) else str(value)


def decoded(content: bytes, shape: type[T]) -> T:
    """An answer's body in its shape."""
    with LOOKING:
        if shape not in DECODERS:
            DECODERS[shape] = msgspec.json.Decoder(shape)
    try:
        read: T = DECODERS[shape].decode(content)
        return read
    except msgspec.MsgspecError as wrong:
        raise SteleError(UNEXPECTED, f"The answer is not one of this API: {wrong}.") from None


def answered(response: httpx.Response, shape: type[T]) -> T:
    return decoded(response.content, shape)


class ExportLine(msgspec.Struct):
    """What is read of a line of an export: a record, or the problem that ended the list."""

    game: str | None = None
    code: str = UNEXPECTED
    detail: str = "A line of the list is no record."
    status: int | None = None


def game_of_record(line: bytes) -> str:
    """The game of a record in a list; the error, if the line is the problem that ended the list."""
    read = decoded(line, ExportLine)
    if read.game is None:
        raise SteleError(read.code, read.detail, read.status)
    return read.game
