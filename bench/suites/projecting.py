"""Two hundred games at once: whether projections keep up while everyone acts as fast as they can, and how late they are."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any, NamedTuple

import msgspec
from redis import Redis

from bench.figures import Figure
from bench.loading import loader
from bench.runs import Run
from bench.scripts import scripts
from bench.servers import stele
from events.keys import game_key, keys_of, partition_key, partitions

ALLOWED = 1.5
"""Seconds that projections may be late."""
GLANCE = 0.25


class Behind(NamedTuple):
    """How far projections are behind the logs: entries, and the age of the oldest of them in seconds."""

    entries: int
    age: float


def behind(client: Redis) -> Behind:
    """Look at every game of which an entry is not projected, in three round trips."""
    with client.pipeline(transaction=False) as pipe:
        for partition in partitions():
            pipe.smembers(partition_key(partition, "dirty"))
        games = [game.decode() for members in pipe.execute() for game in members]
        for game in games:
            pipe.hget(game_key(game, "snapshot"), "version")
            pipe.xlen(keys_of(game).stream)
        versions = [int(number or 0) for number in pipe.execute()]
        missing = {game: (versions[2 * n], versions[2 * n + 1]) for n, game in enumerate(games)}
        for game, (projected, _) in missing.items():
            pipe.xrange(keys_of(game).stream, f"{projected + 1}-0", "+", count=1)
        ages = [age(rows) for rows in pipe.execute()]
    return Behind(sum(length - projected for projected, length in missing.values()), max(ages, default=0.0))


def age(rows: Any) -> float:
    """How long ago the first of these entries was appended."""
    if not rows:
        return 0.0
    at = msgspec.json.decode(rows[0][1][b"e"])["at"]
    return time.time() - datetime.fromisoformat(at).timestamp()


@contextmanager
def longest_lag(client: Redis) -> Iterator[list[float]]:
    """Looks again and again while something else is done."""
    over = threading.Event()
    longest = [0.0]

    def look() -> None:
        while not over.wait(GLANCE):
            longest[0] = max(longest[0], behind(client).age)

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield longest
    finally:
        over.set()
        thread.join()


def run(run: Run) -> list[Figure]:
    scale = run.scale
    projected: list[float] = []
    appended: list[float] = []
    lags: list[float] = []
    with stele() as server, scripts(4) as file, Redis(unix_socket_path=str(server.socket)) as client:
        job = {"seconds": 2 * scale.seconds, "scripts": str(file), "per_game": 1000, "token": server.token}
        for _ in run.rounds():
            with loader(
                server, "stele", "acting", players=scale.crowd, games=2 * scale.crowd, **job
            ) as players:
                server.settle()
                with longest_lag(client) as longest:
                    players.begin()
                    appended.append(players.result().actions)
                    time.sleep(ALLOWED)
                projected.append(appended[-1] - behind(client).entries)
                lags.append(longest[0])
            server.settle()
    name = f"entries projected in {ALLOWED} s ÷ appended, {scale.crowd} games"
    return [
        Figure(name, projected, "", appended, 1.0),
        Figure(f"longest lag of projections, {scale.crowd} games", lags, "s", aim=ALLOWED, direction="≤"),
    ]
