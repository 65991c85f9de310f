"""Outbound HTTP to addresses that users chose, guarded against SSRF: it connects to the very address that was checked.

No redirect is followed, of a reply no more than its status counts (and the first bytes of what a witness says), and a
call ends after a while whatever the other side does.
"""

import ipaddress
import socket
import ssl
import threading
from collections.abc import Mapping
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from urllib.parse import SplitResult, urlsplit

CALL_SECONDS = 10.0
"""How long a call may take as a whole, once the name is looked up."""
LONGEST_URL = 2000
TLS = ssl.create_default_context()
NAT64 = ipaddress.ip_network("64:ff9b::/96")
"""IPv6 addresses that lead to the IPv4 address in their last bits."""


SPECIAL_PURPOSE = [ipaddress.ip_network(each) for each in ("192.88.99.0/24", "3fff::/20")]
"""Networks that lead to nobody's server and that Python takes for public: 6to4 relays, and addresses for documentation."""


class Undeliverable(Exception):
    """Why a call could not be made, in words for whoever chose the address."""


def check_url(url: str, *, allow_private: bool) -> SplitResult:
    """The parts of an address that may be called; ValueError says what is wrong with it."""
    if len(url) > LONGEST_URL or not url.isascii() or not url.isprintable() or " " in url:
        raise ValueError(f"at most {LONGEST_URL} printable ASCII characters, no spaces")
    try:
        parts = urlsplit(url)
        port_is_right = parts.port is None or parts.port > 0
    except ValueError:
        raise ValueError("an address that can be read") from None
    if parts.scheme not in ("http", "https") or not parts.hostname or not port_is_right:
        raise ValueError("an address that begins with https:// or http:// and names a host")
    if parts.username is not None or parts.password is not None or parts.fragment:
        raise ValueError("an address without a user, a password or a fragment")
    literal = _literal(parts.hostname)
    if parts.hostname.rstrip(".").rpartition(".")[2] == "localhost" and not allow_private:
        raise ValueError("an address on the public internet")
    if literal and not (allow_private or is_public(literal)):
        raise ValueError("an address on the public internet")
    return parts


def _literal(host: str) -> str | None:
    """The address that a host is, if it is no name: also as the system reads it, like `127.1` or `0x7f000001`."""
    try:
        return str(ipaddress.ip_address(host))
    except ValueError:
        pass
    try:
        return socket.inet_ntoa(socket.inet_aton(host))
    except OSError:
        return None


def is_public(address: str) -> bool:
    """Does this address lead to the public internet, itself and whatever address it holds?"""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        held = ip.ipv4_mapped or ip.sixtofour or (ip.teredo[1] if ip.teredo else None)
        if held is None and ip in NAT64:
            held = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
        if held is not None:
            return is_public(str(held))
        if ip.is_site_local:
            return False
    if any(ip in network for network in SPECIAL_PURPOSE if network.version == ip.version):
        return False
    return ip.is_global and not (ip.is_multicast or ip.is_reserved or ip.is_unspecified)


def resolve(host: str, port: int, *, allow_private: bool) -> str:
    """The address that a name stands for; every one must be allowed, so that none can be slipped in."""
    try:
        infos = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise Undeliverable("its name cannot be looked up") from None
    addresses = [str(each[4][0]) for each in infos]
    if not allow_private and not all(map(is_public, addresses)):
        raise Undeliverable("its name leads to an address that is not on the public internet")
    return addresses[0]


def post(url: str, body: bytes, headers: Mapping[str, str], *, allow_private: bool) -> int:
    """Post a body; the status of the reply."""
    return post_and_read(url, body, headers, allow_private=allow_private, most=0)[0]


def post_and_read(
    url: str, body: bytes, headers: Mapping[str, str], *, allow_private: bool, most: int
) -> tuple[int, bytes]:
    """Post a body; the status of the reply, and the beginning of what it says."""
    try:
        parts = check_url(url, allow_private=allow_private)
    except ValueError as wrong:
        raise Undeliverable(f"it is not {wrong}") from None
    assert parts.hostname
    port = parts.port or (443 if parts.scheme == "https" else 80)
    address = resolve(parts.hostname, port, allow_private=allow_private)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    connection = HTTPConnection(parts.hostname, port, timeout=CALL_SECONDS)
    guard = threading.Timer(CALL_SECONDS, _cut, [connection])
    try:
        connection.sock = socket.create_connection((address, port), CALL_SECONDS)
        guard.start()
        if parts.scheme == "https":
            secured = TLS.wrap_socket(
                connection.sock, server_hostname=parts.hostname, do_handshake_on_connect=False
            )
            connection.sock = secured
            secured.do_handshake()
        connection.request("POST", target, body, {"Connection": "close", **headers})
        answer = connection.getresponse()
        return answer.status, answer.read(most) if most else b""
    except TimeoutError:
        raise Undeliverable("it did not answer in time") from None
    except (OSError, HTTPException) as problem:
        raise Undeliverable(f"the connection failed ({type(problem).__name__})") from None
    finally:
        guard.cancel()
        connection.close()


def _cut(connection: HTTPConnection) -> None:
    """End a connection under whoever waits on it."""
    with suppress(OSError):
        connection.sock.shutdown(socket.SHUT_RDWR)
