"""Perft: how many sequences of 1, 2, 3 … actions there are from a position, with one seed for every chance.

Any seat that is to act may act next, so where several are asked at once each order counts as its own sequence.
A game that has ended has no sequence that goes on. One changed rule, and the counts change.
"""

from typing import Any

from games.chance import Chance
from games.kernel import Ruleset
from tests.rulesets.kit import Setting
from tests.rulesets.story import SEED


def perft(ruleset: Ruleset[Any, Any], setting: Setting, depth: int) -> tuple[int, ...]:
    """The counts for 1, 2, … `depth` actions from the start of a game: what a kit pins in `Perft.counts`."""
    opening = ruleset.new_game(setting.options, setting.seats, Chance(SEED), setting.position)
    start = ruleset.fold(None, opening)
    return tuple(sequences(ruleset, start, length) for length in range(1, depth + 1))


def sequences(ruleset: Ruleset[Any, Any], state: Any, length: int) -> int:
    """How many sequences of exactly this many actions there are from this state."""
    choices = [(seat, action) for seat in state.to_act for action in ruleset.legal_actions(state, seat)]
    if length == 1:
        return len(choices)
    return sum(
        sequences(ruleset, ruleset.fold(state, ruleset.decide(state, seat, action, Chance(SEED))), length - 1)
        for seat, action in choices
    )
