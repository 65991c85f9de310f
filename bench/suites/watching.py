"""What a thousand watchers cost players, who act at a steady pace: the same moves in turn with and without them.

Every watcher must get every event once, in the last round also after all connections were cut in the middle of play.
"""

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from bench.figures import Figure
from bench.loading import load, loader
from bench.node import CannotMeasure
from bench.runs import Run
from bench.scripts import scripts
from bench.servers import Stele, end, stele

EVERY_MS = 250
"""Between two actions in a game."""
WATCHED_GAMES = 16


class Crowd:
    """The process of watchers (bench.crowd), as seen from here."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def do(self, order: str, versions: dict[str, int] | None = None) -> Any:
        assert self._process.stdin
        assert self._process.stdout
        print(order, json.dumps(versions), file=self._process.stdin, flush=True)
        line = self._process.stdout.readline()
        if not line:
            raise CannotMeasure("the crowd of watchers failed")
        return json.loads(line)


@contextmanager
def crowd(server: Stele, watchers: int, games: list[str]) -> Iterator[Crowd]:
    command = [sys.executable, "-m", "bench.crowd", str(server.port), str(watchers), *games]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        yield Crowd(process)
    finally:
        end(process)
        for pipe in (process.stdin, process.stdout):
            assert pipe
            pipe.close()


def run(run: Run) -> list[Figure]:
    scale = run.scale
    alone: list[float] = []
    watched: list[float] = []
    seen: list[float] = []
    with stele() as server, scripts(WATCHED_GAMES) as file:
        games = min(WATCHED_GAMES, scale.players)
        job = {
            "seconds": scale.watched_seconds,
            "warm": scale.warm,
            "every": EVERY_MS,
            "players": games,
            "games": games,
            "per_game": 1000,
            "scripts": str(file),
            "token": server.token,
        }
        for number in run.rounds():
            run.say(f"round {number} of {scale.rounds}: nobody watches")
            alone.append(load(server, "stele", "acting", settle=server.settle, **job).p99)
            run.say(f"round {number} of {scale.rounds}: {scale.watchers:,} watch")
            p99, ages = play_before_a_crowd(server, job, scale.watchers)
            watched.append(p99)
            seen.append(1000 * sorted(ages)[len(ages) * 99 // 100])
        run.say("all connections are cut")
        play_before_a_crowd(server, job, scale.watchers, cut=True)
    name = f"p99 of an action with {scale.watchers:,} watchers ÷ with none"
    return [
        Figure(name, watched, "ms", alone, 1.5, "≤", most_rounds=True),
        Figure(f"p99 of how late {scale.watchers:,} watchers see an event", seen, "ms", direction="≤"),
    ]


def play_before_a_crowd(
    server: Stele, job: dict[str, Any], watchers: int, *, cut: bool = False
) -> tuple[float, list[float]]:
    """A round before a crowd: the players' p99, and how old events were when they were seen."""
    with loader(server, "stele", "acting", **job) as players:
        games: list[str] = players.about["games"]
        with crowd(server, watchers, games) as people:
            people.do("join", versions(server, games))
            server.settle()
            players.begin()
            if cut:
                middle = threading.Timer(job["seconds"] / 2, people.do, ["cut"])
                middle.start()
            p99 = players.result().p99
            if cut:
                middle.join()
            seen = people.do("leave", versions(server, games))
    if seen["gaps"] or seen["duplicates"] or seen["incomplete"]:
        raise CannotMeasure(f"a watcher did not get every event once: {seen | {'ages': len(seen['ages'])}}")
    return p99, seen["ages"]


def versions(server: Stele, games: list[str]) -> dict[str, int]:
    return {game: server.call("GET", f"/v1/games/{game}")["version"] for game in games}
