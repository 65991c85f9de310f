"""`make soak`: fifty bot games, created over HTTP, while API, dispatcher and workers are killed at random.

Every call is repeated with its key until it is answered, as a careful client does: so no game is created twice.
"""

import sys
import time
from typing import Any

import httpx
from redis import Redis

from tests.servers import ValkeyServer, free_ports, short_directory
from tests.worker.house import House, processes
from tests.worker.killing import Aftermath, bots_of, survive_kills

GAMES, SECONDS, PATIENCE = 50, 60.0, 600.0
PROGRAMS = ("api", "dispatcher", "worker", "worker")


def soak(games: int, seconds: float) -> Aftermath:
    """Play so many games under kills for so long."""
    with short_directory() as directory:
        server = ValkeyServer(directory, appendonly="always")
        server.start()
        (port,) = free_ports(1)
        settings = {"STELE_PORT": str(port), "STELE_DATA_DIR": str(directory / "data")}
        try:
            with Redis.from_url(server.url) as client, processes(server.url, **settings) as group:
                house = House(client, client)

                def create(number: int) -> str:
                    ruleset, bots = bots_of(number, house)
                    body = {"ruleset": ruleset, "players": [{"bot": bot} for bot in bots]}
                    return str(insist(f"http://127.0.0.1:{port}/v1/games", body, number)["id"])

                aftermath = survive_kills(
                    house, group, PROGRAMS, create, games=games, seconds=seconds, patience=PATIENCE
                )
                assert len(list(client.scan_iter("stele:*:log"))) == games, "no game was created twice"
        finally:
            server.stop()
    return aftermath


def insist(url: str, body: Any, number: int) -> Any:
    """Post until there is an answer."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        try:
            answer = httpx.post(url, json=body, headers={"Idempotency-Key": f"soak-game-number-{number:08d}"})
        except httpx.TransportError:
            time.sleep(0.1)
            continue
        return answer.raise_for_status().json()
    raise TimeoutError(f"no answer to the creation of game {number}")


if __name__ == "__main__":
    number = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES
    after = soak(number, float(sys.argv[2]) if len(sys.argv) > 2 else SECONDS)
    print(f"{number} games ended, each settled once with a clean audit, every projection as its log says.")
    print(
        f"All was done {after.seconds:.1f} s after the last kill; no game stood still longer than"
        f" {after.longest_standstill:.1f} s."
    )
