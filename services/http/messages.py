"""HTTP messages as handlers see them: plain values, the same whichever server or socket carries them."""

import codecs
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import parse_qsl, quote_from_bytes

from werkzeug.datastructures import Accept, LanguageAccept, MIMEAccept
from werkzeug.http import parse_accept_header, parse_etags, parse_options_header

from events.canonical import parse
from games.kernel import Refusal
from services.http.streams import Listen, Watch

if TYPE_CHECKING:
    from services.http.routing import Route

SMALL_BODY = 256_000
"""Bytes that the body of a request may have, unless its route allows more."""
EMPTY_TYPE = "text/html; charset=utf-8"
"""What an answer without a body says of it."""
UTF_8 = ("utf-8", "utf8", "us-ascii")
"""What a body may call its characters: ASCII is a part of UTF-8."""
KEEP_QUOTED = "stele.keep_quoted"


def _keep_quoted(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    return quote_from_bytes(error.object[error.start : error.end], safe=""), error.end


codecs.register_error(KEEP_QUOTED, _keep_quoted)  # bytes of a query that are no UTF-8 stay as they were sent


class _Request(NamedTuple):
    method: str
    path: str
    query: str
    """The query as it was sent, without the question mark."""
    headers: Mapping[str, str]
    body: bytes
    peer: str
    """The address at the other end of the connection."""
    context: Any
    """What the application serves with."""
    route: "Route | None" = None
    arguments: Mapping[str, Any] = MappingProxyType({})
    """What varies in the path of the route."""


class Request(_Request):
    """A request, read whole. Header names are in lower case. What is read of it again is kept."""

    @cached_property
    def args(self) -> Mapping[str, str]:
        """The parameters of the query; of one that is given twice the first counts."""
        first: dict[str, str] = {}
        for name, value in parse_qsl(self.query, keep_blank_values=True, errors=KEEP_QUOTED):
            first.setdefault(name, value)
        return first

    @cached_property
    def json(self) -> Any:
        """The body, read strictly and once; None without a body."""
        most = self.route.largest_body if self.route else 0
        source = self.json_source(max(most, SMALL_BODY))
        return parse(source) if source else None

    def json_source(self, most: int) -> bytes:
        """The bytes of the body, which must say that it is JSON, in UTF-8 as all JSON is (RFC 8259)."""
        if len(self.body) > most:
            raise Refusal("body_too_large", f"A request's body has at most {most} bytes.")
        if self.body and self.headers.get("content-type") != "application/json" and not self._says_json():
            raise Refusal(
                "unsupported_media_type", "Send JSON in UTF-8, with Content-Type: application/json."
            )
        return self.body

    def _says_json(self) -> bool:
        kind, parameters = parse_options_header(self.headers.get("content-type"))
        kind = kind.lower()
        is_json = kind == "application/json" or (kind.startswith("application/") and kind.endswith("+json"))
        return is_json and parameters.get("charset", "utf-8").lower() in UTF_8

    # -- what the caller accepts --------------------------------------------------------------------------------------

    def prefers(self, kinds: tuple[str, ...]) -> str | None:
        """Which of these media types the caller likes best; None if it takes none of them."""
        return parse_accept_header(self.headers.get("accept"), MIMEAccept).best_match(kinds)

    @property
    def takes_gzip(self) -> bool:
        return bool(parse_accept_header(self.headers.get("accept-encoding"), Accept)["gzip"])

    @cached_property
    def languages(self) -> LanguageAccept:
        """The languages that the caller reads, the one it likes best first."""
        return parse_accept_header(self.headers.get("accept-language"), LanguageAccept)

    def has(self, tag: str) -> bool:
        """Does the caller have what bears this ETag?"""
        known = self.headers.get("if-none-match")
        return known is not None and parse_etags(known).contains_weak(tag)


CURRENT: ContextVar[Request] = ContextVar("request")
"""The request that is dealt with here."""


this_request: Callable[[], Request] = CURRENT.get
"""The request that is dealt with."""


class Response(NamedTuple):
    """A whole answer, or one that is made while it is sent. Header names are in lower case."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes = b""
    rest: Iterator[bytes] | None = None
    """What follows the body, of an answer whose length nobody knows yet."""

    def header(self, name: str) -> str | None:
        return next((value for each, value in self.headers if each == name), None)

    def with_headers(self, **headers: str) -> "Response":
        """The same answer with these headers (`cache_control`), in place of others of their names."""
        changed = {name.replace("_", "-"): value for name, value in headers.items()}
        kept = [(name, changed.pop(name, value)) for name, value in self.headers]
        return self._replace(headers=[*kept, *changed.items()])

    def varying(self, name: str) -> "Response":
        """The same answer, which also depends on this header of the request."""
        before = self.header("vary")
        if before and name.lower() in before.lower().split(", "):
            return self
        return self.with_headers(vary=f"{before}, {name}" if before else name)

    def with_body(self, body: bytes) -> "Response":
        return self._replace(body=body).with_headers(content_length=str(len(body)))


def response(body: bytes, content_type: str, status: int = 200, /, **headers: str) -> Response:
    """An answer with a body, whose headers are given with underscores."""
    named = [(name.replace("_", "-"), value) for name, value in headers.items()]
    return Response(
        status, [("content-type", content_type), ("content-length", str(len(body))), *named], body
    )


class Stream(NamedTuple):
    """An answer that goes on for as long as there is something to tell: the events of a game, or of many."""

    head: Response
    follows: Watch | Listen


class LongPoll(NamedTuple):
    """An answer that waits until the version of a game exceeds a number, for so many seconds at most."""

    game: str
    version: int
    seconds: float
    then: Callable[[], Response]
    """Makes the answer when the wait is over."""


Result = Response | Stream | LongPoll
