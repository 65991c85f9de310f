"""The greedy bot: it builds the chains that cards ask for, and plans its priest turn as a whole (15)."""

from games.chance import Stream
from games.kernel import Action, Bot, Seat
from games.temple_of_five.actions.building import ChooseGoal
from games.temple_of_five.bot.building import best_allotment, best_exchange, best_tile, best_top
from games.temple_of_five.bot.turn import best_of_turn
from games.temple_of_five.state import State


class Greedy(Bot[State, Action[State]]):
    """Looks as far as the end of its own turn."""

    def choose(self, view: State, seat: Seat, dice: Stream) -> Action[State]:
        match view.phase:
            case "choose_goal":
                return ChooseGoal("b")
            case "exchange" if view.options.will_of_the_gods:
                return best_allotment(view, seat)
            case "exchange":
                return best_exchange(view, seat)
            case "build" if view.level == 3:
                return best_top(view, seat)
            case "build":
                return best_tile(view, seat)
            case _:
                return best_of_turn(view, seat)
