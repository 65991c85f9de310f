"""Exchange of materials: each seat keeps a tile and gives the others to its neighbours (5, 6.3, 6.4)."""

from collections.abc import Mapping

from games.kernel import Course, IllegalAction, Seat
from games.temple_of_five.actions import Allot, Exchange
from games.temple_of_five.facts.building import ExchangeChosen, TileAllotted, TilesExchanged
from games.temple_of_five.rounds import reveal_next
from games.temple_of_five.state import Choice, Destination, Ids, State

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


def check_exchange(state: State, seat: Seat, action: Exchange) -> None:
    """Every tile of the hand has one destination, in the numbers of the table (6.3)."""
    if state.options.will_of_the_gods:
        raise IllegalAction(
            "not_in_this_variant", "With will of the gods tiles are allotted one by one: send `allot`."
        )
    hand = state.players[seat].hand or ()
    named = (action.keep, *action.left, *action.right)
    for tile in named:
        if tile not in hand:
            raise IllegalAction("tile_not_in_hand", f"You have no tile `{tile}` in hand.")
    if len(set(named)) < len(named):
        raise IllegalAction("duplicate_tile", "A tile can go to one place only.")
    due = split_due(state.seats, state.level)
    if (len(action.left), len(action.right)) != (due["left"], due["right"]):
        raise IllegalAction(
            "wrong_split", f"Keep 1 tile, give {due['left']} to the left and {due['right']} to the right."
        )


def in_hand_order(hand: Ids, tiles: Ids) -> Ids:
    """These tiles in the order in which they lie in the hand."""
    return tuple(sorted(tiles, key=lambda tile: hand.index(tile) if tile in hand else len(hand)))


def exchange(course: Course[State], seat: Seat, action: Exchange) -> None:
    """The choice is secret and final (Q5)."""
    check_exchange(course.state, seat, action)
    hand = course.state.players[seat].hand or ()
    left, right = in_hand_order(hand, action.left), in_hand_order(hand, action.right)
    course.happens(ExchangeChosen(seat, action.keep, left, right))
    hand_over_if_all_have_chosen(course)


def check_allot(state: State, seat: Seat, action: Allot) -> None:
    """The tile turned up last goes where there is room (6.4)."""
    if not state.options.will_of_the_gods:
        raise IllegalAction(
            "not_in_this_variant", "Without will of the gods all tiles are given at once: send `exchange`."
        )
    if action.to not in destinations_with_room(state, seat):
        raise IllegalAction("destination_full", f"There is no room for another tile at `{action.to}`.")


def allot(course: Course[State], seat: Seat, action: Allot) -> None:
    """The next tile is turned up; when one destination alone has room, tiles go there by themselves (5)."""
    check_allot(course.state, seat, action)
    allot_last(course, seat, action.to, auto=False)
    while course.state.players[seat].unseen_count:
        reveal_next(course, seat)
        open_to = destinations_with_room(course.state, seat)
        if len(open_to) > 1:
            return
        allot_last(course, seat, open_to[0], auto=True)
    hand_over_if_all_have_chosen(course)


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
