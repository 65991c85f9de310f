"""Every action a seat may take now (6): in `allocate` as the hand allows, otherwise spaces in board order."""

from games.aton.actions import AtonAction, Cull, Place, Remove
from games.aton.allocation import allocations
from games.aton.culling import cullable
from games.aton.state import State
from games.aton.turn import placeable, removable
from games.kernel import Seat


def legal_actions(state: State, seat: Seat) -> list[AtonAction]:
    """A decision is only asked for where there is one, so whoever is to act has something to choose."""
    if seat not in state.to_act:
        return []
    match state.phase:
        case "allocate":
            return [*allocations(state, seat)]
        case "remove":
            return [Remove(space) for space in removable(state, seat)]
        case "place":
            return [Place(space) for space in placeable(state, seat)]
        case _:
            return [Cull(space) for space in cullable(state, seat)]
