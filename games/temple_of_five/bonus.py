"""Bonus decorations: drawing them, and where they may lie (6.7)."""

from games.kernel import Course, Seat
from games.temple_of_five.contents import Size, Space
from games.temple_of_five.facts.priests import BonusDrawn, BonusMissed, BonusReason
from games.temple_of_five.state import Ids, Player, State, box_of

PILE_OF_SIZE = {2: "bonus_2_pile", 3: "bonus_3_pile"}


def draw(course: Course[State], seat: Seat, size: Size, reason: BonusReason) -> None:
    """One piece from the pile of this size; an empty pile gives nothing, the other size is no substitute (Q14)."""
    pile = PILE_OF_SIZE[size]
    if course.state.count(pile) == 0:
        course.happens(BonusMissed(seat, size, reason))
    else:
        course.happens(BonusDrawn(seat, size, reason, course.state.top(pile)[0]))


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
