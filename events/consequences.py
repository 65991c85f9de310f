"""Facts that depend on the rules and on who sits at the table: the rules know seats, the log knows people."""

import re
from collections.abc import Sequence
from typing import Any

from events.game import Game
from events.origins import check_position, redealt
from games.chance import Chance
from games.kernel import Course, Fact, Refusal, Ruleset

Facts = list[Fact[Any]]

REASON_PATTERN = re.compile(r"[^\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]{1,200}")
"""A reason that people can read: no control characters, nothing that turns the direction of text."""


def opening(ruleset: Ruleset[Any, Any], game: Game, chance: Chance) -> Course[Any]:
    """The facts that a game begins with, and the state that they lead to."""
    if not game.first_terms:
        check_position(game.position)
    options, seats, position = ruleset.read_options(game.created.options), game.created.seats, game.position
    if game.created.origin.get("redeal") == "piles":
        ruleset.begin(options, seats, Chance(bytes(32)), position)  # refuses what cannot be dealt anew
        position = redealt(ruleset, position, chance)
    return ruleset.begin(options, seats, chance, position)


def withdrawal(ruleset: Ruleset[Any, Any], game: Game, state: Any, seat: int, cause: str) -> Facts:
    """The facts of a seat's withdrawal. Bots do not play on for nobody: when the last person goes, the game ends."""
    facts = ruleset.withdraw(state, seat, cause)
    people = [other for other, chair in enumerate(game.chairs) if chair.staying and other != seat]
    if game.first_terms or len(game.chairs) <= 2 or people:
        return facts
    (vacated, *_) = facts
    after = vacated.apply(state)
    return [vacated, ruleset.end_now(after, after.staying, "last_player")]


def adjudication(ruleset: Ruleset[Any, Any], game: Game, state: Any, winners: Sequence[int]) -> Facts:
    """The facts of a game that is ended by judgement."""
    if not winners or sorted(set(winners)) != list(winners):
        raise Refusal("invalid_request", "`winners` lists at least one seat, each once, in ascending order.")
    for seat in winners:
        if not 0 <= seat < len(game.chairs):
            raise Refusal("invalid_request", f"There is no seat {seat} to win.")
        if game.chairs[seat].withdrawn:
            raise Refusal("invalid_request", f"Seat {seat} has withdrawn: it cannot win.")
    return [ruleset.end_now(state, tuple(winners), "adjudicated")]
