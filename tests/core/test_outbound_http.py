"""Calls to addresses that others chose: never into the machine's own networks, never on and on."""

import socket
import threading
from contextlib import closing
from typing import Any

import pytest

from services.core import outbound_http
from services.core.outbound_http import Undeliverable, check_url, is_public, post
from tests.servers import PATIENCE

PRIVATE = [
    "127.0.0.1",
    "10.1.2.3",
    "192.168.0.1",
    "172.16.0.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "fe80::1",
    "fe80::1%eth0",
    "fc00::1",
    "fec0::1",
    "ff02::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "192.88.99.1",
    "::ffff:192.88.99.1",
    "3fff::1",
    "3fff:fff::1",
]


@pytest.mark.parametrize("address", PRIVATE)
def test_addresses_that_are_not_on_the_public_internet_are_known(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["1.1.1.1", "2606:4700:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"])
def test_public_addresses_are_known(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "url",
    [
        "ftp://example.org/",
        "https://",
        "https://user:pass@example.org/",
        "https://example.org/#part",
        "https://example.org:0/",
        "https://example.org:99999/",
        "https://exa mple.org/",
        "http://127.0.0.1/",
        "http://2130706433/",
        "http://0177.0.0.1/",
        "http://0x7f.1/",
        "http://127.1/",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::1/",
        "http://localhost/",
        "http://LOCALHOST./",
        "http://a.localhost.:8080/",
        "http://192.88.99.1/",
        "http://[3fff::1]/",
        "https://example.org/\r\nX: y",
        "https://example.org/" + "a" * 2000,
    ],
)
def test_what_may_not_be_called_is_refused_when_it_is_registered(url: str) -> None:
    with pytest.raises(ValueError, match=r"an address|at most"):
        check_url(url, allow_private=False)


@pytest.mark.parametrize("host", ["localhost", "2130706433", "0x7f.1", "127.1"])
def test_a_name_that_leads_inside_is_refused_when_it_is_called(host: str) -> None:
    with pytest.raises(Undeliverable, match=r"public internet|looked up"):
        post(f"http://{host}:1/", b"", {}, allow_private=False)


def test_a_name_with_one_inner_address_among_others_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = [(2, 1, 6, "", ("1.1.1.1", 80)), (2, 1, 6, "", ("127.0.0.1", 80))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: answers)
    with pytest.raises(Undeliverable, match="public internet"):
        post("http://example.org/", b"", {}, allow_private=False)


def test_the_connection_goes_to_the_very_address_that_was_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_up: list[Any] = []
    called: list[Any] = []

    def look_up(*asked: Any, **_: Any) -> Any:
        looked_up.append(asked)
        return [(2, 1, 6, "", ("1.1.1.1" if len(looked_up) == 1 else "127.0.0.1", 80))]

    def connect(address: Any, *_: Any) -> Any:
        called.append(address)
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(Undeliverable, match="ConnectionRefusedError"):
        post("http://example.org/", b"", {}, allow_private=False)
    assert (len(looked_up), called) == (1, [("1.1.1.1", 80)])


def test_a_receiver_that_answers_drop_by_drop_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbound_http, "CALL_SECONDS", 0.6)
    ended = threading.Event()
    with closing(socket.create_server(("127.0.0.1", 0))) as server:

        def drip() -> None:
            connection, _ = server.accept()
            with closing(connection):
                while not ended.wait(0.05):
                    try:
                        connection.sendall(b"H")
                    except OSError:
                        return

        thread = threading.Thread(target=drip, daemon=True)
        thread.start()
        with pytest.raises(Undeliverable):
            post(f"http://127.0.0.1:{server.getsockname()[1]}/", b"{}", {}, allow_private=True)
        ended.set()
        thread.join(PATIENCE)
        assert not thread.is_alive()
