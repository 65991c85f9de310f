"""How a game begins (3): from the box, or from a position."""

from collections.abc import Mapping
from typing import Any

from games.aton.board import CARTOUCHES
from games.aton.cards import draw
from games.aton.facts import GameSetUp
from games.aton.play import Play
from games.aton.position import fill, read_position
from games.aton.reveal import reveal
from games.aton.round_end import begin_cull, continue_cull
from games.aton.state import Options, State
from games.aton.turn import begin_placement, begin_turn, start_placement, start_removal
from games.chance import Chance
from games.kernel import Fact, Seat


def opening(options: Options, chance: Chance, raw: Mapping[str, Any] | None) -> list[Fact[State]]:
    """The position as filled in, then every step up to the first decision."""
    position = read_position(raw)
    state = fill(position, options, chance)
    play = Play(state, chance)
    play.happens(GameSetUp(state))
    match state.phase:
        case "allocate":
            open_allocation(play)
        case "cull":
            open_cull(play)
        case phase:
            assert position.active_seat is not None
            open_turn(play, phase, position.active_seat, position.remaining)
    return play.facts


def open_allocation(play: Play) -> None:
    """Seats that have still to lay draw the hand they have not been given."""
    for seat in play.state.to_act:
        if not play.state.players[seat].hand_count:
            draw(play, seat, CARTOUCHES)
    if not play.state.to_act:
        reveal(play)


def open_turn(play: Play, phase: str, seat: Seat, remaining: int | None) -> None:
    """A turn begins with its phase, or goes on with the pieces that remain to be moved."""
    match phase, remaining:
        case "remove", None:
            begin_turn(play, seat)
        case "remove", int(number):
            start_removal(play, seat, number)
        case "place", None:
            begin_placement(play, seat)
        case "place", int(number):
            start_placement(play, seat, number)


def open_cull(play: Play) -> None:
    """A cull begins, or goes on with the quota that was given."""
    if play.state.cull_quota is None:
        begin_cull(play)
    else:
        continue_cull(play)
