"""Results: how settled games ended, and the standings of the players that integrators name by ref."""

from collections.abc import Iterable
from typing import Any

import msgspec

from events.game import Game


class Result(msgspec.Struct, frozen=True):
    """How a settled game ended."""

    game: str
    ruleset: str
    settled: str
    outcome: Any
    refs: list[str | None]


class Standing(msgspec.Struct, frozen=True):
    """What a player has achieved in a game: shared wins are counted as won and as shared."""

    player: str
    ruleset: str
    played: int = 0
    won: int = 0
    shared: int = 0


def result(game: Game) -> Result | None:
    """The result of a game that counts: fresh, public, settled, audited clean, with an outcome."""
    settled = game.settled
    counts = (
        settled is not None
        and settled.outcome is not None
        and settled.audit["verdict"] == "pass"
        and game.created.origin["kind"] == "fresh"
        and not game.created.private
    )
    if not counts or settled is None:
        return None
    return Result(
        game=game.id,
        ruleset=game.created.ruleset,
        settled=game.at,
        outcome=settled.outcome,
        refs=[chair.ref for chair in game.chairs],
    )


def audit_failed(game: Game) -> bool:
    """Was this game settled although its audit failed? Someone must look at it."""
    return game.settled is not None and game.settled.audit["verdict"] == "fail"


def scored(game_result: Result) -> list[Standing]:
    """What one result adds to the standings of those who played."""
    winners = game_result.outcome["winners"]
    standings: dict[str, Standing] = {}
    for seat, ref in enumerate(game_result.refs):
        if ref is None:
            continue
        won = int(seat in winners)
        shared = int(won and len(winners) > 1)
        standings[ref] = added(
            standings.get(ref, Standing(ref, game_result.ruleset)),
            Standing(ref, game_result.ruleset, 1, won, shared),
        )
    return list(standings.values())


def added(one: Standing, other: Standing) -> Standing:
    """Two standings of the same player in the same game as one."""
    return Standing(
        one.player, one.ruleset, one.played + other.played, one.won + other.won, one.shared + other.shared
    )


def ranked(standings: Iterable[Standing]) -> list[Standing]:
    """Most wins first, then fewest games, then by name."""
    return sorted(standings, key=lambda one: (-one.won, one.played, one.player, one.ruleset))
