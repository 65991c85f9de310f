"""A built-in player (15)."""

from games.chance import Stream
from games.kernel import Bot, Seat
from games.temple_of_five.actions import TempleAction
from games.temple_of_five.legal import legal_actions
from games.temple_of_five.state import State


class Greedy(Bot[State, TempleAction]):
    def choose(self, view: State, seat: Seat, dice: Stream) -> TempleAction:
        actions = legal_actions(view, seat)
        return actions[dice.below(len(actions))]
