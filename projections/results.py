"""Results: how settled games ended."""

from typing import Any

import msgspec

from events.entries import Clock
from events.game import Game
from projections.list_query import giver_of, list_names, players_of, quoted, subjects_of


class GameResult(msgspec.Struct, frozen=True):
    """How a settled game ended."""

    game: str
    ruleset: str
    settled: str
    outcome: Any
    refs: list[str | None]
    private: bool = False
    host: str | None = None
    tags: tuple[str, ...] = ()
    clock: Clock | None = None
    givers: list[str] | None = None
    """For each seat the host to which its ref belongs."""
    about: tuple[str, ...] | None = None

    @property
    def subjects(self) -> tuple[str, ...]:
        """What the game was about; rows of the first version tell only who played."""
        return tuple(players_of(self.refs)) if self.about is None else self.about


def result_of(game: Game) -> GameResult | None:
    """The result of a game that counts: fresh, settled, audited clean, with an outcome."""
    settled = game.settled
    counts = (
        settled is not None
        and settled.outcome is not None
        and settled.audit["verdict"] == "pass"
        and game.created.origin["kind"] == "fresh"
    )
    if not counts or settled is None:
        return None
    created = game.created
    return GameResult(
        game=game.id,
        ruleset=created.ruleset,
        settled=game.at,
        outcome=settled.outcome,
        refs=[chair.ref for chair in game.chairs],
        private=created.private,
        host=created.host,
        tags=created.tags,
        clock=created.clock,
        givers=[giver_of(game, seat) for seat in range(len(game.chairs))],
        about=tuple(subjects_of(game)),
    )


def result_lists(game_result: GameResult) -> tuple[str, ...]:
    """The lists that a result stands in."""
    return list_names(results_list_root, game_result)


def results_list_root(_: str | None, ruleset: str | None) -> str:
    """What the names of the results' lists begin with: all of them are settled."""
    return f"results:order:ruleset={quoted(ruleset)}" if ruleset else "results:order"


def audit_failed(game: Game) -> bool:
    """Was this game settled although its audit failed? Someone must look at it."""
    return game.settled is not None and game.settled.audit["verdict"] == "fail"
