"""kill -9 of everything, again and again: no acknowledged action is lost, and a retry is applied once."""

import os
import signal
import socket
from pathlib import Path
from random import Random

from tests.servers import wait_until
from tests.system.stele import Player, sit_down, stele_up


def test_no_acknowledged_action_is_lost_when_everything_is_killed_three_times() -> None:
    with stele_up() as server:
        players = sit_down(server, "babel")
        dice = Random(3)
        acknowledged: list[tuple[int, str]] = []
        for round_number in range(3):
            for number in range(12):
                seat = players[0].look()["to_act"][0]
                action = dice.choice(players[seat].legal())
                done = players[seat].act(action, key=f"{round_number}-{number}")
                assert done.status_code == 201, done.text
                acknowledged.append((done.json()["version"], done.json()["hash"]))
            server.kill_everything()
            server.start()
            again = players[seat].act(action, key=f"{round_number}-{number}")
            assert again.status_code == 201, again.text
            assert again.headers["Idempotent-Replayed"] == "true"
            assert again.json() == done.json()
            assert heads(players[0]) == acknowledged


def heads(player: Player) -> list[tuple[int, str]]:
    """Every action in the log: its version and hash."""
    items = player.get("/events", limit=1000)["items"]
    return [(event["seq"], event["hash"]) for event in items if event["type"] == "action_taken"]


def test_whoever_is_killed_with_the_supervisor_no_process_is_left_that_holds_the_port() -> None:
    """The guard dies with it, so that nobody ends what it leaves behind: each must end by itself."""
    with stele_up() as server:
        assert server.process
        guards = [pid for pid in children_of(server.process.pid) if b"reaper.py" in command_of(pid)]
        for pid in (*guards, server.process.pid):
            os.kill(pid, signal.SIGKILL)
        server.process.wait()
        assert len(guards) == 1
        wait_until(lambda: can_listen(server.port), "the port to be free")


def children_of(parent: int) -> list[int]:
    return [int(pid) for pid in Path(f"/proc/{parent}/task/{parent}/children").read_text().split()]


def command_of(pid: int) -> bytes:
    return Path(f"/proc/{pid}/cmdline").read_bytes()


def can_listen(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
