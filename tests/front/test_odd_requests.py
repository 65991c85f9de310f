"""Requests that are written oddly, over a real socket: what cannot be read as it was meant is refused in words."""

import json
from collections.abc import Iterator

import pytest

from tests.front.attacked import Server, attacked
from tests.servers import ValkeyServer

"""Seconds within which a refusal comes, on a machine with much else to do."""


@pytest.fixture(scope="module")
def server(valkey: ValkeyServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with attacked(valkey, tmp_path_factory.mktemp("attacked")) as server:
        yield server


# -- first lines and the caller's language -----------------------------------------------------------------------------


@pytest.mark.parametrize("method", [b"get", b"Get", b"geT", b"post"])
def test_a_method_is_written_in_capitals(server: Server, method: bytes) -> None:
    reply = server.send(method + b" /v1/games HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    assert (reply.status, reply.code) == (405, "method_not_allowed")


def test_what_the_door_refuses_is_said_in_the_caller_s_language(server: Server) -> None:
    large = b"POST /v1/games HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 999999999\r\n"
    for headers, detail in (
        (b"", "may have 256000 bytes at most"),
        (b"Accept-Language: fr-CA\r\n", "trop volumineux"),
        (b"Accept-Language: de\r\n", "may have 256000 bytes at most"),
    ):
        reply = server.send(large + headers + b"\r\n")
        assert (reply.status, reply.code) == (413, "body_too_large")
        assert detail in json.loads(reply.body)["detail"]


@pytest.mark.parametrize("path", [b"//v1/games", b"///v1/games", b"//healthz", b"/v1//games"])
def test_a_path_with_a_slash_too_many_leads_nowhere(server: Server, path: bytes) -> None:
    for method in (b"GET", b"POST"):
        reply = server.send(method + b" " + path + b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        assert (reply.status, reply.code) == (404, "not_found")


# -- headers without end -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Authorization", "Accept", "If-None-Match", "X-Anything"])
def test_a_header_without_end_is_refused(server: Server, name: str) -> None:
    reply = server.send(
        f"GET /v1/rulesets HTTP/1.1\r\nHost: x\r\n{name}: {'a/b,' * 95_000}\r\nConnection: close\r\n\r\n".encode()
    )
    assert (reply.status, reply.code) == (400, "malformed_header")


# -- headers that cannot be read as they were meant -------------------------------------------------------------------


def creation(*headers: bytes) -> bytes:
    body = b'{"ruleset":"babel"}'
    lines = [b"POST /v1/games HTTP/1.1", b"Host: x", b"Connection: close", b"Content-Type: application/json"]
    return b"\r\n".join([*lines, b"Content-Length: %d" % len(body), *headers, b"", body])


@pytest.mark.parametrize(
    "headers",
    [
        (b"Idempotency-Key: cl\xc3\xa9-0123456789abcdefghij",),
        (b"Idempotency-Key: 0123456789abcdefghijklmn", b"Idempotency-Key: 0123456789abcdefghijklmn"),
        (b'If-Match: "1.\xc3\xa9"',),
        (b"Authorization: Bearer \xff",),
        (b"Authorization: Bearer a", b"Authorization: Bearer b"),
        (b"Accept: \xff",),
        (b"Idempotency-Key: cl\xc3\xa9-0123456789abcdefghij", b"X-Any: 1", b"X-Any: 2"),
        (b"Idempotency-Key: 0123456789abcdefghijklmn", b"Idempotency-Key: other", b"User-Agent: caf\xc3\xa9"),
        (b"Authorization: Bearer \xff", b"X-Any: 1", b"X-Any: 2"),
    ],
)
def test_a_header_that_cannot_be_read_as_it_was_meant_is_refused(
    server: Server, headers: tuple[bytes, ...]
) -> None:
    reply = server.send(creation(*headers))
    assert (reply.status, reply.code) == (400, "malformed_header")


def test_a_header_that_nobody_reads_may_hold_anything(server: Server) -> None:
    assert server.send(creation(b"User-Agent: caf\xc3\xa9")).status == 201


# -- text where it was not expected -----------------------------------------------------------------------------------


def test_raw_text_in_a_query_is_read_like_its_escaped_form(server: Server) -> None:
    raw = server.send("GET /v1/games?ruleset=é HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
    escaped = server.send(b"GET /v1/games?ruleset=%C3%A9 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    assert raw == escaped
    assert raw.status == 200
    assert "Traceback" not in server.said()
