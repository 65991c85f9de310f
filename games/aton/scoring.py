"""The scoring of the temples (5.6): six lines, each by seat."""

from games.aton.box import TEMPLES, Board
from games.aton.facts import Line
from games.aton.pieces import pieces_among
from games.aton.state import SEATS, State, board_of
from games.kernel import Seat

Pair = tuple[int, int]


def scoring_lines(state: State) -> tuple[Line, ...]:
    """What a scoring would give now; the order of the lines is only for display (Q20)."""
    board = board_of(state)
    points = board.box.scoring
    in_temple = {temple: _count(state, board.temples[temple]) for temple in TEMPLES}
    on_black = _count(state, board.black)
    on_blue = _count(state, board.blue)
    return (
        _majority_line("temple_1", in_temple[1], _lead(in_temple[1])),
        _majority_line("temple_2", in_temple[2], (points.temple_2, points.temple_2)),
        _majority_line("temple_3", in_temple[3], in_temple[3]),
        # Q21: blue spaces of all temples count, for whoever leads in temple 4.
        _majority_line("temple_4", in_temple[4], _times(points.temple_4_per_blue, on_blue)),
        _majority_line("black", on_black, (points.black, points.black)),
        _bonus_line(state, board),
    )


def majority(counts: Pair) -> Seat | None:
    """Who has more; nobody if both have the same, none at all included (Q22)."""
    red, blue = counts
    return None if red == blue else int(blue > red)


def _majority_line(name: str, counts: Pair, worth: Pair) -> Line:
    winner = majority(counts)
    points = worth[0] if winner == 0 else 0, worth[1] if winner == 1 else 0
    return Line(name, counts, points)


def _bonus_line(state: State, board: Board) -> Line:
    """Each seat scores the bonus spaces it holds, without any majority (Q23)."""
    held = [pieces_among(state, seat, board.bonus) for seat in SEATS]
    red, blue = (sum(board.worth_of[space] for space in spaces) for spaces in held)
    return Line("bonus", (len(held[0]), len(held[1])), (red, blue))


def _count(state: State, spaces: tuple[str, ...]) -> Pair:
    return len(pieces_among(state, 0, spaces)), len(pieces_among(state, 1, spaces))


def _lead(counts: Pair) -> Pair:
    difference = abs(counts[0] - counts[1])
    return difference, difference


def _times(points: int, counts: Pair) -> Pair:
    return points * counts[0], points * counts[1]
