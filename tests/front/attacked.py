"""The API as a process of its own, for those who are rude to it."""

import json
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, NamedTuple

from tests.api.client import CLUB, SEED
from tests.api.live import live_api
from tests.servers import PATIENCE, ValkeyServer


class Reply(NamedTuple):
    status: int
    body: bytes

    @property
    def code(self) -> str:
        return str(json.loads(self.body)["code"])


class Server:
    """What there is to connect to, and ways to be rude to it."""

    def __init__(self, port: int, said: Path) -> None:
        self.port = port
        self._said = said
        self.pid = worker_of(port)

    def open(self, caller: int = 1) -> socket.socket:
        """A connection from an address of this machine: each number is another caller."""
        return socket.create_connection(("127.0.0.1", self.port), 30, (f"127.0.0.{caller}", 0))

    def send(self, request: bytes) -> Reply:
        """Send these very bytes, and read the answer to the end."""
        with self.open() as client:
            client.sendall(request)
            return reply_of(client)

    def call(self, method: str, path: str, token: str = CLUB, body: Any = None) -> Any:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = json.loads(connection.getresponse().read())
        connection.close()
        return answer

    def new_game(self) -> Any:
        players = [{"name": "Ada"}, {"name": "Ben"}]
        return self.call("POST", "/v1/games", body={"ruleset": "babel", "seed": SEED, "players": players})

    def memory(self) -> int:
        """Bytes that the server holds."""
        return 1024 * int(re.findall(r"VmRSS:\s+(\d+)", Path(f"/proc/{self.pid}/status").read_text())[0])

    def said(self) -> str:
        return self._said.read_text()


def worker_of(port: int) -> int:
    """The process that serves a port: the child of the one that listens, as it has the most memory."""
    listening = f":{port:04X}"
    inodes = {
        line.split()[9]
        for line in Path("/proc/net/tcp").read_text().splitlines()[1:]
        if line.split()[1].endswith(listening) and line.split()[3] == "0A"
    }
    pids = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            links = {file.readlink().name for file in (process / "fd").iterdir()}
        except OSError:
            continue
        if any(f"socket:[{inode}]" in links for inode in inodes):
            pids.append(int(process.name))
    return max(pids)


def reply_of(client: socket.socket) -> Reply:
    data = b""
    while part := client.recv(1 << 16):
        data += part
    head, _, body = data.partition(b"\r\n\r\n")
    return Reply(int(head.split(b" ", 2)[1]), body)


@contextmanager
def attacked(valkey: ValkeyServer, directory: Path) -> Iterator[Server]:
    with live_api(valkey.url, directory, "tests.front.hasty") as port:
        yield Server(port, directory / "said")
