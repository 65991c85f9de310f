"""A store that is reached over TLS (`rediss://`): the API, in its loop and in threads, and a worker's queue."""

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from events.store_errors import UNAVAILABLE
from services.core.connections import connect, connect_queue
from services.core.settings import Settings
from services.worker.queue import WorkQueue
from tests.api.client import CLUB, build_api, new_game
from tests.api.live import live_api
from tests.servers import ValkeyServer, free_ports, wait_until


def write_certificate(directory: Path) -> tuple[Path, Path]:
    """A certificate of this machine that nobody else has signed, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "a store")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    paths = directory / "store.crt", directory / "store.key"
    paths[0].write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    paths[1].write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    return paths


PROXY = """
import asyncio, ssl, sys
store, certificate, key, port = sys.argv[1:]
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(certificate, key)
async def pass_on(reader, writer):
    while data := await reader.read(1 << 16):
        writer.write(data)
    writer.close()
async def serve(reader, writer):
    from_store, to_store = await asyncio.open_unix_connection(store)
    await asyncio.gather(pass_on(reader, to_store), pass_on(from_store, writer), return_exceptions=True)
async def main():
    await (await asyncio.start_server(serve, "127.0.0.1", int(port), ssl=context)).serve_forever()
asyncio.run(main())
"""


@contextmanager
def terminating_tls(store: ValkeyServer, certificate: Path, key: Path) -> Iterator[int]:
    """The port of a proxy that speaks TLS and passes everything on to the store, which was built without it."""
    (port,) = free_ports(1)
    arguments = [str(store.socket), str(certificate), str(key), str(port)]
    proxy = subprocess.Popen([sys.executable, "-c", PROXY, *arguments], stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: listens(port), "the proxy to listen")
        yield port
    finally:
        proxy.kill()
        proxy.wait()


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def test_games_are_played_on_a_store_that_is_reached_over_tls(valkey: ValkeyServer, tmp_path: Path) -> None:
    certificate, key = write_certificate(tmp_path)
    with terminating_tls(valkey, certificate, key) as port:
        url = f"rediss://127.0.0.1:{port}?ssl_ca_certs={certificate}"
        beside = build_api(url)
        new_game(beside).play(2)
        beside.close()
        with live_api(url, tmp_path) as at, httpx.Client(base_url=f"http://127.0.0.1:{at}") as http:
            body = {"ruleset": "babel", "players": [{"name": "Ann"}, {"name": "Ben"}]}
            game = http.post("/v1/games", json=body, headers={"Authorization": f"Bearer {CLUB}"}).json()
            assert http.get(f"/v1/games/{game['id']}").json()["status"] == "playing"
        with connect_queue(Settings(store_url=url)) as queue:
            assert WorkQueue(queue).patient.count == 0
        with pytest.raises(UNAVAILABLE):  # nobody has signed its certificate
            connect(f"rediss://127.0.0.1:{port}").ping()
