"""Calling a WSGI application, and taking its answer."""

import logging
from collections.abc import Callable, Iterable, Iterator
from typing import Any
from wsgiref.types import WSGIApplication, WSGIEnvironment

from services.front.sending import CHUNK_BYTES, INTERNAL_ERROR
from services.http.messages import Response

log = logging.getLogger(__name__)


def call(app: WSGIApplication, environ: WSGIEnvironment) -> Response:
    """Run a WSGI application: to its end, if its answer has a length.

    Whatever goes wrong in it, the client gets an answer and learns nothing.
    """
    started: list[tuple[int, list[tuple[str, str]]]] = []
    chunks: list[bytes] = []

    def start_response(
        status: str, headers: list[tuple[str, str]], exc_info: Any = None
    ) -> Callable[[bytes], object]:
        started.append((int(status[:3]), [(name.lower(), value) for name, value in headers]))
        return chunks.append

    try:
        result: Iterable[bytes] = app(environ, start_response)
        if is_open_ended(environ, *started[-1]):
            return Response(*started[-1], b"", iter(result))
        try:
            chunks.extend(result)
        finally:
            close(result)
        return Response(*started[-1], b"".join(chunks))
    except Exception:
        log.exception("%s %s has failed", environ["REQUEST_METHOD"], environ["PATH_INFO"])
        return INTERNAL_ERROR


def is_open_ended(environ: WSGIEnvironment, status: int, headers: list[tuple[str, str]]) -> bool:
    """Is this an answer that is made while it is sent?"""
    has_body = environ["REQUEST_METHOD"] != "HEAD" and status not in (204, 304)
    return has_body and all(name != "content-length" for name, _ in headers)


def next_part(chunks: Iterator[bytes]) -> bytes:
    """What can be sent at once of an answer; nothing at its end."""
    part = bytearray()
    for chunk in chunks:
        part += chunk
        if len(part) >= CHUNK_BYTES:
            break
    return bytes(part)


def close(result: object) -> None:
    """Tell an application that nobody needs the rest of its answer (PEP 3333)."""
    if method := getattr(result, "close", None):
        method()
