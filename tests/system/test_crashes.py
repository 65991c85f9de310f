"""kill -9 of everything, again and again: no acknowledged action is lost, and a retry is applied once."""

from random import Random

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
