"""Taking a request in: what it may not bring is refused before it is read, and nobody may take for ever to send it."""

import asyncio
import io
import sys
from collections.abc import Iterable
from typing import Any, NamedTuple
from wsgiref.types import WSGIEnvironment

from granian.rsgi import HTTPProtocol, ProtocolClosed, ProtocolError, Scope

from services.front.sending import front_problem
from services.http.messages import Request, Response
from services.http.routing import Found

LONGEST_HEADER = 4_096
SINGLE_HEADERS = (
    "authorization",
    "content-length",
    "content-type",
    "idempotency-key",
    "if-match",
    "last-event-id",
    "x-request-id",
)
"""Headers that mean one thing, so that two of them would be a riddle."""
READ_HEADERS = frozenset(
    (
        *SINGLE_HEADERS,
        "accept",
        "accept-encoding",
        "accept-language",
        "forwarded",
        "if-none-match",
        "origin",
        "prefer",
        "x-forwarded-for",
        "x-forwarded-host",
        "x-forwarded-proto",
    )
)
"""Headers that are read here: one that cannot be read as it was meant must not pass for one that was not sent."""
CGI_NAMES = {"content-type": "CONTENT_TYPE", "content-length": "CONTENT_LENGTH"}
USUAL_NAMES = {
    name: "HTTP_" + name.upper().replace("-", "_")
    for name in (*READ_HEADERS, "host", "connection", "user-agent", "keep-alive", "referer", "cookie")
} | CGI_NAMES
"""What headers are called in an environ; of others it is worked out each time."""

BODY_SECONDS = 10.0
MIN_UPLOAD_RATE = 200_000
"""Bytes a second that a large body must come with at least."""
TOO_LATE = "the body has not come in time"


class RequestRefused(Exception):
    """A request that goes no further, and its answer."""

    def __init__(self, response: Response) -> None:
        super().__init__(response.status)
        self.response = response


def malformed_header(detail: str) -> RequestRefused:
    return RequestRefused(front_problem(400, "malformed_header", detail))


def too_large(largest: int) -> RequestRefused:
    return RequestRefused(
        front_problem(413, "body_too_large", f"The body of this request may have {largest} bytes at most.")
    )


def check_method(method: str) -> None:
    """Methods are written in capitals (RFC 9110): what else comes is not taken for one of them."""
    if not method.isupper():
        refused = front_problem(405, "method_not_allowed", "Methods are written in capitals, like GET.")
        refused.headers.append(("allow", "GET, HEAD, POST, PUT, DELETE, OPTIONS"))
        raise RequestRefused(refused)


# -- headers ----------------------------------------------------------------------------------------------------------


def check_headers(scope: Scope) -> list[tuple[str, str]]:
    """The headers of a request, of which none that we read is unreadable, overlong or ambiguous."""
    headers, sent = scope.headers.items(), scope.headers.keys()
    readable = [name for name, _ in headers]
    if readable != sent:  # counting is not enough: one left out and one sent twice come to the same
        check_names(readable, sent)
    for name, value in headers:
        if len(value) > LONGEST_HEADER:
            raise malformed_header(f"The header {name[:64]} is longer than {LONGEST_HEADER} characters.")
    return headers


def check_names(readable: list[str], sent: Iterable[str]) -> None:
    """The server leaves out values that are not plain ASCII, and names headers once that were sent twice."""
    for name in READ_HEADERS.intersection(sent).difference(readable):
        raise malformed_header(f"The header {name} has characters other than plain ASCII.")
    for name in SINGLE_HEADERS:
        if readable.count(name) > 1:
            raise malformed_header(f"The header {name} was sent more than once.")


# -- the body ---------------------------------------------------------------------------------------------------------


class BodySize(NamedTuple):
    """How large a body may turn out, and whether its sender has said so."""

    size: int
    declared: bool = True


def expected_body(scope: Scope, headers: Iterable[tuple[str, str]], largest: int) -> BodySize | None:
    """What body is to be read: as large as is said, or as allowed if nothing is said. Too large is refused."""
    if not largest:
        return None
    length = next((value for name, value in headers if name == "content-length"), None)
    if length is None:
        chunked = "transfer-encoding" in scope.headers or not scope.http_version.startswith("1")
        return BodySize(largest, declared=False) if chunked else None
    size = int(length)
    if size > largest:
        raise too_large(largest)
    return BodySize(size) if size else None


async def read_body(protocol: HTTPProtocol, body: BodySize) -> bytes:
    """The whole body of a request, if it comes in time and is no larger than allowed."""
    task = asyncio.current_task()
    assert task is not None
    late = asyncio.get_running_loop().call_later(
        BODY_SECONDS + body.size / MIN_UPLOAD_RATE, task.cancel, TOO_LATE
    )
    try:  # what asyncio.timeout does, for a third of the time
        return await (protocol() if body.declared else read_chunks(protocol, body.size))
    except asyncio.CancelledError as cut:
        if cut.args != (TOO_LATE,):
            raise
        task.uncancel()
        raise RequestRefused(
            front_problem(408, "request_timeout", "The body of the request did not come in time.")
        ) from None
    except (ProtocolClosed, ProtocolError):
        raise RequestRefused(
            front_problem(
                400, "incomplete_body", "The body of the request is shorter than its Content-Length."
            )
        ) from None
    finally:
        late.cancel()


async def read_chunks(protocol: HTTPProtocol, largest: int) -> bytes:
    """A body of which nobody has said how large it is: it must come to its end.

    The server ends each body with an empty chunk. One more of them stands for what it could not read: the connection
    has ended in the middle, or there were trailers, of which we could not tell what they were.
    """
    chunks, size = [], 0
    async for chunk in protocol:
        size += len(chunk)
        if size > largest:
            raise too_large(largest)
        chunks.append(chunk)
    if chunks.count(b"") > 1:
        raise RequestRefused(
            front_problem(400, "incomplete_body", "The chunked body of the request has no proper end.")
        )
    return b"".join(chunks)


# -- for the application ----------------------------------------------------------------------------------------------


def request_of(
    scope: Scope, headers: Iterable[tuple[str, str]], body: bytes, found: Found, context: Any
) -> Request:
    """The request as handlers see it."""
    joined: dict[str, str] = {}
    for name, value in headers:
        joined[name] = f"{joined[name]},{value}" if name in joined else value
    return Request(
        scope.method, scope.path, scope.query_string, joined, body, peer_of(scope), context, *found
    )


def peer_of(scope: Scope) -> str:
    return scope.client.rpartition(":")[0]


def environ_of(scope: Scope, headers: Iterable[tuple[str, str]], body: bytes) -> WSGIEnvironment:
    """The request as WSGI tells it (PEP 3333)."""
    server, _, port = scope.server.rpartition(":")
    environ: WSGIEnvironment = {
        "REQUEST_METHOD": scope.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": as_latin_1(scope.path),
        "QUERY_STRING": as_latin_1(scope.query_string),
        "SERVER_NAME": server,
        "SERVER_PORT": port,
        "SERVER_PROTOCOL": f"HTTP/{scope.http_version}",
        "REMOTE_ADDR": peer_of(scope),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.scheme,
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for name, value in headers:
        if "_" in name or name == "transfer-encoding":  # `x_y` would pass for `x-y`; the body is whole by now
            continue
        key = USUAL_NAMES.get(name) or "HTTP_" + name.upper().replace("-", "_")
        environ[key] = (
            f"{environ[key]}{'; ' if name == 'cookie' else ','}{value}" if key in environ else value
        )
    if scope.authority:
        environ["HTTP_HOST"] = scope.authority
    if body:
        environ["CONTENT_LENGTH"] = str(len(body))
    return environ


def as_latin_1(text: str) -> str:
    """Text as WSGI wants it: its bytes, each as a character."""
    return text if text.isascii() else text.encode().decode("latin-1")
