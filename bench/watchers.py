"""What watchers cost players: `python -m bench.watchers` tells it round by round, `make bench` in one line.

Players of Babel act at a steady pace, in turn with nobody watching and with a crowd of watchers (bench.crowd), by the
same moves on the same server in the same run. Told: how long an action takes in both cases, as a ratio; whether every
watcher got every event once, also after all connections were cut in the middle of play; and how soon events arrive.
"""

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from bench.http import Client, script, wait_for
from bench.measure import Line, at_most
from tests.servers import free_ports, running_valkey

Tell = Callable[[str], None]


@dataclass(frozen=True)
class Scale:
    """How many watch, how many play, and for how long."""

    watchers: int = 1000
    players: int = 32
    every: float = 0.5
    """Seconds between two actions of a player."""
    seconds: float = 8.0
    rounds: int = 5


@dataclass(frozen=True)
class Table:
    """A game of two, with the moves that will be made in it."""

    game: str
    tokens: list[str]
    moves: list[tuple[int, Any]]


class Crowd:
    """The process of watchers, as seen from here."""

    def __init__(self, port: int, watchers: int, games: Sequence[str]) -> None:
        command = [sys.executable, "-m", "bench.crowd", str(port), str(watchers), *games]
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


class Hall:
    """A server, and the tables at which the players of one round sit down."""

    def __init__(self, port: int, scale: Scale) -> None:
        self.port = port
        self.scale = scale
        self._client = Client(port)
        self._scripts = [
            (bytes([number]) * 32, script(bytes([number]) * 32)) for number in range(scale.players // 2)
        ]

    def tables(self) -> list[Table]:
        """New games, the same in every round."""
        return [self._table(seed, moves) for seed, moves in self._scripts]

    def _table(self, seed: bytes, moves: list[tuple[int, Any]]) -> Table:
        new = {"ruleset": "babel", "players": [{"name": "Ann"}, {"name": "Bob"}], "seed": seed.hex()}
        game = self._client.call("POST", "/v1/games", new)
        return Table(game["id"], [seat["token"] for seat in game["seats"]], moves)

    def versions(self, tables: Sequence[Table]) -> dict[str, int]:
        return {each.game: self._client.call("GET", f"/v1/games/{each.game}")["version"] for each in tables}

    async def play(self, tables: Sequence[Table]) -> list[float]:
        """Everyone plays; how long each action took."""
        pause = self.scale.every / 2
        stagger = pause / len(tables)
        games = [self._play(table, pause, number * stagger) for number, table in enumerate(tables)]
        return [each for took in await asyncio.gather(*games) for each in took]

    async def _play(self, table: Table, pause: float, first: float) -> list[float]:
        seats = [await asyncio.open_connection("127.0.0.1", self.port) for _ in table.tokens]
        took = []
        begun = time.monotonic()
        due = begun + first
        for seat, action in table.moves[: int(self.scale.seconds / pause)]:
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            due += pause
            took.append(await act(*seats[seat], request(table, seat, action)))
        for _, writer in seats:
            writer.close()
        return took


def request(table: Table, seat: int, action: Any) -> bytes:
    body = json.dumps(action)
    head = (
        f"POST /v1/games/{table.game}/actions HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\n"
    )
    token = f"Authorization: Bearer {table.tokens[seat]}\r\n"
    return f"{head}{token}Content-Length: {len(body)}\r\n\r\n{body}".encode()


async def act(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: bytes) -> float:
    """How many seconds one action takes, from the request to the end of the answer."""
    begun = time.perf_counter()
    writer.write(request)
    head = await reader.readuntil(b"\r\n\r\n")
    body = await reader.readexactly(int(head.lower().partition(b"content-length: ")[2].split(b"\r")[0]))
    if not head.startswith(b"HTTP/1.1 201"):
        raise RuntimeError(f"{head!r} {body!r}")
    return time.perf_counter() - begun


def play_watched(hall: Hall, tell: Tell, *, cut: bool) -> tuple[list[float], Any]:
    """A round before a crowd, whose connections may be cut in the middle; what the players and what the crowd saw."""

    async def both() -> list[float]:
        playing = asyncio.create_task(hall.play(tables))
        if cut:
            await asyncio.sleep(hall.scale.seconds / 2)
            back = await asyncio.to_thread(crowd.do, "cut")
            tell(f"           all connections cut, and open again after {back['seconds']:.1f} s")
        return await playing

    tables = hall.tables()
    crowd = Crowd(hall.port, hall.scale.watchers, [table.game for table in tables])
    crowd.do("join", hall.versions(tables))
    time.sleep(1)  # what is measured is watching, not coming in
    took = asyncio.run(both())
    seen = crowd.leave(hall.versions(tables))
    told = ", ".join(f"{seen[name]} {name}" for name in ("events", "gaps", "duplicates", "incomplete"))
    ages = f"seen after p50 {percentile(seen['ages'], 50):.0f} ms, p99 {percentile(seen['ages'], 99):.0f} ms"
    tell(f"watched    {summary(took)}; {told}; {ages}")
    if seen["gaps"] or seen["duplicates"] or seen["incomplete"]:
        raise RuntimeError("a watcher did not get every event once")
    return took, seen


def percentile(values: Sequence[float], percent: int) -> float:
    """In milliseconds."""
    return sorted(values)[len(values) * percent // 100] * 1000


def summary(took: Sequence[float]) -> str:
    return f"{len(took):5} actions: p50 {percentile(took, 50):6.2f} ms, p99 {percentile(took, 99):6.2f} ms"


def measure(port: int, scale: Scale, tell: Tell) -> list[Line]:
    """Rounds without and with watchers in turn, then one with a cut."""
    hall = Hall(port, scale)
    asyncio.run(hall.play(hall.tables()))  # to warm up
    alone, watched = [], []
    for _ in range(scale.rounds):
        alone.append(asyncio.run(hall.play(hall.tables())))
        tell(f"unwatched  {summary(alone[-1])}")
        watched.append(play_watched(hall, tell, cut=False)[0])
    play_watched(hall, tell, cut=True)
    lines = []
    for percent, aim in ((50, 1.5), (99, 1.5)):
        with_crowd, without = (
            1000 * statistics.median(percentile(took, percent) for took in rounds)
            for rounds in (watched, alone)
        )
        name = f"an action's p{percent} with {scale.watchers:,} watchers ÷ with none"
        lines.append(at_most(name, with_crowd, without, "µs", aim))
    return lines


@contextmanager
def serving() -> Iterator[int]:
    """The API as it is served, on a store that has on disk what it acknowledges, as the embedded one."""
    (port,) = free_ports(1)
    with running_valkey(appendonly="always") as store:
        places = {"STELE_STORE_URL": store.url, "STELE_DATA_DIR": str(store.directory)}
        environ = os.environ | places | {"STELE_PORT": str(port)}
        server = subprocess.Popen([sys.executable, "-m", "services.api"], env=environ)
        try:
            wait_for(port)
            yield port
        finally:
            server.terminate()
            server.wait()


def run() -> list[Line]:
    with serving() as port:
        return measure(port, Scale(), lambda _: None)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name, default in vars(Scale()).items():
        parser.add_argument(f"--{name}", type=type(default), default=default)
    scale = Scale(**vars(parser.parse_args()))
    with serving() as port:
        for line in measure(port, scale, lambda text: print(text, flush=True)):
            print(f"{line.name}: {line.ours} ÷ {line.against} = {line.ratio:.2f} ({line.aim})")


if __name__ == "__main__":
    main()
