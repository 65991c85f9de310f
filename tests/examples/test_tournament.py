"""The examples for hosts: a Swiss tournament, told to a receiver of webhooks while the API and workers are killed."""

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

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


@pytest.mark.parametrize(
    ("players", "rounds"), [(6, 2), pytest.param(40, 5, marks=pytest.mark.long)], ids=["small", "whole"]
)
def test_a_swiss_tournament_is_played_and_told_while_the_api_and_workers_are_killed(
    tmp_path: Path, players: int, rounds: int
) -> None:
    (port,) = free_ports(1)
    heard, shown = tmp_path / "heard", tmp_path / "shown"
    number = rounds * players // 2
    with (
        stele_up(**ROLES, STELE_WORKERS="2") as server,
        Stele(server.url, HOST) as host,
        running("webhook_receiver.py", server.url, HOST, f"--port={port}", "--tag=cup", output=heard),
    ):
        wait_until(lambda: bool(host.webhooks()), "the receiver to register")
        size = [f"--players={players}", f"--rounds={rounds}"]
        with running(
            "tournament.py", server.url, HOST, "--tag=cup", "--ruleset=temple_of_five", *size, output=shown
        ) as tournament:
            for killed in range(rounds):

                def is_far_enough(games: int = killed * players // 2 + 1) -> bool:
                    return tournament.poll() is not None or len(list(host.games(tag="cup"))) >= games

                wait_until(is_far_enough, "a round to begin", 600)
                assert server.kill("services.api")
                assert server.kill("services.worker.process") == 2
            assert tournament.wait(900) == 0, shown.read_text()

        games = [row.id for row in host.games(tag="cup")]
        assert len(games) == number
        told = [event for game in games for event in host.game(game).events()]
        owed = {f"{event.game}.{event.seq}.{event.type}" for event in told if event.type in TOLD}
        assert len(owed) >= number * 5
        assert sum(event.type == "seat_handed_over" for event in told) == rounds
        assert sum(event.type == "time_added" for event in told) == 2 * rounds

        def events() -> list[dict[str, object]]:
            return [json.loads(line) for line in heard.read_text().splitlines()]

        wait_until(lambda: owed <= {str(event["id"]) for event in events()}, "every event to be told", 120)
        assert max(Counter(str(event["id"]) for event in events()).values()) == 1
        standings = list(host.standings(tag="cup"))
        assert sum(one.played for one in standings) == 2 * number
        assert sum(one.ref.endswith("-sub") for one in standings) >= 1
        assert sum(one.won_alone + one.shared for one in standings) >= number
    assert f"{number}/{number}" in shown.read_text()
