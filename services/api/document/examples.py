"""Examples of every operation: a test sends them all, with the ids of games that are there."""

from typing import Any

GAME = "00-xvp07ck455byg7gws9sa6q9z20"
WEBHOOK = "wh_0ab9kz3v7wq2m5t8"
SEAL = "5e" * 32

PARAMETERS: dict[str, dict[str, Any]] = {
    "game_id": {"description": "The id of the game.", "example": GAME},
    "ruleset": {"description": "The id of the ruleset.", "example": "babel"},
    "seat": {"description": "The number of the seat, from 0 on.", "example": 0},
    "version": {"description": "How many entries the log had then.", "example": 3},
    "webhook_id": {"description": "The id of the webhook.", "example": WEBHOOK},
}
"""Parameters of paths."""

BODIES: dict[str, dict[str, Any]] = {
    "create_game": {
        "against a bot": {"ruleset": "babel", "players": [{"name": "Ada"}, {"bot": "greedy"}]},
        "open to others": {"ruleset": "temple_of_five", "seats": 3, "players": [{"name": "Ada"}]},
        "with options and a clock": {
            "ruleset": "sa_re",
            "options": {"mode": "architect", "quick_start": True},
            "seats": 2,
            "private": True,
            "clock": {"total_seconds": 1800, "increment_seconds": 10},
        },
    },
    "take_seat": {"a player": {"name": "Ben"}, "sealed": {"name": "Cleo", "entropy_commitment": SEAL}},
    "open_seal": {"opened": {"entropy": SEAL}},
    "act": {
        "one": {"type": "travel", "site": "hittites"},
        "several": [{"type": "deploy", "nation": "assyrians"}, {"type": "build", "source": "start"}],
    },
    "check_action": {"one": {"type": "travel", "site": "hittites"}},
    "adjudicate": {"judged": {"winners": [1], "why": "Seat 0 has left the tournament."}},
    "fork_game": {"from the start": {"version": 4, "players": [{"name": "Ada"}, {"bot": "random"}]}},
    "add_webhook": {"all turns": {"url": "https://club.example/stele", "types": ["turn", "game_ended"]}},
}
"""Bodies by operation, and by what they are for."""
