"""A real cluster in its weak minutes: each partition fails alone, and whoever asks is told soon."""

import asyncio
import os
import signal
import threading
import time
from collections.abc import Iterator
from contextvars import copy_context
from typing import Any

import pytest
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import MovedError

from events.keys import partition_key, partitions
from events.scripts import Script
from events.weather import AWAY, NotReplicated
from projections.health import backlog
from services.core.cluster import HASTE, PATIENCE, ClusterLines
from services.core.cluster_clients import ClusterClient
from services.core.connections import connect
from services.core.line import Copies
from services.core.resting import run
from tests.servers import ValkeyCluster, short_directory, wait_until


@pytest.fixture(scope="module")
def cluster() -> Iterator[ValkeyCluster]:
    with short_directory() as directory:
        cluster = ValkeyCluster(directory, replicas=1)
        cluster.start()
        try:
            yield cluster
        finally:
            cluster.stop()


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
        client.open_line()
        try:
            return await run(
                copy_context(), lambda: [client.get(partition_key(part, "x")) for part in partitions()]
            )
        finally:
            client.close_line()

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
    stop = threading.Event()
    longest: dict[str, float] = dict.fromkeys(healthy, 0.0)

    def ask(part: str) -> None:
        while not stop.is_set():
            began = time.monotonic()
            client.scard(key(part))
            longest[part] = max(longest[part], time.monotonic() - began)

    threads = [threading.Thread(target=ask, args=[part]) for part in healthy[:4]]
    for pid in silent:
        os.kill(pid, signal.SIGSTOP)
    try:
        for thread in threads:
            thread.start()
        began = time.monotonic()
        for _ in range(4):
            with pytest.raises(AWAY):
                client.scard(key(away[0]))
        assert time.monotonic() - began < 4 * 1.5, "it is not waited for again and again"
        found = backlog(client)
        assert (set(found.missing), found.dirty) == (set(away), len(healthy))
    finally:
        stop.set()
        for pid in silent:
            os.kill(pid, signal.SIGCONT)
        for thread in threads:
            thread.join()
    assert max(longest.values()) < 1.0
    wait_until(lambda: not backlog(client).missing, "all partitions to be back")


def test_a_replica_that_takes_over_is_found(cluster: ValkeyCluster, client: ClusterClient) -> None:
    primary = cluster.primaries[0]
    part = parts_of(cluster, 0)[0]
    client.set(partition_key(part, "x"), "before")
    wait_until(lambda: copied(cluster), "the replica to have it")
    primary.kill9()
    began = time.monotonic()

    def writes() -> bool:
        try:
            return bool(client.set(partition_key(part, "x"), "after"))
        except AWAY:
            return False

    wait_until(writes, "the replica to take over")
    assert time.monotonic() - began < 15
    assert client.get(partition_key(part, "x")) == b"after"
    primary.start()
    wait_until(cluster.is_whole, "the cluster to be whole again")


def test_whoever_is_asked_again_anyway_gives_a_dead_node_up_sooner_than_players_do() -> None:
    """While a worker waits for one node, it does nothing for the others."""
    with short_directory() as directory:
        cluster = ValkeyCluster(directory)
        cluster.start()
        try:
            cluster.primaries[1].kill9()
            part = parts_of(cluster, 1)[0]
            hasty, patient = (seconds_until_given_up(cluster, part, each) for each in (HASTE, PATIENCE))
        finally:
            cluster.stop()
    assert hasty < 0.7 * patient


def seconds_until_given_up(cluster: ValkeyCluster, part: str, patience: float) -> float:
    client = connect(cluster.urls, patience)
    began = time.monotonic()
    with pytest.raises(AWAY):
        client.scard(key(part))
    client.close()
    return time.monotonic() - began


def copied(cluster: ValkeyCluster) -> bool:
    with cluster.primaries[0].client() as client:
        return bool(client.execute_command("WAIT", 1, 1000))


def test_an_append_waits_for_its_replica_on_its_own_line(cluster: ValkeyCluster) -> None:
    client = ClusterClient(cluster.urls, Copies(1, 1200))
    primary = cluster.primaries[1]
    part = parts_of(cluster, 1)[0]
    assert client.set(partition_key(part, "x"), "copied")
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


def test_a_slot_that_moves_is_followed(cluster: ValkeyCluster, client: ClusterClient) -> None:
    """In the middle of its move keys are asked for there or here; afterwards it is somewhere else."""
    part = parts_of(cluster, 1)[0]
    name = partition_key(part, "moving")
    client.set(name, "a")
    with cluster.nodes[0].client() as any_node:
        slot = any_node.execute_command("CLUSTER KEYSLOT", name)
    with cluster.primaries[1].client() as source, cluster.primaries[2].client() as target:
        here, there = source.execute_command("CLUSTER MYID"), target.execute_command("CLUSTER MYID")
        target.execute_command("CLUSTER SETSLOT", slot, "IMPORTING", here)
        source.execute_command("CLUSTER SETSLOT", slot, "MIGRATING", there)
        assert client.get(name) == b"a"
        keys = source.execute_command("CLUSTER GETKEYSINSLOT", slot, 100)
        source.execute_command("MIGRATE", "127.0.0.1", cluster.primaries[2].port, "", 0, 1000, "KEYS", *keys)
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

    monkeypatch.setattr(ClusterLines, "_try", send_on)
    with pytest.raises(AWAY):
        client.get(partition_key("00", "x"))
