"""Chaos on a real cluster with replicas, and on the processes that play on it."""

import time
from contextlib import ExitStack, suppress
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from redis.crc import key_slot

from events.keys import partition_key, partitions
from services.core.connections import connect
from services.host.up import api_is_alive
from tests.chaos.ground import THINKERS, WORKERS, Ground, stopped
from tests.servers import ValkeyCluster, ValkeyServer, free_ports, wait_until
from tests.worker.house import House, processes


class Clustered(Ground):
    """API, projector and workers on a cluster of three primaries with a replica each; what is killed is started again."""

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
    programs = ("api", "projector", *["worker"] * WORKERS, *["thinker"] * THINKERS)

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
        wait_until(lambda: api_is_alive(f"http://127.0.0.1:{self.port}"), "the API to answer")

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
