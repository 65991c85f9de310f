"""Where the chaos takes place: a whole server on its embedded store, or its processes on a real cluster with replicas.

Each ground has faults by name. A fault breaks something, waits a moment, and mends it; what restarts by itself is left to it.
"""

import json
import os
import signal
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from redis import Redis
from redis.crc import key_slot

from events.keys import partition_key, partitions
from services.core.connections import connect
from services.core.datadir import embedded_url
from services.host.up import answers
from tests.servers import UNLIMITED, ValkeyCluster, ValkeyServer, free_ports, short_directory, wait_until
from tests.system.stele import Stele
from tests.worker.house import House, processes

CLOCK = Path(__file__).parent / "clock"
DISK_MB, RESERVE_MB = 96, 32
WORKERS = 2


class Struck(NamedTuple):
    """A fault that was done: what, when, for how long, and which partitions it was to hit."""

    name: str
    start: float
    end: float
    hit: set[str]


class Ground(ABC):
    """A server under chaos. Faults are methods; `kinds` names those that can happen here, the likely ones more often."""

    port: int
    house: House
    queue: Redis
    kinds: tuple[str, ...]

    def __init__(self, directory: Path, dice: Random) -> None:
        self.directory, self.dice = directory, dice
        self.clock = directory / "clock"
        self.clock.write_text("0")
        self.environ = {"PYTHONPATH": str(CLOCK), "CHAOS_CLOCK": str(self.clock), **UNLIMITED}

    @abstractmethod
    def pids(self) -> dict[str, list[int]]:
        """The processes by kind."""

    def strike(self, kind: str) -> Struck:
        """Do one fault."""
        start = time.monotonic()
        hit = getattr(self, kind)()
        return Struck(kind, start, time.monotonic(), hit or set())

    def errors(self) -> list[str]:
        """What processes have logged as an error of theirs, each by its last line."""
        errors = []
        for line in (self.directory / "said").read_text(errors="replace").splitlines():
            with suppress(ValueError, AttributeError):
                entry = json.loads(line)
                if entry.get("level") in ("error", "critical") and "trace" in entry:
                    errors.append(f"{entry['message']}: {' / '.join(entry['trace'].splitlines()[-4:])}")
        return errors

    # -- faults of every ground -------------------------------------------------------------------------------------

    def pause(self) -> None:
        """Some process stands still for a moment."""
        pid = self.dice.choice([pid for pids in self.pids().values() for pid in pids])
        with stopped(pid):
            time.sleep(self.dice.uniform(0.3, 2.0))

    def jump_clock(self) -> None:
        """All clocks are wrong for a while, by up to two hours."""
        self.clock.write_text(str(self.dice.uniform(-7200, 7200)))
        time.sleep(1.0)
        self.clock.write_text("0")

    def muddle_jobs(self) -> None:
        """What waits in the queues is doubled, and its order changed."""
        for name in ("stele-project", "stele-work"):
            key = f"rq:queue:{name}"
            with suppress(Exception):
                waiting: Any = self.queue.lrange(key, 0, -1)
                again = [*waiting, *self.dice.sample(waiting, len(waiting) // 2)]
                self.dice.shuffle(again)
                with self.queue.pipeline() as pipe:
                    pipe.delete(key)
                    if again:
                        pipe.rpush(key, *again)
                    pipe.execute()


@contextmanager
def stopped(*pids: int) -> Iterator[None]:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)


class Embedded(Ground):
    """`stele up` on a small disk of its own, if there can be one."""

    kinds: tuple[str, ...] = (
        "kill",
        "pause",
        "fill_disk",
        "cut",
        "muddle_jobs",
        "jump_clock",
        "kill_everything",
        "kill_supervisor",
        "kill",
        "kill",
        "pause",
    )

    def __init__(self, directory: Path, dice: Random, on_exit: ExitStack) -> None:
        super().__init__(directory, dice)
        self.has_disk = mount_disk(directory / "data", on_exit)
        if not self.has_disk:
            self.kinds = tuple(kind for kind in type(self).kinds if kind != "fill_disk")
        settings = {
            "STELE_WORKERS": str(WORKERS),
            "STELE_MIN_FREE_MB": str(RESERVE_MB if self.has_disk else 0),
        }
        self.server = Stele(directory, **self.environ, **settings)
        self.server.start()
        on_exit.callback(self.end)
        self.port = self.server.port
        url = embedded_url(directory / "data")
        self.queue = Redis.from_url(url)
        self.house = House(connect(url), self.queue)

    def end(self) -> None:
        if self.server.process and self.server.process.poll() is None:
            self.server.stop()

    def pids(self) -> dict[str, list[int]]:
        words = {
            "store": b"valkey-server",
            "api": b"services.api",
            "api process": b"multiprocessing",
            "dispatcher": b"services.worker.dispatcher",
            "worker": b"services.worker.process",
            "guard": b"guard.py",
        }
        mine = f"STELE_DATA_DIR={self.server.environ['STELE_DATA_DIR']}\0".encode()
        running: dict[str, list[int]] = {name: [] for name in words}
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if mine not in (process / "environ").read_bytes():
                    continue
                command = (process / "cmdline").read_bytes()
                for name, word in words.items():
                    if word in command:
                        running[name].append(int(process.name))
                        break
        return {name: pids for name, pids in running.items() if pids}

    def kill(self) -> None:
        """kill -9 of one process; the supervisor starts it again."""
        kinds = self.pids()
        pid = self.dice.choice(kinds[self.dice.choice(sorted(kinds))])
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        time.sleep(self.dice.uniform(0.2, 1.5))

    def kill_everything(self) -> None:
        self.server.kill_everything()
        self.server.start()

    def kill_supervisor(self) -> None:
        """Nobody may be left who holds the port, or the data directory."""
        assert self.server.process
        self.server.process.kill()
        self.server.process.wait()
        wait_until(lambda: not self.pids(), "all to be gone")
        self.server.start()

    def fill_disk(self) -> None:
        """Others fill the disk: nearly, or to the last byte."""
        ballast = self.directory / "data" / "ballast"
        room = RESERVE_MB // 2 if self.dice.random() < 0.5 else 0
        with ballast.open("wb") as file, suppress(OSError):
            while room == 0 or free_mb(self.directory / "data") > room:
                file.write(b"\0" * 2**20)
                file.flush()
        time.sleep(3)
        ballast.unlink()


def free_mb(path: Path) -> int:
    stat = os.statvfs(path)
    return stat.f_bavail * stat.f_frsize >> 20


def mount_disk(path: Path, on_exit: ExitStack) -> bool:
    """A small disk of our own at this place; False if we may not have one."""
    path.mkdir(mode=0o700)
    command = ["mount", "-t", "tmpfs", "-o", f"size={DISK_MB}m,mode=0700", "tmpfs", str(path)]
    if subprocess.run(command, capture_output=True, check=False).returncode != 0:
        return False
    on_exit.callback(subprocess.run, ["umount", "-l", str(path)], check=False)
    return True


class Clustered(Ground):
    """API, dispatcher and workers on a cluster of three primaries with a replica each; what is killed is started again."""

    kinds: tuple[str, ...] = (
        "fail_over",
        "cut_off_replica",
        "move_slot",
        "kill",
        "pause_primary",
        "cut",
        "muddle_jobs",
        "jump_clock",
        "pause",
        "fail_over",
        "kill",
    )
    programs = ("api", "dispatcher", *["worker"] * WORKERS)

    def __init__(self, directory: Path, dice: Random, on_exit: ExitStack, replicas: int) -> None:
        super().__init__(directory, dice)
        self.cluster = ValkeyCluster(directory / "c", replicas=1)
        self.cluster.start()
        on_exit.callback(self.cluster.stop)
        queue = ValkeyServer(directory / "q")
        queue.start()
        on_exit.callback(queue.stop)
        (self.port,) = free_ports(1)
        self.group = on_exit.enter_context(
            processes(
                self.cluster.urls,
                **self.environ,
                STELE_QUEUE_URL=queue.url,
                STELE_PORT=str(self.port),
                STELE_DATA_DIR=str(directory / "data"),
                STELE_MIN_REPLICAS=str(replicas),
            )
        )
        self.group.output = on_exit.enter_context((directory / "said").open("ab"))
        self.running = {f"{name} {n}": self.group.start(name) for n, name in enumerate(self.programs)}
        self.queue = queue.client()
        self.house = House(connect(self.cluster.urls), self.queue)
        wait_until(lambda: answers(f"http://127.0.0.1:{self.port}"), "the API to answer")

    def pids(self) -> dict[str, list[int]]:
        return {name: [process.pid] for name, process in self.running.items()}

    def restart_the_dead(self) -> None:
        for name, process in self.running.items():
            if process.poll() is not None:
                self.group.running.remove(process)
                self.running[name] = self.group.start(name.split()[0])

    def kill(self) -> None:
        name = self.dice.choice(sorted(self.running))
        self.group.kill(self.running[name])
        time.sleep(self.dice.uniform(0.1, 1.0))
        self.running[name] = self.group.start(name.split()[0])

    # -- the cluster --------------------------------------------------------------------------------------------------

    def _primary(self) -> tuple[ValkeyServer, ValkeyServer, set[str]]:
        """A primary that has partitions, its replica, and the partitions."""
        wait_until(lambda: self._is_calm() and bool(self._pairs()), "the cluster to be whole", 60)
        primary, replica = self.dice.choice(self._pairs())
        return primary.server, replica.server, parts_of(primary)

    def _pairs(self) -> "list[tuple[Node, Node]]":
        """Each primary that has partitions, and its replica."""
        by_id = {node.id: node for node in layout(self.cluster)}
        return [
            (by_id[node.primary], node)
            for node in by_id.values()
            if node.primary in by_id and parts_of(by_id[node.primary])
        ]

    def _is_calm(self) -> bool:
        """Every primary that has slots has a replica that keeps up."""
        if not self.cluster.is_whole():
            return False
        for node in layout(self.cluster):
            if node.slots:
                with node.server.client() as client:
                    if not client.execute_command("WAIT", 1, 200):
                        return False
        return True

    def fail_over(self) -> set[str]:
        """A primary is killed while its replica keeps up; it comes back as a replica."""
        primary, replica, hit = self._primary()
        primary.kill9()
        wait_until(lambda: role_of(replica) == "master", "the replica to take over", 60)
        time.sleep(1.0)
        primary.start()
        return hit

    def pause_primary(self) -> set[str]:
        """A primary is silent for so long that its replica takes over; then it wakes and believes it is one still."""
        primary, replica, hit = self._primary()
        with stopped(primary.pid):
            wait_until(lambda: role_of(replica) == "master", "the replica to take over", 60)
        return hit

    def cut_off_replica(self) -> set[str]:
        """A replica gets nothing for two seconds; then the primary dies, and what it had not passed on is gone."""
        primary, replica, hit = self._primary()
        with stopped(replica.pid):
            with primary.client() as client:
                # Nor is anything kept for it on its way.
                client.execute_command("CLIENT KILL", "TYPE", "REPLICA")
            time.sleep(2.0)
            primary.kill9()
        wait_until(lambda: role_of(replica) == "master", "the replica to take over", 60)
        primary.start()
        return hit

    def move_slot(self) -> set[str]:
        """A partition moves to another primary, key by key, while it is played in."""
        primary, _, hit = self._primary()
        others = [node.server for node in layout(self.cluster) if node.slots and node.server is not primary]
        part, target = self.dice.choice(sorted(hit)), self.dice.choice(others)
        slot = slot_of(part)
        with primary.client() as here, target.client() as there:
            source_id, target_id = here.execute_command("CLUSTER MYID"), there.execute_command("CLUSTER MYID")
            there.execute_command("CLUSTER SETSLOT", slot, "IMPORTING", source_id)
            here.execute_command("CLUSTER SETSLOT", slot, "MIGRATING", target_id)
            while keys := here.execute_command("CLUSTER GETKEYSINSLOT", slot, 50):
                here.execute_command("MIGRATE", "127.0.0.1", target.port, "", 0, 5000, "KEYS", *keys)
            for node in (there, here):
                node.execute_command("CLUSTER SETSLOT", slot, "NODE", target_id)
        return {part}


class Node(NamedTuple):
    """A node as the cluster tells of it."""

    id: str
    server: ValkeyServer
    primary: str
    slots: set[int]


def parts_of(node: Node) -> set[str]:
    """The partitions that a node has."""
    return {part for part in partitions() if slot_of(part) in node.slots}


def layout(cluster: ValkeyCluster) -> list[Node]:
    """The nodes that are well, as the first that answers tells."""
    by_port = {node.port: node for node in cluster.nodes}
    for server in cluster.nodes:
        with suppress(Exception), server.client(socket_timeout=1) as client:
            nodes: Any = client.execute_command("CLUSTER NODES")
            return [
                Node(
                    row["node_id"],
                    by_port[int(address.rpartition(":")[2].split("@")[0])],
                    row["master_id"].strip("-"),
                    slots_in(row),
                )
                for address, row in nodes.items()
                if "fail" not in row["flags"]
            ]
    raise LookupError("no node answers")


def slots_in(row: Any) -> set[int]:
    slots: set[int] = set()
    for first, *last in (each for each in row["slots"] if each[0].isdigit()):
        slots |= set(range(int(first), int(last[0] if last else first) + 1))
    return slots


def slot_of(partition: str) -> int:
    return key_slot(partition_key(partition, "feed").encode())


def role_of(server: ValkeyServer) -> str:
    with suppress(Exception), server.client(socket_timeout=1) as client:
        return str(client.info("replication")["role"])
    return "away"


@contextmanager
def ground(kind: str, dice: Random) -> Iterator[Ground]:
    """A ground of this kind: `embedded`, or `cluster` with the number of replicas that an action waits for."""
    with short_directory() as directory, ExitStack() as on_exit:
        if kind == "embedded":
            yield Embedded(directory, dice, on_exit)
        else:
            yield Clustered(directory, dice, on_exit, int(kind.removeprefix("cluster")))
