"""From what a position is worth to each seat to how likely each is to win."""

import math
from collections.abc import Sequence

from games.kernel import GameState, settled

__all__ = ["odds", "settled"]


def odds(state: GameState, worths: Sequence[float], scale: float) -> tuple[float, ...]:
    """A difference of `scale` in worth makes a seat e times as likely to win; who has withdrawn cannot."""
    best = max(worths[seat] for seat in state.staying)
    weights = [0.0] * len(worths)
    for seat in state.staying:
        weights[seat] = math.exp((worths[seat] - best) / scale)
    total = sum(weights)
    return tuple([weight / total for weight in weights])
