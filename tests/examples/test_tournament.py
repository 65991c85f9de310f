"""The examples for hosts: a tournament of twelve games, told to a receiver of webhooks while workers are killed."""

import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from stele_client import Stele
from tests.clients.roles import HOST, ROLES
from tests.servers import free_ports, wait_until
from tests.system.stele import stele_up

EXAMPLES = Path(__file__).parents[2] / "examples"
TOLD = {"game_created", "seat_taken", "game_started", "game_ended", "game_settled"}
"""Types that are told for each entry; `turn` is told of the latest version alone."""


@contextmanager
def running(example: str, *arguments: str, output: Path) -> Iterator[subprocess.Popen[bytes]]:
    environ = {**os.environ, "COLUMNS": "120"}
    with output.open("wb") as file:
        command = [sys.executable, str(EXAMPLES / example), *arguments]
        process = subprocess.Popen(command, stdout=file, stderr=subprocess.STDOUT, env=environ)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def test_twelve_games_are_played_and_told_while_workers_are_killed(tmp_path: Path) -> None:
    (port,) = free_ports(1)
    heard, shown = tmp_path / "heard", tmp_path / "shown"
    with (
        stele_up(**ROLES, STELE_WORKERS="2") as server,
        Stele(server.url, HOST) as host,
        running("webhook_receiver.py", server.url, HOST, f"--port={port}", "--tag=cup", output=heard),
    ):
        wait_until(lambda: bool(host.webhooks()), "the receiver to register")
        with running(
            "tournament.py", server.url, HOST, "--tag=cup", "--ruleset=temple_of_five", output=shown
        ) as tournament:
            for _ in range(3):
                time.sleep(2)
                assert server.kill("services.worker.process") == 2
            assert tournament.wait(180) == 0, shown.read_text()

        games = [row.id for row in host.games(tag="cup")]
        assert len(games) == 12
        owed = {
            f"{game}.{event.seq}.{event.type}"
            for game in games
            for event in host.game(game).events()
            if event.type in TOLD
        }
        assert len(owed) >= 12 * 5

        def events() -> list[dict[str, object]]:
            return [json.loads(line) for line in heard.read_text().splitlines()]

        wait_until(lambda: owed <= {str(event["id"]) for event in events()}, "every event to be told", 120)
        assert max(Counter(str(event["id"]) for event in events()).values()) == 1
        standings = list(host.standings(tag="cup"))
        assert sorted((one.ref, one.played) for one in standings) == [
            (ref, 6) for ref in ("bess", "dora", "greta", "randi")
        ]
    assert "12/12" in shown.read_text()
    assert "Greta" in shown.read_text()
