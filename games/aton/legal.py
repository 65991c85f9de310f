"""Every action a seat may take now (6): in `allocate` as the hand allows, otherwise spaces in board order."""

from itertools import permutations

from games.aton.actions import Allocate, AtonAction, Cull, Exchange, Place, Remove
from games.aton.box import CARTOUCHES
from games.aton.culling import cullable
from games.aton.state import State
from games.aton.turn import placeable, removable
from games.kernel import Seat


def choices(state: State, seat: Seat) -> list[AtonAction]:
    """A decision is only asked for where there is one, so whoever is to act has something to choose."""
    match state.phase:
        case "allocate":
            exchange: list[AtonAction] = [Exchange()] if state.players[seat].trade_token else []
            return exchange + allocations(state, seat)
        case "remove":
            return [Remove(space) for space in removable(state, seat)]
        case "place":
            return [Place(space) for space in placeable(state, seat)]
        case _:
            return [Cull(space) for space in cullable(state, seat)]


def allocations(state: State, seat: Seat) -> list[Allocate]:
    """Every different way to lay the hand, ascending."""
    orders = sorted({*permutations(state.players[seat].hand or (), CARTOUCHES)})
    return [Allocate((first, second, third, fourth)) for first, second, third, fourth in orders]
