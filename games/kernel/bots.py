"""Built-in players. A bot sees what its seat sees and nothing else."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Generic

from games.chance import Stream
from games.kernel.grammar import A, S, Seat

SEARCHING = {"keen": 0.2, "strong": 1.0, "master": 4.0}
"""The levels that look ahead, and how many playouts each has in proportion to `strong`."""
BOT_LEVELS = ("random", "greedy", *SEARCHING)
BOT_VERSION = 1
"""Goes up whenever one of the choices of a built-in player may change; the log names it beside every bot."""


class Bot(ABC, Generic[S, A]):
    """A built-in player. It sees what its seat sees and nothing else."""

    @abstractmethod
    def choose(self, view: S, seat: Seat, dice: Stream) -> A:
        """One of the legal actions of a seat that is to act."""


class RandomBot(Bot[S, A]):
    """Chooses uniformly among the legal actions of any game."""

    def __init__(self, legal_actions: Callable[[S, Seat], list[A]]) -> None:
        self._legal_actions = legal_actions

    def choose(self, view: S, seat: Seat, dice: Stream) -> A:
        actions = self._legal_actions(view, seat)
        return actions[dice.below(len(actions))]
