"""Construction: the slots of a level, what a tile covers, and where a bonus decoration may lie (6.5–6.7)."""

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


def first_like(state: State, reserve: Ids, piece: str) -> str:
    """The first piece in reserve of the same colour and size."""
    pieces = box_of(state).pieces_by_id
    wanted = (pieces[piece].colour, pieces[piece].size)
    return next(other for other in reserve if (pieces[other].colour, pieces[other].size) == wanted)


def are_empty(state: State, player: Player, spaces: tuple[Space, ...]) -> bool:
    """Whether nothing is shown there: no decoration, and nothing that blocks (Q17, Q23)."""
    surface, empty = player.surface, box_of(state).empty
    return all(surface[row][column] == empty for row, column in spaces)


def are_level(player: Player, spaces: tuple[Space, ...]) -> bool:
    """Whether one level is on top of all these spaces."""
    levels = player.levels
    return len({levels[row][column] for row, column in spaces}) == 1


def has_room_for_piece(state: State, player: Player, spaces: tuple[Space, ...]) -> bool:
    """Whether a piece may lie in this place."""
    return are_empty(state, player, spaces) and are_level(player, spaces)


def start_turns_if_all_have_built(course: Course[State]) -> None:
    """When all have built, the first player's turn starts (5)."""
    if not course.state.to_act:
        start_turn(course, course.state.first_player)
