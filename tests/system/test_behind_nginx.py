"""Behind a real nginx with TLS, as deploy/nginx.conf has it: streams come at once, sockets open, callers are told apart."""

import os
import ssl
import subprocess
import time
from collections.abc import Iterator

import httpx
import pytest
from websockets.sync.client import connect

from tests.debian import debian_program
from tests.docs.blocks import ROOT
from tests.servers import free_ports, wait_until
from tests.system.stele import Stele, stele_up

pytestmark = pytest.mark.long
HOST = "play.example.org"


@pytest.fixture(scope="module")
def stele() -> Iterator[Stele]:
    with stele_up(STELE_TRUSTED_PROXIES="127.0.0.1", STELE_CREATIONS_PER_MINUTE="4") as server:
        yield server


@pytest.fixture(scope="module")
def proxy(stele: Stele, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of an nginx whose configuration is that of deploy/, but for ports, certificate and places of files."""
    program, directory = debian_program("nginx", "usr/sbin/nginx"), tmp_path_factory.mktemp("nginx")
    http, https = free_ports(2)
    key, certificate = directory / "privkey.pem", directory / "fullchain.pem"
    command = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-keyout",
        key,
        "-out",
        certificate,
    ]
    names = ["-subj", f"/CN={HOST}", "-addext", f"subjectAltName=DNS:{HOST},DNS:localhost"]
    subprocess.run([str(part) for part in (*command, *names)], check=True, capture_output=True)
    text = (ROOT / "deploy/nginx.conf").read_text()
    for deployed, here in (
        ("listen 80;", f"listen 127.0.0.1:{http};"),
        ("listen 443 ssl;", f"listen 127.0.0.1:{https} ssl;"),
        (f"/etc/letsencrypt/live/{HOST}", str(directory)),
        ("/var/log/nginx", str(directory)),
        ("http://127.0.0.1:8000", stele.url),
        (f"server_name {HOST};", "server_name _;"),
    ):
        assert deployed in text
        text = text.replace(deployed, here)
    temporary = " ".join(
        f"{kind}_temp_path {directory}/{kind};"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    main = directory / "nginx.conf"
    user = "user root;" if os.geteuid() == 0 else ""
    main.write_text(
        f"{user} daemon off; pid {directory}/pid; error_log {directory}/error.log;\n"
        f"events {{}} http {{ access_log off; {temporary}\n{text}\n}}\n"
    )
    nginx = subprocess.Popen([program, "-p", directory, "-c", main, "-e", directory / "error.log"])
    try:
        wait_until(lambda: answers(https), "nginx to answer")
        yield f"https://localhost:{https}"
    finally:
        nginx.terminate()
        nginx.wait(30)


def answers(port: int) -> bool:
    try:
        return httpx.get(f"https://localhost:{port}/healthz", verify=False).status_code == 200
    except httpx.TransportError:
        return False


def test_a_stream_comes_through_while_it_goes_on(proxy: str, stele: Stele) -> None:
    with httpx.Client(base_url=proxy, verify=False, timeout=60) as http:
        players = [{"name": "Ada"}, {"name": "Ben"}]
        game = http.post("/v1/games", json={"ruleset": "babel", "players": players}).raise_for_status().json()
        path = f"/v1/games/{game['id']}"
        began = time.monotonic()
        with http.stream("GET", f"{path}/events", headers={"Accept": "text/event-stream"}) as stream:
            lines = stream.iter_lines()
            first = next(line for line in lines if line.startswith("id:"))
            token = {"Authorization": f"Bearer {game['seats'][0]['token']}"}
            action = http.get(f"{path}/actions", headers=token).json()["actions"]
            seat = 0 if action else 1
            token = {"Authorization": f"Bearer {game['seats'][seat]['token']}"}
            action = action or http.get(f"{path}/actions", headers=token).json()["actions"]
            http.post(f"{path}/actions", json=action[0], headers=token).raise_for_status()
            assert any("action_taken" in line for line in lines)
        assert first
        assert time.monotonic() - began < 60, "a proxy that buffers would have kept it until the stream's end"


def test_a_socket_opens_and_answers(proxy: str) -> None:
    unchecked = ssl._create_unverified_context()
    with connect(proxy.replace("https", "wss") + "/v1/socket", ssl=unchecked, proxy=None) as socket:
        socket.send('{"id": 1, "op": "follow", "game": "00-00000000000000000000000000"}')
        assert '"status":404' in str(socket.recv(30)).replace(" ", "")


def test_limits_count_callers_and_not_the_proxy(stele: Stele, proxy: str) -> None:
    """Four new games a minute for an address: nginx says who calls, and what a caller claims of itself is not believed."""
    body = {"ruleset": "babel", "players": [{"name": "Ada"}, {"name": "Ben"}]}
    caller = httpx.HTTPTransport(local_address="127.0.0.2", verify=False)
    with httpx.Client(base_url=proxy.replace("localhost", "127.0.0.1"), transport=caller) as http:
        answers = [
            http.post("/v1/games", json=body, headers={"X-Forwarded-For": f"203.0.113.{n}"}).status_code
            for n in range(8)
        ]
    assert 429 in answers, "the addresses that it claimed would each have had their own limit"


def test_metrics_are_closed_and_logs_hold_no_query(
    proxy: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with httpx.Client(base_url=proxy, verify=False) as http:
        assert http.get("/metrics").status_code == 403
        http.get("/v1/games", params={"tag": "a-secret-of-somebody"})
    (log,) = {file.resolve() for file in tmp_path_factory.getbasetemp().glob("nginx*/stele.log")}
    assert "/v1/games" in log.read_text()
    assert "a-secret-of-somebody" not in log.read_text()
