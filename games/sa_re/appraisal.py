"""How far a city is from what its directive asks for, in resources and rounds."""

from typing import NamedTuple

from msgspec import UNSET

from games.kernel import Seat
from games.sa_re.box import Box, Price
from games.sa_re.city import PORT, PYRAMID, administrative_standing, site_at
from games.sa_re.end import PRIEST_ADMINISTRATIVE, pyramid_steps
from games.sa_re.payment import all_resources
from games.sa_re.state import Player, State, box_of

PLAIN = 3
"""What an Architect's space costs at least."""


class Sight(NamedTuple):
    """What a city has and lacks, in the measures that tell who will win."""

    lacking: float
    """Resources that the directive still asks for, as printed."""
    steps: float
    """Steps of the pyramid still to be done, of which a round allows but one."""
    means: float
    """Resources at hand."""
    crafts: float
    """Buildings that produce and make others cheaper."""
    administrative: float
    """What decides among those who are ready together."""
    revolt: float
    """Whether the city is in revolt, and builds nothing this round."""
    room: float
    """Steps to the next revolt while the season lasts."""
    built: float
    """Whether this round's construction is over for the seat."""


def sight_of(state: State, seat: Seat) -> Sight:
    """What a city has and lacks, as a full state stands."""
    box, me = box_of(state), state.players[seat]
    lacking, steps = directive_lacks(state, me)
    in_season = state.phase == "season"
    return Sight(
        lacking,
        steps,
        len(all_resources(box, me)) + me.caravans,
        sum([tile.built and tile.building in box.producers for tiles in me.spaces for tile in tiles]),
        administrative_standing(box, me),
        1.0 if me.in_revolt else 0.0,
        min(me.room, 3) if in_season and me.stands else 0.0,
        1.0 if has_built(state, seat) else 0.0,
    )


def has_built(state: State, seat: Seat) -> bool:
    """Whether a seat has ended its construction this round."""
    if state.phase != "construction" or state.active_seat is None:
        return False
    seats = len(state.players)
    return (seat - state.first_seat) % seats < (state.active_seat - state.first_seat) % seats


def directive_lacks(state: State, me: Player) -> tuple[int, int]:
    """The resources that the directive still asks for, and the steps of the pyramid among them."""
    box = box_of(state)
    built = {tile.building for tiles in me.spaces for tile in tiles if tile.built}
    lacking, steps = pyramid_lacks(state, box, me)
    mode = state.options.mode
    if mode in ("priest", "pharaoh"):
        number = PRIEST_ADMINISTRATIVE if mode == "priest" else len(box.administrative)
        costs = sorted(total(box.buildings[name].cost) for name in box.administrative if name not in built)
        standing = len(box.administrative) - len(costs)
        lacking += sum(costs[: max(0, number - standing)])
        lacking += 0 if PORT in built else total(box.buildings[PORT].cost)
    elif mode == "architect":
        empty = [space for space, tiles in enumerate(me.spaces) if not tiles or site_at(me, space)]
        lacking = PLAIN * len([space for space in empty if not is_pyramid(me, space)])
        steps = 0
    return lacking, steps


def is_pyramid(me: Player, space: int) -> bool:
    """A pyramid fills its space even while it is a site."""
    return any(tile.building == PYRAMID for tile in me.spaces[space])


def pyramid_lacks(state: State, box: Box, me: Player) -> tuple[int, int]:
    """What a pyramid still costs, and in how many steps: one's own, or the next of the supply."""
    numbers = [tile.number for tiles in me.spaces for tile in tiles if tile.building == PYRAMID]
    number = numbers[0] if numbers else min(state.pyramids, default=1)
    steps = box.pyramid(number if number is not UNSET else 1).steps
    left = steps[pyramid_steps(me) :]
    return sum([total(step) for step in left]), len(left)


def total(price: Price | None) -> int:
    """How many resources something costs as printed."""
    return price.wood + price.gold + price.stone if price else 0
