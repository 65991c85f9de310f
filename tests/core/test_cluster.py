"""A real cluster in its weak minutes: each partition fails alone, and whoever asks is told soon."""

import asyncio
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from contextvars import copy_context
from typing import Any

import pytest
from redis.crc import key_slot
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import MovedError

from events.keys import partition_key, partitions
from events.scripts import Script
from events.store_errors import UNAVAILABLE, NotReplicated
from projections.health import backlog
from services.core.cluster import ANSWER_TIMEOUT, SHORT_ANSWER_TIMEOUT, ClusterConnections
from services.core.cluster_clients import ClusterClient
from services.core.connections import connect
from services.core.greenlet_bridge import run_in_greenlet
from services.core.pipelining import ReplicationPolicy
from tests.servers import ValkeyCluster, short_directory, wait_until

NO_FAILOVER = 600.0
"""Seconds of silence before a replica takes over: longer than any test, so that load alone changes no roles."""

LONG = 120.0
"""Seconds that a test waits for a change of roles, on a machine that has much else to do."""


@contextmanager
def running_cluster(**how: Any) -> Iterator[ValkeyCluster]:
    with short_directory() as directory:
        cluster = ValkeyCluster(directory, **how)
        cluster.start()
        try:
            yield cluster
        finally:
            cluster.stop()


@pytest.fixture(scope="module")
def cluster() -> Iterator[ValkeyCluster]:
    """A cluster whose roles and slots stay as they are: a test that changes them starts a cluster of its own."""
    with running_cluster(replicas=1, silence=NO_FAILOVER) as cluster:
        yield cluster


@pytest.fixture
def client(cluster: ValkeyCluster) -> Iterator[ClusterClient]:
    client = connect(cluster.urls)
    assert isinstance(client, ClusterClient)
    yield client
    client.close()


def key(partition: str) -> str:
    return partition_key(partition, "dirty")


def parts_of(cluster: ValkeyCluster, number: int) -> list[str]:
    """The partitions that the primary of this number has at the beginning."""
    return [part for part in partitions() if cluster.owner(key(part)) is cluster.primaries[number]]


def test_every_key_is_found_on_its_node_in_threads_and_in_a_loop(client: ClusterClient) -> None:
    for part in partitions():
        client.set(partition_key(part, "x"), part)
        assert client.get(partition_key(part, "x")) == part.encode()
    with client.pipeline(transaction=False) as pipe:
        for part in partitions():
            pipe.get(partition_key(part, "x"))
        assert pipe.execute() == [part.encode() for part in partitions()]

    async def in_the_loop() -> Any:
        client.open_loop_connection()
        try:
            return await run_in_greenlet(
                copy_context(), lambda: [client.get(partition_key(part, "x")) for part in partitions()]
            )
        finally:
            client.close_loop_connection()

    assert asyncio.run(in_the_loop()) == [part.encode() for part in partitions()]


def test_several_keys_of_a_partition_are_asked_for_together(client: ClusterClient) -> None:
    both = [partition_key("03", name) for name in ("one", "two")]
    for each in both:
        client.set(each, "there")
    assert client.exists(*both) == 2
    assert client.delete(*both) == 2
    assert client.exists(*both) == 0


def test_a_script_that_a_node_does_not_know_is_brought_to_it(
    cluster: ValkeyCluster, client: ClusterClient
) -> None:
    """At first, and after each of its nodes has forgotten it, as one has that takes over from another."""
    script = Script(client, "projections", "news.lua")
    for _ in range(2):
        for part in partitions():
            keys = [partition_key(part, name) for name in ("log", "people", "archived")]
            assert script(keys, ["1", "0" * 64]) == []
        for node in cluster.nodes:
            with node.client() as server:
                server.script_flush()


def test_a_caller_without_patience_left_still_brings_its_script_to_the_node(cluster: ValkeyCluster) -> None:
    """A failover uses the patience up, and the node that took over knows no script."""
    client = connect(cluster.urls, 0.0)
    script = Script(client, "projections", "news.lua")
    keys = [partition_key("00", name) for name in ("log", "people", "archived")]
    for node in cluster.nodes:
        with node.client() as server:
            server.script_flush()
    assert script(keys, ["1", "0" * 64]) == []
    client.close()


def test_any_address_that_answers_is_enough(cluster: ValkeyCluster) -> None:
    nobody = "redis://127.0.0.1:1"
    client = connect(f"{nobody},{cluster.url}")
    assert isinstance(client, ClusterClient)
    client.set(partition_key("00", "x"), "found")
    assert client.get(partition_key("00", "x")) == b"found"
    client.close()
    with pytest.raises(RedisConnectionError):
        connect(f"{nobody},redis://127.0.0.1:2")


def test_a_node_that_is_silent_stops_nobody_who_asks_another(
    cluster: ValkeyCluster, client: ClusterClient
) -> None:
    """Its own replica, too, is silent: nobody takes its place."""
    primary = cluster.primaries[2]
    silent = [primary.pid, cluster.replica_of(primary).pid]
    for part in partitions():
        client.sadd(key(part), "a-game")
    away, healthy = parts_of(cluster, 2), [*parts_of(cluster, 0), *parts_of(cluster, 1)]
    asked = Questions(client)
    threads = [threading.Thread(target=asked.ask_silent, args=[away[0]])]
    threads += [threading.Thread(target=asked.ask_healthy, args=[part]) for part in healthy[:4]]
    for pid in silent:
        os.kill(pid, signal.SIGSTOP)
    try:
        for thread in threads:
            thread.start()
        wait_until(lambda: asked.answered == set(healthy[:4]), "answers while another was waited for", LONG)
        wait_until(lambda: any("is away" in each for each in asked.refusals), "a refusal at once", LONG)
        wait_until(lambda: known(client) == (set(away), len(healthy)), "the others' backlog", LONG)
    finally:
        asked.stop.set()
        for pid in silent:
            os.kill(pid, signal.SIGCONT)
        for thread in threads:
            thread.join()
    wait_until(lambda: known(client) == (set(), len(partitions())), "all partitions to be back", LONG)


def known(client: ClusterClient) -> tuple[set[str], int]:
    """The partitions of which the backlog knows nothing, and the number of dirty games in the others."""
    try:
        found = backlog(client)
    except UNAVAILABLE:  # this machine is so busy that no node was in time
        return set(partitions()), 0
    return set(found.missing), found.dirty


class Questions:
    """What threads ask of a cluster with a silent node, until they are told to stop."""

    def __init__(self, client: ClusterClient) -> None:
        self.client = client
        self.stop = threading.Event()
        self.refusals: list[str] = []
        self.answered: set[str] = set()
        """Partitions that answered from beginning to end while one question to the silent node was open."""
        self._open = 0
        self._number = 0

    def ask_silent(self, part: str) -> None:
        while not self.stop.is_set():
            self._number += 1
            self._open = self._number
            try:
                self.client.scard(key(part))
            except UNAVAILABLE as refusal:
                self.refusals.append(str(refusal))
            self._open = 0

    def ask_healthy(self, part: str) -> None:
        while not self.stop.is_set():
            before = self._open
            with suppress(
                *UNAVAILABLE
            ):  # this machine is so busy that a healthy node was late: it is asked again
                self.client.scard(key(part))
                if before and before == self._open:
                    self.answered.add(part)


def test_a_replica_that_takes_over_is_found() -> None:
    with running_cluster(replicas=1) as cluster, closing(connect(cluster.urls)) as client:
        primary = cluster.primaries[0]
        part = parts_of(cluster, 0)[0]
        client.set(partition_key(part, "x"), "before")
        wait_until(lambda: copied(cluster), "the replica to have it")
        primary.kill9()

        def writes() -> bool:
            try:
                return bool(client.set(partition_key(part, "x"), "after"))
            except UNAVAILABLE:
                return False

        wait_until(writes, "the replica to take over", LONG)
        assert client.get(partition_key(part, "x")) == b"after"
        primary.start()
        wait_until(cluster.is_whole, "the cluster to be whole again", LONG)


def test_whoever_is_asked_again_anyway_gives_a_dead_node_up_sooner_than_players_do() -> None:
    """While a worker waits for one node, it does nothing for the others."""
    assert SHORT_ANSWER_TIMEOUT < ANSWER_TIMEOUT
    with (
        running_cluster() as cluster,
        closing(connect(cluster.urls, SHORT_ANSWER_TIMEOUT)) as hasty,
        closing(connect(cluster.urls, LONG)) as patient,
        ThreadPoolExecutor(1) as thread,
    ):
        part = parts_of(cluster, 1)[0]
        cluster.primaries[1].kill9()
        waiting = thread.submit(patient.scard, key(part))
        with pytest.raises(UNAVAILABLE):
            hasty.scard(key(part))
        assert not waiting.done()
        cluster.primaries[1].start()
        assert waiting.result() == 0


def copied(cluster: ValkeyCluster) -> bool:
    with cluster.primaries[0].client() as client:
        return bool(client.execute_command("WAIT", 1, 1000))


def test_an_append_waits_for_its_replica_on_its_own_line(cluster: ValkeyCluster) -> None:
    client = ClusterClient(cluster.urls, ReplicationPolicy(1, 1200))
    primary = cluster.primaries[1]
    part = parts_of(cluster, 1)[0]
    wait_until(lambda: all_copied(client, part), "the replica to have it")
    os.kill(cluster.replica_of(primary).pid, signal.SIGSTOP)
    try:
        with pytest.raises(NotReplicated):
            client.set(partition_key(part, "x"), "not copied")
    finally:
        os.kill(cluster.replica_of(primary).pid, signal.SIGCONT)
    wait_until(lambda: all_copied(client, part), "the replica to be back")
    client.close()


def all_copied(client: ClusterClient, part: str) -> bool:
    try:
        return bool(client.set(partition_key(part, "x"), "copied"))
    except NotReplicated:
        return False


def test_a_slot_that_moves_is_followed() -> None:
    """In the middle of its move keys are asked for there or here; afterwards it is somewhere else."""
    with running_cluster() as cluster, closing(connect(cluster.urls)) as client:
        source_node, target_node = cluster.primaries[1:]
        name = partition_key(parts_of(cluster, 1)[0], "moving")
        slot = key_slot(name.encode())
        client.set(name, "a")
        with source_node.client() as source, target_node.client() as target:
            here, there = source.execute_command("CLUSTER MYID"), target.execute_command("CLUSTER MYID")
            target.execute_command("CLUSTER SETSLOT", slot, "IMPORTING", here)
            source.execute_command("CLUSTER SETSLOT", slot, "MIGRATING", there)
            assert client.get(name) == b"a"
            source.execute_command("MIGRATE", "127.0.0.1", target_node.port, "", 0, 30_000, "KEYS", name)
            assert client.get(name) == b"a", "it is asked for where it went"
            for node in (target, source):
                node.execute_command("CLUSTER SETSLOT", slot, "NODE", there)
            assert client.get(name) == b"a"
            client.set(name, "b")
            assert target.get(name) == b"b"


def test_a_key_that_one_is_sent_to_and_fro_for_is_weather(
    cluster: ValkeyCluster, client: ClusterClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As while nodes do not agree who has a slot."""
    port = cluster.nodes[0].port

    async def send_on(*_: Any, **__: Any) -> Any:
        return MovedError(f"1 127.0.0.1:{port}")

    monkeypatch.setattr(ClusterConnections, "_try", send_on)
    with pytest.raises(UNAVAILABLE):
        client.get(partition_key("00", "x"))
