"""How a game begins: the ordinary setup (3), and the parts of it that positions share."""

from games.chance import Chance
from games.sa_re.box import COMPONENT_SETS, Box
from games.sa_re.city import PYRAMID, laid, new_tile, surveyed
from games.sa_re.state import Options, Player, Spaces, State, Stock, awaited


def ordinary_setup(options: Options, seats: int, chance: Chance) -> State:
    """A new game: every city starts alike, quick start deals each an administrative building."""
    box = COMPONENT_SETS[options.component_set].box
    dealt = chance.shuffle("quick_start/0", box.administrative)[:seats] if options.quick_start else ()
    players = tuple(
        surveyed(box, new_player(box, options, dealt[seat : seat + 1]), "setup") for seat in range(seats)
    )
    supply = {name: seats - dealt.count(name) for name in box.buildings if name != PYRAMID}
    return awaited(State(options, players, supply, pyramid_numbers(box, seats), tuple(box.cards)))


def new_player(box: Box, options: Options, dealt: tuple[str, ...]) -> Player:
    """A city to be founded; Divinity lays the start buildings on its first space at once."""
    spaces = start_spaces(box) if options.divinity else empty_spaces(box)
    to_place = dealt if options.divinity else (*box.start.buildings, *dealt)
    return Player(
        spaces, start_stock(box), box.caravan_track.start, revolt=box.revolt_gauge.start, to_place=to_place
    )


def empty_spaces(box: Box) -> Spaces:
    return tuple(() for _ in box.spaces)


def start_spaces(box: Box) -> Spaces:
    """The start buildings together on the first space."""
    spaces = empty_spaces(box)
    for building in box.start.buildings:
        spaces = laid(spaces, 0, new_tile(box, building, built=True))
    return spaces


def start_stock(box: Box) -> Stock:
    start = box.start.stock
    return Stock(start.wood, start.gold, start.stone)


def pyramid_numbers(box: Box, seats: int) -> tuple[int, ...]:
    """One pyramid per player, the lowest number on top (Q38)."""
    return tuple(sorted(pyramid.number for pyramid in box.pyramids))[:seats]
