"""A built-in player with a plan: crafts first, then what its directive asks for (15)."""

from collections.abc import Callable, Mapping

from games.chance import Stream
from games.kernel import Action, Bot, Seat
from games.sa_re.bot.building import construct, pay
from games.sa_re.bot.planning import choose_site, found
from games.sa_re.bot.working import choose_card, react, resolve, work, wrap_up
from games.sa_re.legal import legal_actions
from games.sa_re.state import State

Choice = Callable[[State, Seat, list[Action]], Action]

CHOICES: Mapping[str, Choice] = {
    "place_start": found,
    "sites": choose_site,
    "work": work,
    "resolve": resolve,
    "temple": choose_card,
    "react": react,
    "wrap_up": wrap_up,
    "construction": construct,
    "pay": pay,
}


class GreedyBot(Bot[State, Action]):
    """Plays from what its seat sees, without chance."""

    def choose(self, view: State, seat: Seat, dice: Stream) -> Action:
        legal = list(legal_actions(view, seat))
        return CHOICES[view.decision or ""](view, seat, legal)
