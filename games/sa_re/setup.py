"""How a game begins (3): from the box, or from a full state or any part of one (4.3)."""

from games.begins import check_begins, who_begins
from games.chance import Chance
from games.kernel import Course, Position, replace
from games.sa_re.box import COMPONENT_SETS
from games.sa_re.city import PYRAMID, start_spaces, surveyed
from games.sa_re.facts.season import HoshekhAppeared
from games.sa_re.flow import go_on
from games.sa_re.position import read_position
from games.sa_re.season import hoshekh_is_on_top
from games.sa_re.state import Options, Player, State, Stock, awaited, box_of
from games.sa_re.version_2 import STATES


def opening(options: Options, seats: int, chance: Chance, position: Position | None) -> Course[State]:
    """What follows by itself is done at once; in a position also Hoshekh may lie on top, and acts."""
    check_begins(options, seats)
    table = cities_to_found(options, seats)
    is_ordinary = position is None or position == {}
    state = dealt(table, chance) if is_ordinary else read_position(table, chance, position)
    course = Course.opened_by(state, chance)
    if hoshekh_is_on_top(state):
        course.happens(HoshekhAppeared())
    go_on(course)
    return course


def cities_to_found(options: Options, seats: int) -> State:
    """Every city starts alike; Divinity lays the start buildings on its first space at once."""
    box = COMPONENT_SETS[options.component_set].box
    stock = box.start.stock
    player = Player(
        start_spaces(box) if options.divinity else ((),) * len(box.spaces),
        Stock(stock.wood, stock.gold, stock.stone),
        box.caravan_track.start,
        revolt=box.revolt_gauge.start,
    )
    return STATES[type(options)](options, (player,) * seats, supply={}, pyramids=(), discard=())


def dealt(table: State, chance: Chance) -> State:
    """An ordinary game: all lies in the supply but what cities start with; quick start deals each one building more."""
    box, options, seats = box_of(table), table.options, len(table.players)
    first = who_begins(options, seats, chance)
    buildings = () if options.divinity else box.start.buildings
    quick = chance.shuffle("quick_start/0", box.administrative)[:seats] if options.quick_start else ()
    players = tuple(
        surveyed(box, replace(player, to_place=(*buildings, *quick[seat : seat + 1])), "setup")
        for seat, player in enumerate(table.players)
    )
    supply = {name: seats - quick.count(name) for name in box.buildings if name != PYRAMID}
    pyramids, cards = box.pyramid_numbers(seats), tuple(box.cards)
    table = replace(table, players=players, supply=supply, pyramids=pyramids, discard=cards)
    return awaited(replace(table, first_seat=first, active_seat=first))
