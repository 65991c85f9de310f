"""What watchers cost players: `python -m bench.watchers`.

Players act at a steady pace, in turn with nobody watching and with a crowd of watchers (bench.crowd), on the same
server in the same run. Told: how long an action takes in both cases, as a ratio; whether every watcher got every
event once, also after all connections were cut in the middle of play; and how soon events arrive.
"""

import argparse
import asyncio
import json
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import Any

from tests.servers import ValkeyServer, short_directory
from tests.services.live_server import LiveServer, serving

ENDLESS = str(10**9)


class Crowd:
    """The process of watchers, as seen from here."""

    def __init__(self, server: LiveServer, watchers: int, games: Sequence[str]) -> None:
        command = [sys.executable, "-m", "bench.crowd", str(server.port), str(watchers), *games]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def do(self, order: str, versions: dict[str, int] | None = None) -> Any:
        assert self._process.stdin
        assert self._process.stdout
        print(order, json.dumps(versions), file=self._process.stdin, flush=True)
        return json.loads(self._process.stdout.readline())

    def leave(self, versions: dict[str, int]) -> Any:
        told = self.do("leave", versions)
        self._process.communicate()
        return told


async def play(server: LiveServer, game: str, every: float, until: float) -> list[float]:
    """One player, who acts every so many seconds; how long each action took."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    request = f"POST /games/{game}/moves HTTP/1.1\r\nHost: bench\r\nContent-Length: 0\r\n\r\n".encode()
    took = []
    due = time.monotonic() + random.random() * every
    while due < until:
        await asyncio.sleep(max(0.0, due - time.monotonic()))
        begun = time.perf_counter()
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 201"), head
        await reader.readexactly(int(head.lower().partition(b"content-length: ")[2].split(b"\r")[0]))
        took.append(time.perf_counter() - begun)
        due += every
    writer.close()
    return took


async def play_all(server: LiveServer, games: Sequence[str], options: argparse.Namespace) -> list[float]:
    until = time.monotonic() + options.seconds
    players = [play(server, games[n % len(games)], options.every, until) for n in range(options.players)]
    return [each for took in await asyncio.gather(*players) for each in took]


def play_watched(
    server: LiveServer, games: Sequence[str], options: argparse.Namespace, *, cut: bool
) -> tuple[list[float], Any]:
    """A round before a crowd, whose connections may be cut in the middle; what the players and what the crowd saw."""

    async def both() -> list[float]:
        playing = asyncio.create_task(play_all(server, games, options))
        if cut:
            await asyncio.sleep(options.seconds / 2)
            back = await asyncio.to_thread(crowd.do, "cut")
            print(f"           all connections cut: everyone back after {back['seconds']:.1f} s")
        return await playing

    crowd = Crowd(server, options.watchers, games)
    crowd.do("join", versions(server, games))
    took = asyncio.run(both())
    return took, crowd.leave(versions(server, games))


def versions(server: LiveServer, games: Sequence[str]) -> dict[str, int]:
    return {game: server.get(f"/games/{game}")["version"] for game in games}


def percentile(values: Sequence[float], percent: int) -> float:
    return sorted(values)[len(values) * percent // 100] * 1000


def tell(label: str, took: Sequence[float], more: str = "") -> None:
    p50, p99 = percentile(took, 50), percentile(took, 99)
    print(f"{label:10} {len(took):5} actions: p50 {p50:6.2f} ms, p99 {p99:6.2f} ms{more}", flush=True)


def tell_watched(took: Sequence[float], seen: Any) -> None:
    ages = seen["ages"]
    wrong = ", ".join(f"{seen[name]} {name}" for name in ("gaps", "duplicates", "incomplete"))
    arrived = f"seen after p50 {percentile(ages, 50):.0f} ms, p99 {percentile(ages, 99):.0f} ms"
    tell("watched", took, f"; {seen['events']} events, {wrong}; {arrived}")


def measure(server: LiveServer, options: argparse.Namespace) -> bool:
    """Rounds without and with watchers in turn, then one with a cut; whether the promise holds."""
    games = [server.request("POST", "/games").json["game"] for _ in range(options.games)]
    asyncio.run(play_all(server, games, options))  # to warm up
    alone, watched, faults = [], [], 0
    for _ in range(options.rounds):
        alone.append(asyncio.run(play_all(server, games, options)))
        tell("unwatched", alone[-1])
        took, seen = play_watched(server, games, options, cut=False)
        tell_watched(took, seen)
        watched.append(took)
        faults += seen["gaps"] + seen["duplicates"] + seen["incomplete"]
    took, seen = play_watched(server, games, options, cut=True)
    tell_watched(took, seen)
    faults += seen["gaps"] + seen["duplicates"] + seen["incomplete"]
    ratios = {}
    for percent in (50, 99):
        before, after = (
            statistics.median(percentile(took, percent) for took in each) for each in (alone, watched)
        )
        ratios[percent] = after / before
    print(f"\n{options.watchers} watchers, {options.players} players: an action takes", end=" ")
    print(
        f"p50 ×{ratios[50]:.2f}, p99 ×{ratios[99]:.2f} (aim ≤ 1.50); {faults} events lost or doubled (aim 0)"
    )
    return ratios[99] <= 1.5 and not faults


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--watchers", type=int, default=1000)
    parser.add_argument("--players", type=int, default=32)
    parser.add_argument("--games", type=int, default=8)
    parser.add_argument("--every", type=float, default=0.5, help="seconds between two actions of a player")
    parser.add_argument("--seconds", type=float, default=8, help="length of a round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--server", default="", help="more options of granian, in one word")
    parser.add_argument("--threads", default="8")
    options = parser.parse_args()
    with short_directory() as directory:
        store = ValkeyServer(directory, appendonly="always")
        store.start()
        server = LiveServer(
            store.url,
            options=tuple(options.server.split()),
            STAND_IN_ROUNDS=ENDLESS,
            STAND_IN_THREADS=options.threads,
        )
        with serving(server):
            kept = measure(server, options)
        store.stop()
    sys.exit(not kept)


if __name__ == "__main__":
    main()
