"""The cull after a scoring (5.6): how many pieces each seat takes back, from which temples, and which by choice."""

from games.aton.box import TEMPLES
from games.aton.pieces import pieces_among, pieces_by_temple
from games.aton.state import Quota, State, board_of, scores
from games.kernel import Seat


def leader(state: State) -> Seat:
    """The seat with the higher score; level scores put red first (Q27)."""
    red, blue = scores(state)
    return 0 if red >= blue else 1


def cull_quota(state: State, seat: Seat) -> Quota:
    """One piece from each temple where it has some; for the others, more from the highest temples (Q25, Q26)."""
    pieces = pieces_by_temple(state, seat)
    quota = [min(1, own) for own in pieces]
    wanted = min(board_of(state).box.cull_pieces, sum(pieces))
    for at in reversed(range(len(quota))):
        quota[at] += min(pieces[at] - quota[at], wanted - sum(quota))
    first, second, third, fourth = quota
    return first, second, third, fourth


def quota_of(state: State, seat: Seat) -> dict[int, int]:
    """How many own pieces a seat has still to take from each temple."""
    return dict(zip(TEMPLES, state.cull_quota[seat], strict=True)) if state.cull_quota else {}


def cullable(state: State, seat: Seat) -> tuple[str, ...]:
    """The own pieces in temples that the quota still asks for."""
    board, quota = board_of(state), quota_of(state, seat)
    return tuple(s for s in pieces_among(state, seat, board.spaces) if quota[board.temple_of[s]])


def forced_culls(state: State, seat: Seat) -> tuple[str, ...]:
    """The pieces of every temple that the quota empties: they leave no choice (Q17)."""
    pieces, quota = pieces_by_temple(state, seat), quota_of(state, seat)
    emptied = {temple for temple in TEMPLES if quota[temple] == pieces[temple - 1]}
    return tuple(s for s in cullable(state, seat) if board_of(state).temple_of[s] in emptied)
