"""Pieces on the board: whose stand where, and the refusals that speak of one space."""

from games.aton.state import Quota, State, board_of
from games.kernel import Objection, Seat


def pieces_among(state: State, seat: Seat, spaces: tuple[str, ...]) -> tuple[str, ...]:
    """Those of the spaces that hold a seat's pieces."""
    board = state.board
    return tuple([space for space in spaces if board[space] == seat])


def pieces_by_temple(state: State, seat: Seat) -> Quota:
    """How many pieces a seat has in temples 1, 2, 3, 4."""
    first, second, third, fourth = [
        len(pieces_among(state, seat, spaces)) for spaces in board_of(state).temples.values()
    ]
    return first, second, third, fourth


def holds_all(state: State, seat: Seat, spaces: tuple[str, ...]) -> bool:
    """Whether all these spaces hold pieces of this seat."""
    board = state.board
    return all(board[space] == seat for space in spaces)


def against_unknown_space(state: State, space: str) -> Objection | None:
    """A space must be one of this board's."""
    if space in state.board:
        return None
    return Objection("unknown_space", f"There is no space {space!r} on this board.")


def against_owner(state: State, seat: Seat | None, space: str) -> Objection | None:
    """There must be a piece on a space, and it must be this seat's."""
    owner = state.board[space]
    if owner is None:
        return Objection("space_empty", "There is no piece on that space.")
    if owner == seat:
        return None
    return Objection("wrong_owner", "The piece on that space is not one of those you have to take.")
