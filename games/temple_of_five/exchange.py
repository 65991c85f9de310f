"""Exchange of materials: each seat keeps a tile and gives the others to its neighbours (5, 6.3, 6.4)."""

from collections.abc import Mapping

from games.kernel import Course, Seat
from games.temple_of_five.facts.building import TileAllotted, TilesExchanged
from games.temple_of_five.state import Choice, Destination, Ids, Player, State

DESTINATIONS: tuple[Destination, ...] = ("keep", "left", "right")
Split = Mapping[Destination, int]
"""How many tiles are kept, go to the left and to the right."""
ONE_TO_EACH: Split = {"keep": 1, "left": 1, "right": 1}
ALL_TO_THE_LEFT: Split = {"keep": 1, "left": 2, "right": 0}
ONE_TO_THE_LEFT: Split = {"keep": 1, "left": 1, "right": 0}


def split_due(seats: int, level: int) -> Split:
    """Of three tiles one goes to each neighbour (5); with two players all go left (Q3)."""
    if level == 2:
        return ONE_TO_THE_LEFT
    return ALL_TO_THE_LEFT if seats == 2 else ONE_TO_EACH


def destinations_with_room(state: State, seat: Seat) -> tuple[Destination, ...]:
    """Where a seat may still send a tile in this exchange."""
    due = split_due(state.seats, state.level)
    choice = state.players[seat].choice or Choice()
    return tuple([to for to in DESTINATIONS if len(choice.going(to)) < due[to]])


def has_full_choice(state: State, player: Player) -> bool:
    """Whether every tile of a hand has its destination, as the table of exchanges asks (5)."""
    choice, due = player.choice, split_due(state.seats, state.level)
    if choice is None or player.unseen_count or sorted(choice.tiles) != sorted(player.hand or ()):
        return False
    return all(len(choice.going(to)) == due[to] for to in DESTINATIONS)


def in_hand_order(hand: Ids, tiles: Ids) -> Ids:
    """These tiles in the order in which they lie in the hand."""
    return tuple(sorted(tiles, key=lambda tile: hand.index(tile) if tile in hand else len(hand)))


def allot_last(course: Course[State], seat: Seat, to: Destination, *, auto: bool) -> None:
    """The tile turned up last has its destination."""
    hand = course.state.players[seat].hand or ()
    course.happens(TileAllotted(seat, hand[-1], to, auto))


def hand_over_if_all_have_chosen(course: Course[State]) -> None:
    """All tiles change hands at once, so the order of the choices does not matter (5)."""
    state = course.state
    if state.to_act:
        return
    received = [received_by(state, seat) for seat in range(state.seats)]
    face_up = 1 if state.options.will_of_the_gods else len(received[0])
    course.happens(
        TilesExchanged(
            hands=tuple(tiles[:face_up] for tiles in received),
            unseen=tuple(tiles[face_up:] for tiles in received),
            hand_count=face_up,
            unseen_count=len(received[0]) - face_up,
        )
    )


def received_by(state: State, seat: Seat) -> Ids:
    """The tile kept, then those from the left neighbour (seat + 1), then those from the right one (Q2)."""
    own, from_left, from_right = (
        state.players[(seat + step) % state.seats].choice or Choice() for step in (0, 1, -1)
    )
    return own.going("keep") + from_left.right + from_right.left
