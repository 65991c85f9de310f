"""Construction: tiles on the pyramid, and its top (6.5, 6.6)."""

from games.kernel import Course, IllegalAction, Seat
from games.temple_of_five.actions import PlaceSpecial, PlaceTile
from games.temple_of_five.box import ROTATIONS
from games.temple_of_five.contents import Space
from games.temple_of_five.facts.building import SpecialPlaced, TilePlaced
from games.temple_of_five.rounds import reveal_next, start_turn
from games.temple_of_five.state import Player, State


def check_place_tile(state: State, seat: Seat, action: PlaceTile) -> None:
    """Any free slot of the level will do, in any rotation; no contact is needed (6.5)."""
    me, level = state.players[seat], state.level
    slots = state.box.slots[level]
    if level == 3:
        raise IllegalAction("wrong_level", "Level 3 is a special tile: send `place_special`.")
    if action.tile not in (me.hand or ()):
        raise IllegalAction("tile_not_in_hand", f"You have no tile `{action.tile}` in hand.")
    if not 0 <= action.slot < len(slots):
        raise IllegalAction("bad_slot", f"Level {level} has the slots 0 to {len(slots) - 1}.")
    if action.rotation not in ROTATIONS:
        raise IllegalAction("bad_rotation", "A tile is turned by 0, 90, 180 or 270 degrees.")
    if action.slot in taken_slots(state, me):
        raise IllegalAction("slot_occupied", f"A tile lies on slot {action.slot} already.")


def taken_slots(state: State, player: Player) -> set[int]:
    """The slots of the level being built that have a tile."""
    level = state.level
    return {tile.slot for tile in player.tiles if tile.level == level}


def free_slots(state: State, player: Player) -> tuple[int, ...]:
    """The slots of the level being built that have no tile yet."""
    taken = taken_slots(state, player)
    return tuple(slot for slot in range(len(state.box.slots[state.level])) if slot not in taken)


def place_tile(course: Course[State], seat: Seat, action: PlaceTile) -> None:
    """The tile covers what lies there; with will of the gods the next one is turned up (6.5, Q4)."""
    state, slot = course.state, action.slot
    check_place_tile(state, seat, action)
    under = priests_under(state.players[seat], state.box.slots[state.level][slot])
    course.happens(TilePlaced(seat, action.tile, state.level, slot, action.rotation, under))
    me = course.state.players[seat]
    if me.hand_count == 0 and me.unseen_count:
        reveal_next(course, seat)
    start_turns_if_all_have_built(course)


def check_place_special(state: State, seat: Seat, action: PlaceSpecial) -> None:
    """Level 3 is one of the two special tiles in hand; face down is always allowed (6.6, Q22)."""
    if state.level < 3:
        raise IllegalAction("wrong_level", "Special tiles are for level 3: send `place_tile`.")
    if action.tile not in (state.players[seat].hand or ()):
        raise IllegalAction("tile_not_in_hand", f"You have no tile `{action.tile}` in hand.")


def place_special(course: Course[State], seat: Seat, action: PlaceSpecial) -> None:
    """The pyramid is crowned; the other tile is discarded (6.6)."""
    state = course.state
    check_place_special(state, seat, action)
    me = state.players[seat]
    under = priests_under(me, state.box.slots[3][0])
    (discarded,) = (tile for tile in me.hand or () if tile != action.tile)
    course.happens(SpecialPlaced(seat, action.tile, action.face_up, discarded, under))
    start_turns_if_all_have_built(course)


def priests_under(player: Player, spaces: tuple[Space, ...]) -> tuple[Space, ...]:
    """The priests that a tile on these spaces sends home (6.5, Q18)."""
    return tuple([space for space in player.board_priests if space in spaces])


def start_turns_if_all_have_built(course: Course[State]) -> None:
    """When all have built, the first player's turn starts (5)."""
    if not course.state.to_act:
        start_turn(course, course.state.first_player)
