"""The course of the game: rounds, deals and turns (5)."""

from games.kernel import Course, Seat
from games.temple_of_five.end import finish
from games.temple_of_five.facts.building import TileRevealed, TilesDealt
from games.temple_of_five.facts.course import FirstPlayerPassed, RoundStarted, TurnEnded, TurnStarted
from games.temple_of_five.priests import draw
from games.temple_of_five.state import DEALT, LAST_ROUND, LEVELS, State

CHAINS_PER_TURN = 2
CHAINS_WITH_EXTRA = 3


def start_round(course: Course[State], number: int) -> None:
    """Each seat gets its tiles in one go, from the first player on, so no call can change who gets what (Q4, Q35)."""
    course.happens(RoundStarted(number, LEVELS[number], course.state.first_player))
    for seat in course.state.turn_order:
        deal(course, seat)


def deal(course: Course[State], seat: Seat) -> None:
    """A seat's tiles of the round; with will of the gods they stay unseen but for the first (5)."""
    state = course.state
    number = DEALT[state.level]
    tiles = state.top("special_pile" if state.level == 3 else "tile_pile", number)
    if state.options.will_of_the_gods and state.level < 3:
        course.happens(TilesDealt(seat, tiles, "unseen", number))
        reveal_next(course, seat)
    else:
        course.happens(TilesDealt(seat, tiles, "hand", number))


def reveal_next(course: Course[State], seat: Seat) -> None:
    """The next unseen tile is turned up, for its owner alone (Q4)."""
    unseen = course.state.players[seat].unseen or ()
    course.happens(TileRevealed(seat, unseen[0]))


def start_turn(course: Course[State], seat: Seat) -> None:
    """Two chains, three with `extra_chain`; `two_bonus` draws its pieces by itself (6.11, Q24)."""
    effect = course.state.effect_of(seat)
    course.happens(TurnStarted(seat, chain_limit(effect), effect))
    if effect == "two_bonus":
        draw(course, seat, 2, "effect")
        draw(course, seat, 2, "effect")


def chain_limit(effect: str | None) -> int:
    """How many chains a seat may use on its turn."""
    return CHAINS_WITH_EXTRA if effect == "extra_chain" else CHAINS_PER_TURN


def end_turn(course: Course[State], seat: Seat) -> None:
    """The next seat's turn; after the last one the token passes on, and after round 6 the game is scored (5)."""
    course.happens(TurnEnded(seat))
    state = course.state
    following = (seat + 1) % state.seats
    if following != state.first_player:
        start_turn(course, following)
    elif state.round == LAST_ROUND:
        finish(course)
    else:
        course.happens(FirstPlayerPassed((state.first_player + 1) % state.seats))
        start_round(course, state.round + 1)
