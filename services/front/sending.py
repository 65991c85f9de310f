"""Sending an answer. One that is large, or is made while it is sent, goes out only as fast as its client reads."""

import asyncio
import fcntl
import os
import socket
import stat
import struct
import termios
import time
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import suppress
from http import HTTPStatus

import msgspec
from granian.rsgi import HTTPProtocol, Scope

from services.bodies.server import ProblemBody
from services.http.messages import Response

CHUNK_BYTES = 64 << 10
"""How much of a large answer is made and sent at a time."""
WHOLE_RESPONSE_BYTES = 1 << 20
"""Answers up to this size are handed over whole."""
MAX_UNSENT_BYTES = 256 << 10
"""What may be on its way to a client before it has more."""
BUFFER_CHECK_SECONDS = 0.01
CLIENT_READ_TIMEOUT = 30.0
"""Seconds in which a client reads at least a part of its answer; one that does not is cut off."""

INTERNET = (socket.AF_INET, socket.AF_INET6)


def front_problem(status: int, code: str, detail: str) -> Response:
    """An answer of the front itself, in the words of RFC 9457."""
    body = msgspec.json.encode(
        ProblemBody(
            type=f"urn:stele:problem:{code}",
            title=HTTPStatus(status).phrase,
            status=status,
            detail=detail,
            code=code,
        )
    )
    headers = [("content-type", "application/problem+json"), ("content-length", str(len(body)))]
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        headers.append(("retry-after", "1"))
    return Response(status, headers, body)


INTERNAL_ERROR = front_problem(500, "internal_error", "Something went wrong here; it has been noted.")


TranslateProblem = Callable[[bytes, str], tuple[bytes, str]]
"""A problem's body in the language that an `Accept-Language` asks for, and which that is."""


def in_english(body: bytes, _: str) -> tuple[bytes, str]:
    return body, "en"


def translated(response: Response, scope: Scope, in_words: TranslateProblem) -> Response:
    """A problem of the front in the caller's language."""
    body, language = in_words(response.body, scope.headers.get("accept-language") or "")
    headers = [each for each in response.headers if each[0] != "content-length"]
    headers += [
        ("content-length", str(len(body))),
        ("content-language", language),
        ("vary", "Accept-Language"),
    ]
    return response._replace(headers=headers, body=body)


def send_response(scope: Scope, protocol: HTTPProtocol, response: Response) -> None:
    """Send a response at once; those that have no body by their nature are sent without."""
    if scope.method == "HEAD" or response.status in (204, 304):
        protocol.response_empty(response.status, response.headers)
    else:
        protocol.response_bytes(response.status, response.headers, response.body)


async def send_in_chunks(
    scope: Scope, protocol: HTTPProtocol, response: Response, parts: AsyncIterator[bytes]
) -> None:
    """Send a response part by part, each when the client has read what was before."""
    transport = protocol.response_stream(response.status, response.headers)
    tap = SendBufferMonitor(scope.client)
    try:
        async for part in parts:
            await transport.send_bytes(part)
            if not await tap.open(len(part)):
                tap.cut()
                return
    finally:
        tap.close()


async def chunks_of(body: bytes) -> AsyncIterator[bytes]:
    """An answer that is there, in parts."""
    for start in range(0, len(body), CHUNK_BYTES):
        yield body[start : start + CHUNK_BYTES]


class SendBufferMonitor:
    """How much of an answer is still on its way to a client, as the system knows it.

    The server takes whatever it is given and keeps it until the client reads. It does not tell how much that is, but
    its connection is a socket of this process, and that can be asked. Where it cannot (not on Linux, or behind a
    socket that is none of TCP), the tap is always open. The socket is found by looking through all that are open, so
    it is looked for only when there is something to ask, and not in the loop.
    """

    def __init__(self, client: str) -> None:
        self._client = client
        self._socket: socket.socket | None = None
        self._sent = 0

    async def open(self, sent: int) -> bool:
        """Wait until the client has read most of what it was sent; False if it reads nothing for too long."""
        await asyncio.sleep(0)
        before, self._sent = self._sent, self._sent + sent
        if self._sent <= MAX_UNSENT_BYTES:
            return True
        if before <= MAX_UNSENT_BYTES:
            self._socket = await asyncio.to_thread(socket_to, self._client)
        left = self._unsent()
        patient_until = time.monotonic() + CLIENT_READ_TIMEOUT
        while left > MAX_UNSENT_BYTES:
            await asyncio.sleep(BUFFER_CHECK_SECONDS)
            before, left = left, self._unsent()
            if left < before:
                patient_until = time.monotonic() + CLIENT_READ_TIMEOUT
            elif time.monotonic() > patient_until:
                return False
        return True

    def _unsent(self) -> int:
        if self._socket is None:
            return 0
        with suppress(OSError):
            return int(struct.unpack("i", fcntl.ioctl(self._socket, termios.TIOCOUTQ, bytes(4)))[0])
        return 0

    def cut(self) -> None:
        """End the connection so that nobody takes what was sent for the whole."""
        if self._socket:
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        if self._socket:
            self._socket.close()


def socket_to(client: str) -> socket.socket | None:
    """The socket of this process that leads to this address, if there is one: to be closed when it is not needed."""
    return sockets_to([client]).get(client)


def sockets_to(clients: Iterable[str]) -> dict[str, socket.socket]:
    """The sockets of this process that lead to these addresses."""
    wanted = {}
    for client in clients:
        host, _, port = client.rpartition(":")
        if port.isdecimal():
            wanted[host.strip("[]"), int(port)] = client
    found = {}
    for number in map(int, os.listdir("/dev/fd")):  # noqa: PTH208 - open files, not those of a directory
        with suppress(OSError):  # it was closed meanwhile, or leads nowhere
            if stat.S_ISSOCK(os.fstat(number).st_mode):
                looked_at = socket.socket(fileno=number)
                try:
                    peer = looked_at.getpeername()[:2] if looked_at.family in INTERNET else None
                    if peer in wanted and wanted[peer] not in found:
                        found[wanted[peer]] = looked_at.dup()
                finally:
                    looked_at.detach()
    return found
