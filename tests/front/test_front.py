"""The front: what a request becomes for Flask, and what Flask's answer becomes on the wire."""

import http.client
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from services.front.rsgi import THREAD_POOL_SIZE
from services.front.sending import CHUNK_BYTES
from services.http.routing import LARGEST_BODY
from tests.front.live_server import LiveServer, serving
from tests.front.stand_in import MEETING
from tests.servers import PATIENCE, ValkeyServer, wait_until

CHUNK = b"x" * 65536


@pytest.fixture(scope="module")
def server(valkey: ValkeyServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with serving(LiveServer(valkey.url, output=tmp_path_factory.mktemp("front") / "log")) as server:
        yield server


def test_flask_sees_path_query_and_headers_as_they_were_sent(server: LiveServer) -> None:
    echo = server.request(
        "GET", "/echo/caf%C3%A9/a%20b?x=1&x=%C3%A9&y=", Accept="text/html", Host="stele.example"
    ).json
    assert echo["path"] == "café/a b"
    assert echo["query"] == {"x": ["1", "é"], "y": [""]}
    assert ["Accept", "text/html"] in echo["headers"]
    assert echo["url"].startswith("http://stele.example/echo/")
    assert echo["remote"] == "127.0.0.1"


def test_a_header_sent_twice_is_one_list_and_underscores_cannot_pose_as_dashes(server: LiveServer) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    connection.putrequest("GET", "/echo/x")
    for name, value in (
        ("X-Many", "1"),
        ("X-Many", "2"),
        ("Cookie", "a=1"),
        ("Cookie", "b=2"),
        ("X_Real", "no"),
    ):
        connection.putheader(name, value)
    connection.endheaders()
    echo = connection.getresponse().read().decode()
    connection.close()
    assert '"1,2"' in echo
    assert '"a=1; b=2"' in echo
    assert "X-Real" not in echo


def test_an_answer_may_have_several_headers_of_one_name(server: LiveServer) -> None:
    assert server.request("GET", "/echo/x").header("x-twice") == ["one", "two"]


def test_a_head_request_gets_the_headers_alone(server: LiveServer) -> None:
    whole, head = server.request("GET", "/echo/x"), server.request("HEAD", "/echo/x")
    assert head.body == b""
    assert head.status == 200
    assert head.header("content-length") == [str(len(whole.body))]


@pytest.mark.parametrize("status", [204, 304])
def test_an_answer_that_has_no_body_is_sent_without_one(server: LiveServer, status: int) -> None:
    answer = server.request("GET", f"/empty/{status}")
    assert (answer.status, answer.body, answer.header("etag")) == (status, b"", ['"1"'])


def test_a_body_arrives_whole_with_its_length_declared_or_in_chunks(server: LiveServer) -> None:
    declared = server.request("POST", "/echo/x", CHUNK * 3).json
    chunked = server.request("POST", "/echo/x", iter([CHUNK] * 3)).json
    assert declared["size"] == declared["length"] == 3 * len(CHUNK)
    assert chunked["size"] == chunked["length"] == 3 * len(CHUNK)


def test_a_body_that_is_declared_too_large_is_refused_before_it_is_sent(server: LiveServer) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    connection.putrequest("POST", "/echo/x")
    connection.putheader("Content-Length", str(LARGEST_BODY + 1))
    connection.endheaders()
    answer = connection.getresponse()
    connection.close()
    assert answer.status == 413
    assert answer.getheader("content-type") == "application/problem+json"


def test_a_body_that_turns_out_too_large_is_refused_while_it_is_read(server: LiveServer) -> None:
    with socket.create_connection(("127.0.0.1", server.port), 10) as client:
        client.sendall(b"POST /echo/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
        for _ in range(LARGEST_BODY // len(CHUNK) + 1):
            client.sendall(b"%x\r\n%b\r\n" % (len(CHUNK), CHUNK))
        assert client.recv(1000).startswith(b"HTTP/1.1 413 ")


def test_an_application_that_breaks_is_answered_for_without_a_word_about_why(server: LiveServer) -> None:
    answer = server.request("GET", "/broken")
    assert answer.status == 500
    assert answer.header("content-type") == ["application/problem+json"]
    assert answer.json["code"] == "internal_error"
    assert b"secret" not in answer.body
    wait_until(lambda: "RuntimeError: a secret in a message" in server.log(), "the fault to be noted")


def test_a_client_that_goes_away_in_the_middle_makes_no_noise(server: LiveServer) -> None:
    before = server.log()
    for request in (
        b"POST /echo/x HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nonly this",
        b"POST /echo/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nonly",
        b"GET /slow HTTP/1.1\r\nHost: x\r\n\r\n",
    ):
        with socket.create_connection(("127.0.0.1", server.port), 10) as client:
            client.sendall(request)
            time.sleep(0.1)
    time.sleep(0.6)
    assert server.request("GET", "/echo/x").status == 200
    assert server.log() == before


@contextmanager
def getting(server: LiveServer, path: str) -> Iterator[http.client.HTTPResponse]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    connection.request("GET", path)
    try:
        yield connection.getresponse()
    finally:
        connection.close()


def test_an_answer_without_a_length_is_sent_while_it_is_made(server: LiveServer) -> None:
    with getting(server, "/parts/whole") as answer:
        assert answer.read(CHUNK_BYTES).startswith(b"/parts/whole....")
        assert server.get("/left") is False
        server.request("GET", "/gate")
        rest = answer.read()
    assert rest.count(b"/parts/whole,,,,") == 50
    assert rest.endswith(b"the end")
    assert server.get("/left") is True


def test_an_answer_that_breaks_while_it_is_made_ends_and_is_noted(server: LiveServer) -> None:
    with getting(server, "/parts/broken") as answer:
        assert len(answer.read(CHUNK_BYTES)) == CHUNK_BYTES
        server.request("GET", "/gate")
        assert answer.read() == b""
    wait_until(lambda: "an answer has broken off" in server.log(), "the fault to be noted")
    assert server.get("/left") is True


def test_nobody_goes_on_making_an_answer_whose_client_has_gone(server: LiveServer) -> None:
    with getting(server, "/parts/whole") as answer:
        answer.read(CHUNK_BYTES)
    server.request("GET", "/gate")
    wait_until(lambda: server.get("/left") is True, "the answer to be given up")


def test_requests_do_not_wait_for_one_another(server: LiveServer) -> None:
    """Each is answered when all have come."""
    with ThreadPoolExecutor(MEETING) as clients:
        answers = list(clients.map(lambda _: server.request("GET", "/meet").body, range(MEETING)))
    assert answers == [b"met"] * MEETING


def test_a_crowd_that_comes_to_watch_queues_apart_from_players(server: LiveServer) -> None:
    crowd = THREAD_POOL_SIZE + 1
    with ThreadPoolExecutor(crowd) as clients:
        watchers = [
            clients.submit(server.request, "GET", "/held", Accept="text/event-stream") for _ in range(crowd)
        ]
        time.sleep(0.2)  # most of them have come by then
        assert server.request("GET", "/echo/x").status == 200
        assert not any(watcher.done() for watcher in watchers)
        server.request("GET", "/release")
        assert all(watcher.result().body == b"held" for watcher in watchers)
