"""The end of a round and of the game: directives, scores, tie-breaks (8)."""

from collections.abc import Callable, Sequence

from msgspec import UNSET

from games.kernel import Course, Outcome, Seat, leading
from games.sa_re.box import Box
from games.sa_re.city import PORT, PYRAMID, administrative_standing, built_tiles, owned, standing
from games.sa_re.facts.game import GameEnded, RoundEnded, RoundStarted
from games.sa_re.state import Player, State, box_of, next_seat

PRIEST_ADMINISTRATIVE = 3


def end_round(course: Course[State]) -> None:
    """When the last seat has built: the game is over, or a new round begins with the next first player."""
    state = course.state
    course.happens(RoundEnded(state.round))
    outcome = outcome_of(state)
    if outcome:
        course.happens(GameEnded(outcome))
    else:
        course.happens(RoundStarted(state.round + 1, next_seat(state, state.first_seat)))


def ending(state: State, winners: tuple[Seat, ...], reason: str) -> GameEnded:
    """The end of the game as things stand."""
    return GameEnded(Outcome(winners, reason, scores_of(state)))


# -- directives -------------------------------------------------------------------------------------------------


def score(state: State, seat: Seat) -> int:
    """How far a city has come towards its directive."""
    box, me = box_of(state), state.players[seat]
    match state.options.mode:
        case "scribe":
            return completed_pyramid(box, me)
        case "architect":
            return filled_spaces(me) + (1 if owned(me, PYRAMID) else 0)
        case "priest":
            return main_standing(me) + min(PRIEST_ADMINISTRATIVE, administrative_standing(box, me))
        case "pharaoh":
            return main_standing(me) + administrative_standing(box, me)


def scores_of(state: State) -> tuple[int, ...]:
    return tuple([score(state, seat) for seat in range(len(state.players))])


def full_mark(state: State) -> int:
    """The score of a fulfilled directive."""
    box = box_of(state)
    match state.options.mode:
        case "scribe":
            return 1
        case "architect":
            return len(box.spaces) + 1
        case "priest":
            return 2 + PRIEST_ADMINISTRATIVE
        case "pharaoh":
            return 2 + len(box.administrative)


def main_standing(player: Player) -> int:
    """How many of Port and Pyramid are completed."""
    return len([tile for tile in built_tiles(player) if tile.building in (PORT, PYRAMID)])


def filled_spaces(player: Player) -> int:
    """Spaces with a building, or with the pyramid, which may still be a site."""
    return len(
        [tiles for tiles in player.spaces if tiles and (tiles[0].built or tiles[0].building == PYRAMID)]
    )


# -- who has won ------------------------------------------------------------------------------------------------


def outcome_of(state: State) -> Outcome | None:
    """The outcome after a round: a directive fulfilled, or the last round played; a vacated seat never wins."""
    scores = scores_of(state)
    goal = full_mark(state)
    fulfilled = tuple(seat for seat in state.staying if scores[seat] == goal)
    if fulfilled:
        winners, tiebreak = break_tie(state, fulfilled)
        return Outcome(winners, "directive_fulfilled", scores, tiebreak)
    if state.round == state.options.max_rounds:
        winners, tiebreak = break_tie(state, furthest(state, scores))
        return Outcome(winners, "round_limit", scores, tiebreak)
    return None


def furthest(state: State, scores: Sequence[int]) -> tuple[Seat, ...]:
    """At the round limit the highest score leads; Scribes then compare the steps of their pyramids."""
    seats = leading(state.staying, scores)
    if state.options.mode == "scribe":
        return leading(seats, [pyramid_steps(player) for player in state.players])
    return seats


def pyramid_steps(player: Player) -> int:
    """Steps done on a pyramid; none without one."""
    pyramid = owned(player, PYRAMID)
    return pyramid.steps if pyramid and pyramid.steps is not UNSET else 0


def break_tie(state: State, seats: tuple[Seat, ...]) -> tuple[tuple[Seat, ...], str | None]:
    """The four criteria in turn (Q37); the one named is the last that removed someone."""
    tiebreak = None
    for name, measure in TIEBREAKS.items():
        left = leading(seats, [measure(box_of(state), player) for player in state.players])
        if len(left) < len(seats):
            seats, tiebreak = left, name
    return seats, tiebreak


def completed_pyramid(box: Box, player: Player) -> int:
    """A completed pyramid beats none."""
    return 1 if standing(player, PYRAMID) else 0


def steps_of_unfinished_pyramid(box: Box, player: Player) -> int:
    """More steps beat fewer."""
    return 0 if standing(player, PYRAMID) else pyramid_steps(player)


def most_material(box: Box, player: Player) -> int:
    """The lower a pyramid's number, the more material it took; without one, last."""
    pyramid = owned(player, PYRAMID)
    number = pyramid.number if pyramid and pyramid.number is not UNSET else len(box.pyramids) + 1
    return -number


TIEBREAKS: dict[str, Callable[[Box, Player], int]] = {
    "administrative_buildings": administrative_standing,
    "pyramid_completed": completed_pyramid,
    "pyramid_steps": steps_of_unfinished_pyramid,
    "pyramid_number": most_material,
}
