"""Where cards and pieces lie, and who sees them (4.1). The end of the game uncovers nothing."""

from collections.abc import Iterator

from games.aton.state import SEATS, Cards, Player, State, board_of
from games.kernel import Seat, Viewer, Zone, Zones


def own_cards(state: State, owner: Seat) -> str:
    """Each seat has a deck of its own, and its cards never leave it."""
    return f"cards of seat {owner}"


def sees_cartouches(state: State, owner: Seat, viewer: Viewer) -> bool:
    return viewer == owner or not lies_face_down(state, owner)


def lies_face_down(state: State, seat: Seat) -> bool:
    """Laid cards are turned up when both seats have laid; never, if a seat withdrew before that."""
    if not state.players[seat].cartouches_count:
        return False
    all_laid = all(player.cartouches_count for player in state.players)
    return state.phase == "allocate" or (state.phase == "ended" and not all_laid)


def supply_of(player: Player) -> Cards:
    """A piece is told by the seat that it belongs to."""
    return (player.seat,) * player.supply


def pieces_on_board(state: State) -> Iterator[Seat]:
    return (owner for owner in state.board.values() if owner is not None)


def everything(state: State) -> dict[str, Cards]:
    box = board_of(state).box
    pieces = tuple(seat for seat in SEATS for _ in range(box.pieces_per_player))
    return {own_cards(state, seat): box.cards for seat in SEATS} | {"pieces": pieces}


ZONES = Zones[State](
    Zone(member="hand", kind=own_cards, each_player=True, seen_by="owner"),
    Zone(member="deck", kind=own_cards, each_player=True, seen_by="nobody"),
    Zone(member="discard", kind=own_cards, each_player=True),
    Zone(member="exchanged", kind=own_cards, each_player=True, seen_by="owner"),
    Zone(member="cartouches", kind=own_cards, each_player=True, seen_by=sees_cartouches),
    Zone(member="supply", kind="pieces", each_player=True, contents=supply_of),
    Zone(member="board", kind="pieces", contents=pieces_on_board),
    Zone(member="dead", kind="pieces"),
    box=everything,
)
