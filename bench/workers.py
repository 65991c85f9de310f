"""Two hundred games at once: how far projections fall behind while the API appends as fast as it can."""

import threading
import time
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

from bench.http import PLAYERS, Client, at_once, script, serving
from bench.measure import Line, Rate, at_least, at_most
from games import RULESETS
from projections.lag import projection_lag
from projections.store import ProjectionStore
from services.core.connections import connect
from tests.servers import running_valkey, wait_until
from tests.worker.house import processes

GAMES = 200
MOVES = 30
"""Moves that are played of each game."""


class Table(NamedTuple):
    """A game that is played over HTTP, and what is still to be played of it."""

    path: str
    tokens: list[str]
    moves: list[tuple[int, Any]]


def sit_down(client: Client, number: int) -> Table:
    seed = number.to_bytes(32, "big")
    players = [{"name": "Ann"}, {"name": "Bob"}]
    game = client.call("POST", "/v1/games", {"ruleset": "babel", "players": players, "seed": seed.hex()})
    tokens = [seat["token"] for seat in game["seats"]]
    return Table(game["links"]["actions"], tokens, script(seed)[:MOVES])


def play(client: Client, tables: Sequence[Table]) -> int:
    """One move at each table, then the next at each."""
    played = 0
    for number in range(MOVES):
        for path, tokens, moves in tables:
            if number < len(moves):
                seat, action = moves[number]
                client.call("POST", path, action, tokens[seat])
                played += 1
    return played


class Lag:
    """How far behind projections are, looked at again and again while something else is done."""

    def __init__(self, projections: ProjectionStore) -> None:
        self.longest = 0.0
        self._projections = projections
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look)

    def __enter__(self) -> "Lag":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._over.wait(0.1):
            self.longest = max(self.longest, projection_lag(self._projections, time.time()))


def measure(port: int, projections: ProjectionStore) -> list[Line]:
    clients = [Client(port) for _ in range(PLAYERS)]
    tables = [sit_down(clients[0], number) for number in range(GAMES)]
    wait_until(lambda: not any(projections.dirty()), "the workers to be ready")
    began = time.perf_counter()
    with Lag(projections) as lag:
        shares = [tables[number::PLAYERS] for number in range(PLAYERS)]
        appended = at_once([partial(play, *share) for share in zip(clients, shares, strict=True)])
        playing = time.perf_counter() - began
        wait_until(lambda: not any(projections.dirty()), "the workers to be done")
    projecting = time.perf_counter() - began
    return [
        at_least(
            f"entries projected ÷ appended by the API, {GAMES} games",
            Rate([appended / projecting]),
            Rate([appended / playing]),
            "/s",
            0.9,
        ),
        at_most(f"longest lag of projections, {GAMES} games ÷ a second", 1000 * lag.longest, 1000, "ms", 1.0),
    ]


def run() -> list[Line]:
    """The API, a dispatcher and two workers, each in a process of its own, on one store that keeps nothing on disk."""
    with (
        running_valkey() as server,
        serving("services.api.serve:front", server.url) as port,
        processes(server.url, "dispatcher", "worker", "worker"),
    ):
        return measure(port, ProjectionStore(connect(server.url), RULESETS))
