"""Bonus decorations: drawing them, and laying them on empty spaces (6.7)."""

from games.kernel import Course, IllegalAction, Seat
from games.temple_of_five.actions import PlaceBonus
from games.temple_of_five.contents import Size, Space
from games.temple_of_five.facts.building import BonusPlaced
from games.temple_of_five.facts.priests import BonusDrawn, BonusMissed, BonusReason
from games.temple_of_five.state import Player, State

PILE_OF_SIZE = {2: "bonus_2_pile", 3: "bonus_3_pile"}


def draw(course: Course[State], seat: Seat, size: Size, reason: BonusReason) -> None:
    """One piece from the pile of this size; an empty pile gives nothing, the other size is no substitute (Q14)."""
    pile = PILE_OF_SIZE[size]
    if course.state.count(pile) == 0:
        course.happens(BonusMissed(seat, size, reason))
    else:
        course.happens(BonusDrawn(seat, size, reason, course.state.top(pile)[0]))


def check_place_bonus(state: State, seat: Seat, action: PlaceBonus) -> None:
    """A piece lies in a straight line on empty spaces of one level (Q16, Q17)."""
    me = state.players[seat]
    if action.bonus not in me.bonus_reserve:
        raise IllegalAction("bonus_not_in_reserve", f"You have no piece `{action.bonus}` in reserve.")
    size = state.box.pieces_by_id[action.bonus].size
    spaces = tuple(sorted(action.spaces))
    if spaces not in state.box.straight[size]:
        raise IllegalAction(
            "bad_spaces",
            f"This piece covers {size} different spaces of the board in one unbroken row or column.",
        )
    if not are_empty(state, me, spaces):
        raise IllegalAction("space_not_empty", "A piece lies on empty spaces only.")
    if not are_level(me, spaces):
        raise IllegalAction("different_levels", "A piece lies on spaces of one level.")


def are_empty(state: State, player: Player, spaces: tuple[Space, ...]) -> bool:
    """Whether nothing is shown there: no decoration, and nothing that blocks (Q17, Q23)."""
    surface, empty = player.surface, state.box.empty
    return all(surface[row][column] == empty for row, column in spaces)


def are_level(player: Player, spaces: tuple[Space, ...]) -> bool:
    """Whether one level is on top of all these spaces."""
    levels = player.levels
    return len({levels[row][column] for row, column in spaces}) == 1


def has_room_for_piece(state: State, player: Player, spaces: tuple[Space, ...]) -> bool:
    """Whether a piece may lie in this place."""
    return are_empty(state, player, spaces) and are_level(player, spaces)


def place_bonus(course: Course[State], seat: Seat, action: PlaceBonus) -> None:
    """The piece lies there for good, and shows its colour until it is covered."""
    check_place_bonus(course.state, seat, action)
    spaces = tuple(sorted(action.spaces))
    level = int(course.state.players[seat].top_level(spaces[0]))
    course.happens(BonusPlaced(seat, action.bonus, level, spaces))
