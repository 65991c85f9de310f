"""A built-in player with a plan: crafts first, then what its directive asks for (15)."""

from collections.abc import Callable, Mapping

from games.chance import Stream
from games.kernel import Bot, Seat
from games.sa_re.actions import SaReAction
from games.sa_re.bot.building import construct, pay
from games.sa_re.bot.planning import choose_site, found_city
from games.sa_re.bot.working import choose_card, react, resolve, work, wrap_up
from games.sa_re.state import State

Choice = Callable[[State, Seat], SaReAction]

CHOICES: Mapping[str, Choice] = {
    "place_start": found_city,
    "sites": choose_site,
    "work": work,
    "resolve": resolve,
    "temple": choose_card,
    "react": react,
    "wrap_up": wrap_up,
    "construction": construct,
    "pay": pay,
}


class Greedy(Bot[State, SaReAction]):
    """Plays from what its seat sees, without chance."""

    def choose(self, view: State, seat: Seat, dice: Stream) -> SaReAction:
        return CHOICES[view.decision or ""](view, seat)
