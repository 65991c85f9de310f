"""Workers and lists on a real cluster of which a part is away: the others go on, and it is said which part is missing."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from events.keys import game_id, keys_of, partition_of, partitions
from events.store_errors import UNAVAILABLE
from services.core.cluster import SHORT_ANSWER_TIMEOUT
from services.core.cluster_clients import ClusterClient
from services.core.connections import connect
from tests.api.client import CLUB
from tests.api.live import live_api
from tests.servers import PATIENCE, ValkeyCluster, ValkeyServer, running_valkey, short_directory, wait_until
from tests.worker.house import House, processes

BOTS = ("greedy", "random")
"""Seconds, for a machine that has much else to do: as long as nobody waits for the part that is away, it is one or two."""


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
def queue_store() -> Iterator[ValkeyServer]:
    with running_valkey() as server:
        yield server


@contextmanager
def silent(cluster: ValkeyCluster, number: int) -> Iterator[list[str]]:
    """A primary and its replica do not answer for the length of the block; the partitions that are away."""
    primary = cluster.primaries[number]
    nodes = [primary, cluster.replica_of(primary)]
    for node in nodes:
        os.kill(node.pid, signal.SIGSTOP)
    try:
        yield [part for part in partitions() if cluster.owner(f"stele:{{{part}}}:x") is primary]
    finally:
        for node in nodes:
            os.kill(node.pid, signal.SIGCONT)


def create_in(house: House, wanted: list[str], **more: Any) -> str:
    """A game of bots in one of these partitions."""
    while True:
        game = house.create("babel", BOTS, **more)
        if partition_of(game) in wanted:
            return game


def test_bots_and_settlement_of_healthy_partitions_go_on_while_a_part_is_away(
    cluster: ValkeyCluster, queue_store: ValkeyServer
) -> None:
    client = connect(cluster.urls)
    assert isinstance(client, ClusterClient)
    queue: dict[str, str] = {"STELE_QUEUE_URL": queue_store.url}
    with (
        queue_store.client() as jobs,
        processes(cluster.urls, "projector", "worker", "worker", **queue) as group,
    ):
        house = House(client, jobs)
        first = house.create("babel", BOTS)
        wait_until(lambda: bool(house.game(first).settled), "all to run")
        owners = {part: cluster.owner(keys_of(f"{part}-").stream) for part in partitions()}
        healthy = [part for part, owner in owners.items() if owner is not cluster.primaries[1]]
        ill = [part for part in partitions() if part not in healthy]
        waiting = [create_in(house, ill) for _ in range(2)]
        with silent(cluster, 1):
            game = create_healthy(house, healthy)
            wait_until(lambda: bool(house.game(game).settled), "bots of a healthy partition to go on")
        assert [process.poll() for process in group.running] == [None] * 3
        wait_until(lambda: all(house.game(game).settled for game in waiting), "those that were away to go on")
        for game in waiting:
            house.check_done(game)
    client.close()


def create_healthy(house: House, healthy: list[str]) -> str:
    """A game in a partition that answers: ids are drawn until one is there."""
    drawn = game_id()
    while partition_of(drawn) not in healthy:
        drawn = game_id()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tests.worker.house.game_id", lambda: drawn)
        return house.create("babel", BOTS)


def test_what_a_feed_told_while_it_was_out_of_reach_is_heard_when_it_is_back(
    cluster: ValkeyCluster, queue_store: ValkeyServer
) -> None:
    """By the marks of its games, at once: the lines themselves were read by an inquiry that nobody waited for."""
    client = connect(cluster.urls, SHORT_ANSWER_TIMEOUT)
    assert isinstance(client, ClusterClient)
    ill = [part for part in partitions() if cluster.owner(f"stele:{{{part}}}:x") is cluster.primaries[0]]
    with queue_store.client() as jobs:
        house = House(client, jobs)
        house.hear()
        jobs.flushall()
        game = create_in(house, ill)
        with silent(cluster, 0) as away:
            assert ill == away
            house.projector.held = partitions()
            house.projector.feeds.next(1)
        wait_until(
            lambda: not house.projector.feeds.next(1) and is_back(client, ill[0]), "the part to be back"
        )
        wait_until(lambda: turn(house) and game in projected(house), "its games to be passed on")
    client.close()


def turn(house: House) -> bool:
    house.projector.turn()
    return True


def projected(house: House) -> set[str]:
    """The games whose projections have been brought up to date, and which were asked for what they owe."""
    return {job.game for job in house.queue.jobs_on_games()}


def is_back(client: ClusterClient, partition: str) -> bool:
    try:
        client.get(f"stele:{{{partition}}}:x")
    except UNAVAILABLE:
        return False
    return True


def test_lists_and_readiness_say_which_part_is_missing_and_others_are_played_on(
    cluster: ValkeyCluster, queue_store: ValkeyServer, tmp_path: Path
) -> None:
    queue = {"STELE_QUEUE_URL": queue_store.url}
    with (
        live_api(cluster.urls, tmp_path, STELE_QUEUE_URL=queue_store.url) as port,
        processes(cluster.urls, "projector", "worker", **queue),
        httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE) as http,
    ):
        players = {"ruleset": "babel", "players": [{"name": "Ada"}, {"name": "Ben"}]}
        token = {"Authorization": f"Bearer {CLUB}"}
        games = [
            http.post("/v1/games", json=players, headers=token).raise_for_status().json() for _ in range(24)
        ]
        ids = {game["id"] for game in games}
        wait_until(lambda: ids <= listed(http), "all to be listed")
        assert http.get("/v1/games").json()["missing"] == []
        with silent(cluster, 2) as away:
            here = {game for game in ids if partition_of(game) not in away}
            assert here
            assert here < ids
            answer = http.get("/v1/games?limit=200")
            assert answer.status_code == 200
            assert answer.json()["missing"] == away
            assert {row["id"] for row in answer.json()["items"]} & ids == here
            assert http.get("/v1/results").status_code == 200
            ready = http.get("/readyz")
            assert (ready.status_code, ready.json()["checks"]["store"]) == (200, "in part")
            assert ready.json()["checks"]["missing"] == away
            for game in games:
                answer = act(http, game)
                if game["id"] in here:
                    assert answer.status_code == 201, answer.text
                else:
                    assert (answer.status_code, answer.json()["code"]) == (503, "store_unavailable")
                    assert answer.headers["retry-after"] == "1"
        wait_until(lambda: http.get("/readyz").json()["checks"]["store"] == "ok", "all to be well")


def listed(http: httpx.Client) -> set[str]:
    return {row["id"] for row in http.get("/v1/games?limit=200").json()["items"]}


def act(http: httpx.Client, game: Any) -> httpx.Response:
    """Make the first legal move, or ask for it in vain."""
    seat = game["to_act"][0]
    token = {"Authorization": f"Bearer {game['seats'][seat]['token']}"}
    legal = http.get(f"{game['links']['self']}/actions", headers=token)
    if legal.status_code != 200:
        return legal
    return http.post(f"{game['links']['self']}/actions", json=legal.json()["actions"][0], headers=token)
