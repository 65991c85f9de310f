"""Messages of the WebSocket: what clients may send, as types, and which call of the API each stands for.

An operation is a class here. One that changes a game is `Ordered`; its `call` names the route that carries it out.
"""

from collections.abc import Mapping
from typing import Any, ClassVar, Literal
from urllib.parse import urlencode

import msgspec
from msgspec import Raw, Struct, field

from services.http.messages import Response

NOT_SENT = Raw()
"""A member that was not sent."""
NO_ID = b"null"
VersionNumber = int


class Message(Struct, tag_field="op", forbid_unknown_fields=True):
    """A request on a socket."""

    id: Raw

    @property
    def re(self) -> bytes:
        """The id as the answer repeats it."""
        return bytes(self.id)


class Follow(Message, tag="follow"):
    """Follow a game with the eyes of a seat or a spectator."""

    game: str
    token: str | None = None
    join_code: str | None = None
    after: VersionNumber | None = None
    include: list[str] | None = None
    lang: str | None = None
    frames: bool = True

    @property
    def query(self) -> str:
        asked = {
            "join_code": self.join_code,
            "after": self.after,
            "include": ",".join(sorted(set(self.include))) if self.include else None,
            "frames": "true" if self.frames else "false",
        }
        return query_of(asked)

    @property
    def headers(self) -> dict[str, str]:
        """What every request of this follow brings."""
        headers = {"content-type": "application/json"}
        if self.token is not None:
            headers["authorization"] = f"Bearer {self.token}"
        if self.lang is not None:
            headers["accept-language"] = self.lang
        return headers


class FeedRequest(Message, tag="feed"):
    """Hear what happens in all games of a host."""

    token: str
    tag: str | None = None
    types: list[str] | str | None = None
    after: str | None = None

    @property
    def query(self) -> str:
        types = ",".join(self.types) if isinstance(self.types, list) else self.types
        return query_of({"tag": self.tag, "types": types})

    @property
    def headers(self) -> dict[str, str]:
        resumed = {} if self.after is None else {"last-event-id": self.after}
        return {"authorization": f"Bearer {self.token}", **resumed}


class Unfollow(Message, tag="unfollow"):
    """End a follow."""

    as_: int = field(name="as")


class GameMessage(Message):
    """A request about a game that is followed: a call of the API, with what was sent beside `as`."""

    as_: int = field(name="as")
    call: ClassVar[tuple[str, str]]
    """The method, and the path below that of the game."""

    def query(self) -> str:
        return ""

    def headers(self) -> dict[str, str]:
        return {}

    def body(self) -> bytes:
        return b""


class Ordered(GameMessage):
    """A request that changes a game: those of one follow are carried out in the order in which they were sent."""

    if_match: str | None = None
    key: str | None = None
    sigs: list[str] | None = None
    answer: Literal["full", "minimal"] = "full"

    def headers(self) -> dict[str, str]:
        headers = {}
        if self.answer == "minimal":
            headers["prefer"] = "return=minimal"
        if self.key is not None:
            headers["idempotency-key"] = self.key
        if self.if_match is not None:
            headers["if-match"] = self.if_match
        if self.sigs:
            headers["stele-signature"] = ", ".join(self.sigs)
        return headers


class Act(Ordered, tag="act"):
    """Do something: one action, or several in order."""

    call = ("POST", "actions")
    action: Raw = NOT_SENT
    actions: Raw = NOT_SENT
    decision: int | None = None

    def __post_init__(self) -> None:
        if (self.action == NOT_SENT) == (self.actions == NOT_SENT):
            raise ValueError("An act has either `action` or `actions`")
        if self.actions != NOT_SENT and not bytes(self.actions).startswith(b"["):
            raise ValueError("`actions` is a list")

    def query(self) -> str:
        return "" if self.decision is None else f"decision={self.decision}"

    def body(self) -> bytes:
        return bytes(self.actions if self.action == NOT_SENT else self.action)


class Resign(Ordered, tag="resign"):
    """Give up."""

    call = ("POST", "resignation")


class TakeBack(Ordered, tag="take_back"):
    """Take back the latest actions, to a version if one is named."""

    call = ("POST", "takebacks")
    to: int | None = None

    def body(self) -> bytes:
        return msgspec.json.encode({} if self.to is None else {"to": self.to})


class Check(GameMessage, tag="check"):
    """Would this action be accepted?"""

    call = ("POST", "actions/check")
    action: Raw
    decision: int | None = None
    if_match: str | None = None

    def query(self) -> str:
        return "" if self.decision is None else f"decision={self.decision}"

    def headers(self) -> dict[str, str]:
        return {} if self.if_match is None else {"if-match": self.if_match}

    def body(self) -> bytes:
        return bytes(self.action)


class Actions(GameMessage, tag="actions"):
    """What may the viewer do now?"""

    call = ("GET", "actions")


class ShowHead(GameMessage, tag="head"):
    """Where the log ends."""

    call = ("GET", "head")


Operation = Follow | FeedRequest | Unfollow | Act | Resign | TakeBack | Check | Actions | ShowHead
"""Everything that a client may ask for: a new operation is one more class here."""


class OnlyId(Struct):
    """Of a message that is not understood, the part that its answer needs."""

    id: Raw = NOT_SENT


class NotAnObject(Exception):
    """A message that is no JSON object."""


class NotUnderstood(Exception):
    """A JSON object that is no request; `re` is the id that it has, if it has a proper one."""

    def __init__(self, re: bytes, why: str) -> None:
        super().__init__(why)
        self.re = re


_operation = msgspec.json.Decoder(Operation)
_only_id = msgspec.json.Decoder(OnlyId)


def read_message(text: str) -> Operation:
    """The request that a client has sent."""
    try:
        message: Operation = _operation.decode(text)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise NotUnderstood(id_of(text), str(error)) from None
    if not is_id(message.re):
        raise NotUnderstood(NO_ID, "`id` is a string or a number")
    return message


def id_of(text: str) -> bytes:
    try:
        found = bytes(_only_id.decode(text).id)
    except (msgspec.DecodeError, UnicodeError):
        raise NotAnObject from None
    return found if is_id(found) else NO_ID


def is_id(raw: bytes) -> bool:
    """Is this the JSON of a string or a number?"""
    return raw[:1] in b'"-0123456789' and raw != b""


def query_of(asked: Mapping[str, Any]) -> str:
    return urlencode({name: value for name, value in asked.items() if value is not None})


# -- what the server sends --------------------------------------------------------------------------------------------


def answer_to(re: bytes, response: Response, followed_as: int | None = None) -> str:
    """The answer to a request."""
    number = b"" if followed_as is None else b'"as":%d,' % followed_as
    kind = b"ok" if response.status < 400 else b"problem"
    wait = response.header("retry-after") if response.status >= 400 else None
    later = b"" if wait is None else b',"retry_after":%b' % wait.encode()
    content = response.body or b"{}"
    message = b'{"re":%b,"status":%d,%b"%b":%b%b}' % (re, response.status, number, kind, content, later)
    return message.decode()


def frame_of(followed_as: int, line: bytes) -> str:
    return f'{{"as":{followed_as},"frame":{line.decode()}}}'


def gone(followed_as: int, why: str) -> str:
    return f'{{"as":{followed_as},"gone":"{why}"}}'


def closing(code: str, detail: str) -> str:
    return f'{{"closing":"{code}","detail":"{detail}"}}'


def ping(now: str) -> str:
    return f'{{"ping":"{now}"}}'
