"""Construction: the slots of a level, and what a tile covers (6.5, 6.6)."""

from games.kernel import Course
from games.temple_of_five.contents import Space
from games.temple_of_five.rounds import start_turn
from games.temple_of_five.state import Ids, Player, State, box_of


def taken_slots(state: State, player: Player) -> set[int]:
    """The slots of the level being built that have a tile."""
    level = state.level
    return {tile.slot for tile in player.tiles if tile.level == level}


def free_slots(state: State, player: Player) -> tuple[int, ...]:
    """The slots of the level being built that have no tile yet."""
    taken = taken_slots(state, player)
    return tuple(slot for slot in range(len(box_of(state).slots[state.level])) if slot not in taken)


def first_alike(state: State, hand: Ids, tile: str) -> str:
    """The first special tile in hand with the same face."""
    specials = box_of(state).specials_by_id
    return next(other for other in hand if specials[other].face == specials[tile].face)


def priests_under(player: Player, spaces: tuple[Space, ...]) -> tuple[Space, ...]:
    """The priests that a tile on these spaces sends home (6.5, Q18)."""
    return tuple([space for space in player.board_priests if space in spaces])


def start_turns_if_all_have_built(course: Course[State]) -> None:
    """When all have built, the first player's turn starts (5)."""
    if not course.state.to_act:
        start_turn(course, course.state.first_player)
