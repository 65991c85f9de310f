"""What somebody who looks ahead must know of Sa-Ré beyond its rules."""

from collections.abc import Hashable

from games.kernel import Prospects, Seat
from games.odds import odds, settled
from games.sa_re.actions import SaReAction
from games.sa_re.box import Price
from games.sa_re.city import tiles_of
from games.sa_re.end import pyramid_steps, score
from games.sa_re.payment import all_resources
from games.sa_re.state import State, box_of

HORIZON = 3
"""How many rounds end before a game that is played on is judged by `chances`."""
SCALE = 4.0


def moment(state: State) -> int:
    """A game is measured in rounds."""
    return state.round


def chances(state: State) -> tuple[float, ...]:
    """How likely each seat is to win, as a full state stands."""
    if state.outcome is not None:
        return settled(state.outcome, len(state.players))
    return odds(state, [worth(state, seat) for seat in range(len(state.players))], SCALE)


def worth(state: State, seat: Seat) -> float:
    """What a city has come to, in resources."""
    box, me = box_of(state), state.players[seat]
    built = sum(
        price_of(box.buildings[tile.building].cost) if tile.built else 0.5 for _, tile in tiles_of(me)
    )
    means = len(all_resources(box, me)) * (0.2 if me.in_revolt else 1.0) + me.caravans
    return built + 8 * pyramid_steps(me) + 4 * score(state, seat) + 0.8 * means


def price_of(price: Price | None) -> int:
    """How many resources a building costs as printed."""
    return price.wood + price.gold + price.stone if price else 0


def alike(state: State, seat: Seat, action: SaReAction) -> Hashable:
    """Every action counts as it is."""
    return action


PROSPECTS = Prospects[State, SaReAction](
    chances=chances,
    moment=moment,
    horizon=HORIZON,
    alike=alike,
    length=70,
    playouts=300,
)
