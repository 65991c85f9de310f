"""Every game over HTTP, by clients for every number of players, one of them giving up on the way; and by bots alone."""

import time
from random import Random
from typing import Any

import pytest

from tests.seeding import rotated
from tests.servers import PATIENCE
from tests.system.stele import Player, Stele, sit_down

SHORT = {"sa_re": {"max_rounds": 2}}
"""Options that keep random games short."""

TABLES = [
    ("babel", 2),
    ("aton", 2),
    *(("temple_of_five", seats) for seats in (2, 3, 4)),
    *(("sa_re", seats) for seats in (2, 3, 4)),
]


@pytest.mark.parametrize("table", rotated(TABLES, most=(len(TABLES) + 1) // 2))
def test_clients_play_it_to_the_end_and_the_log_is_settled_and_clean(
    stele: Stele, table: tuple[str, int]
) -> None:
    ruleset, seats = table
    players = sit_down(stele, ruleset, seats, options=SHORT.get(ruleset, {}))
    leaver = seats - 1 if seats > 2 else None
    play(players, Random(f"{ruleset}{seats}"), leaver)
    settled = wait_until_settled(players[0])
    assert settled["outcome"]["winners"]
    assert leaver not in settled["outcome"]["winners"]
    assert players[0].get("/audit")["verdict"] == "pass"


@pytest.mark.parametrize("ruleset", rotated(["babel", "aton", "temple_of_five", "sa_re"], most=2))
def test_bots_alone_play_it_out(stele: Stele, ruleset: str) -> None:
    body = {"ruleset": ruleset, "players": [{"bot": "greedy"}, {"bot": "random"}]}
    game = stele.http.post(f"{stele.url}/v1/games", json=body).raise_for_status().json()
    settled = wait_until_settled(Player(stele, game["links"]["self"], None))
    assert settled["status"] == "ended"
    assert [seat["bot"] for seat in settled["seats"]] == ["greedy", "random"]


def play(players: list[Player], dice: Random, leaver: int | None) -> None:
    """Whoever is to act does something legal; the leaver gives up after its third action, and a bot plays on."""
    done = 0
    while True:
        shown = players[0].look()
        acting = [seat for seat in shown["to_act"] if not shown["seats"][seat]["withdrawn"]]
        if shown["status"] != "playing":
            return
        if not acting:
            players[0].get("", after=shown["version"], wait=10)
            continue
        seat = dice.choice(acting)
        if seat == leaver and done >= 3:
            assert players[seat].post("/resignation").status_code == 201
            continue
        answer = players[seat].act(dice.choice(players[seat].legal()))
        assert answer.status_code == 201, answer.text
        done += seat == leaver


def wait_until_settled(player: Player, patience: float = PATIENCE) -> Any:
    until = time.monotonic() + patience
    while time.monotonic() < until:
        shown = player.look()
        if shown["settled"]:
            return shown
        player.get("", after=shown["version"], wait=5)
    raise TimeoutError(f"{player.path} is not settled")
