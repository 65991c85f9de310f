"""Through HTTP: actions a second beside the floor, and whether a long log makes reading slower."""

import http.client
import json
import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from typing import Any

import msgspec

from bench.measure import Line, at_least, at_most, medians
from events import acts
from events.game import unfold
from events.scribe import Page, Scribe
from events.store import Appended, EventStore, Head
from games import RULESETS
from games.chance import Chance
from services.core.connections import connect
from tests.servers import free_ports, running_valkey, short_directory

PLAYERS = 8
READS = 300


class Client:
    """One keep-alive connection that speaks JSON."""

    def __init__(self, port: int) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port)

    def call(self, method: str, path: str, body: Any = None, token: str | None = None) -> Any:
        headers = {"Content-Type": "application/json"} | (
            {"Authorization": f"Bearer {token}"} if token else {}
        )
        self.connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = self.connection.getresponse()
        content = answer.read()
        if answer.status >= 300:
            raise RuntimeError(f"{method} {path}: {answer.status} {content[:200]!r}")
        return json.loads(content)


@contextmanager
def serving(target: str, url: str) -> Iterator[int]:
    """A server process of our own on a free port."""
    (port,) = free_ports(1)
    script = (
        "from granian import Granian; from granian.constants import Interfaces; from granian.log import LogLevels;"
        f"Granian({target!r}, factory=True, interface=Interfaces.RSGI, port={port}, websockets=False,"
        " log_level=LogLevels.warning).serve()"
    )
    with short_directory() as data_dir:
        environ = os.environ | {"STELE_STORE_URL": url, "STELE_DATA_DIR": str(data_dir)}
        process = subprocess.Popen([sys.executable, "-c", script], env=environ)
        try:
            wait_for(port)
            yield port
        finally:
            process.terminate()
            process.wait()


def wait_for(port: int) -> None:
    for _ in range(200):
        try:
            with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=1)) as connection:
                connection.request("GET", "/healthz")
                connection.getresponse()
                return
        except OSError:
            time.sleep(0.1)
    raise TimeoutError(f"nothing listens on port {port}")


def at_once(works: list[Callable[[], int]]) -> int:
    """Several clients at once, each in a thread."""
    done: list[int] = []
    threads = [threading.Thread(target=lambda work=work: done.append(work())) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if len(done) != len(works):
        raise RuntimeError("a client failed")
    return sum(done)


def script(seed: bytes) -> list[tuple[int, Any]]:
    """A whole random game of Babel, decided beforehand: who does what. The same seed gives the same game."""
    babel, dice = RULESETS.latest("babel"), random.Random(seed)
    state, moves = babel.fold(None, babel.new_game({}, 2, Chance(seed))), []
    while state.to_act:
        seat = state.to_act[0]
        action = dice.choice(babel.legal_actions(state, seat))
        moves.append((seat, msgspec.to_builtins(action)))
        state = babel.fold(state, babel.decide(state, seat, action, Chance(seed)))
    return moves


def play(port: int, seed: bytes, moves: list[tuple[int, Any]]) -> int:
    """Play a game to its end, one request an action."""
    client = Client(port)
    players = [{"name": "Ann"}, {"name": "Bob"}]
    game = client.call("POST", "/v1/games", {"ruleset": "babel", "players": players, "seed": seed.hex()})
    tokens = [seat["token"] for seat in game["seats"]]
    for seat, action in moves:
        client.call("POST", game["links"]["actions"], action, tokens[seat])
    return len(moves)


def append(port: int, times: int) -> int:
    """As many requests to the floor."""
    client = Client(port)
    for _ in range(times):
        client.call("POST", "/append", {"type": "deploy", "nation": "medes"})
    return times


def compare_actions(ours: int, floor: int) -> Line:
    seeds = [bytes([number]) * 32 for number in range(PLAYERS)]
    scripts = [script(seed) for seed in seeds]
    found = medians(
        {
            "ours": lambda: at_once(
                [partial(play, ours, *game) for game in zip(seeds, scripts, strict=True)]
            ),
            "floor": lambda: at_once([partial(append, floor, len(moves)) for moves in scripts]),
        },
        rounds=5,
    )
    return at_least("actions through HTTP ÷ a bare Flask append", found["ours"], found["floor"], "/s", 0.6)


def compare_reads(port: int, url: str) -> Line:
    """A state read late in a long log beside one early in it."""
    client = Client(port)
    paths = {length: long_game(client, url, length) for length in (100, 5000)}

    def read(length: int) -> int:
        for _ in range(READS):
            client.call("GET", paths[length])
        return READS

    found = medians({str(length): partial(read, length) for length in paths})
    cost = {length: 1e6 / rate for length, rate in found.items()}
    return at_most("a state read at 5,000 entries ÷ at 100", cost["5000"], cost["100"], "µs", 1.2)


def long_game(client: Client, url: str, length: int) -> str:
    """A game whose log is so long: tokens renewed again and again leave the state as it is."""
    game = client.call(
        "POST", "/v1/games", {"ruleset": "babel", "players": [{"name": "Ann"}, {"name": "Bob"}]}
    )
    store = EventStore(connect(url))
    *_, (_, known) = unfold(store.walk(game["id"]), RULESETS)
    page = Page(Scribe(), known, known.id)
    while page.game.version < length:
        acts.renew_token(page, {"operator": True}, 0)
    assert store.append(Head(known.version, known.hash), page.carve()) == Appended()
    return str(game["links"]["self"])


def run() -> list[Line]:
    """The API and the floor, each in a process of its own, on one store that keeps nothing on disk."""
    with (
        running_valkey() as server,
        serving("services.api.serve:front", server.url) as ours,
        serving("bench.floor:front", server.url) as floor,
    ):
        return [compare_actions(ours, floor), compare_reads(ours, server.url)]
