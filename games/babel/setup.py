"""How a game begins (3): from the box, or from a position (4.4)."""

from collections.abc import Mapping
from typing import Any

from games.babel.box import COMPONENT_SETS, NATIONS
from games.babel.position import DERIVED, read_position
from games.babel.state import QUARRY, Nations, Options, Player, State, active_seat
from games.babel.turns import start_turn
from games.babel.version_2 import STATES
from games.babel.zones import ZONES
from games.begins import check_begins, who_begins
from games.chance import Chance
from games.kernel import Course, Position


def opening(options: Options, seats: int, chance: Chance, position: Position | None) -> Course[State]:
    """An ordinary game begins with the first draw; a position is taken as it stands."""
    check_begins(options, seats)
    state = dealt(options, chance) if position is None else read_position(options, chance, position)
    course = Course.opened_by(state, chance)
    if position is None or not _says_something(position):
        start_turn(course, 1, active_seat(state))
    return course


def dealt(options: Options, chance: Chance) -> State:
    """An ordinary game: a start card of level 1 before each seat, all other temples on the pile; who begins is dealt first."""
    box = COMPONENT_SETS[options.component_set].box
    start_cards, temples = box.temple_deck[:2], box.temple_deck[2:]
    assert start_cards == (1, 1)
    temple_pile = chance.shuffle("temples/0", temples)
    nations = chance.shuffle("nations/0", box.nation_deck)
    fewer, more = box.starting_hands[options.edition]
    nation_pile = nations[fewer + more :]
    first = who_begins(options, 2, chance)
    players = (_beginner(nations[:fewer]), _beginner(nations[fewer : fewer + more]))
    return STATES[type(options)](
        options=options,
        active_seat=first,
        to_act=(first,),
        players=players if first == 0 else players[::-1],
        temple_pile=temple_pile,
        temple_pile_count=len(temple_pile),
        nation_pile=nation_pile,
        nation_pile_count=len(nation_pile),
    )


def _beginner(hand: Nations) -> Player:
    """A player who has built nothing yet."""
    return Player(
        hand=tuple(sorted(hand)),
        hand_count=len(hand),
        start_card=True,
        sites=dict.fromkeys(NATIONS, QUARRY),
    )


def _says_something(position: Position) -> bool:
    """Whether a position says more than options, derived members and nulls."""

    def says(value: Any) -> bool:
        if isinstance(value, Mapping):
            return any(says(inner) for member, inner in value.items() if member not in derived)
        return value is not None

    derived = DERIVED | ZONES.counts
    members = {**position, "options": None}
    players = members.pop("players", None) or ()
    return says(members) or any(says(player) for player in players)
