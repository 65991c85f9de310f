"""What a board is worth to a seat: an imagined scoring, softened, and the progress towards a board win (15).

Spaces of one temple and colour are alike, so a board is appraised by counts alone: pieces per temple and colour.
"""

from collections.abc import Iterable
from math import exp
from typing import Final

from games.aton.box import BOARDS, TEMPLES, Board, Space
from games.aton.state import State, other, scores
from games.kernel import Seat

Tally = list[int]
"""Pieces of a seat in temples 1 to 4, then on black, blue, bonus (their worth), yellow, green."""

BLACK, BLUE, BONUS, YELLOW, GREEN = range(len(TEMPLES), len(TEMPLES) + 5)
COLOURS: Final = {"black": BLACK, "blue": BLUE, "bonus": BONUS, "yellow": YELLOW, "green": GREEN}

FIRM_LEAD = (0.0, 0.35, 0.6, 0.8, 1.0)
"""How much of a majority's points a lead of 0, 1, 2 … pieces is worth: small leads are soon lost."""

NEAR_WIN = (60.0, 24.0, 14.0, 8.0, 4.0, 1.5, 0.5)
"""What a set is worth that lacks 0, 1, 2 … pieces: four may arrive in one turn."""


class Kind:
    """A kind of space: what a piece there adds to a tally."""

    def __init__(self, space: Space) -> None:
        self.temple = space.temple
        self.colour = COLOURS[space.colour]
        self.amount = space.bonus if self.colour == BONUS else 1

    def add(self, tally: Tally, pieces: int = 1) -> None:
        """Put pieces there, or (a negative number) take them away."""
        tally[self.temple - 1] += pieces
        tally[self.colour] += pieces * self.amount


class Appraisal:
    """The view of one seat on one board."""

    def __init__(self, board: Board) -> None:
        points = board.box.scoring
        self._temple_2, self._per_blue, self._black = points.temple_2, points.temple_4_per_blue, points.black
        kinds: dict[tuple[int, str, int], Kind] = {}
        self.kind_of = {
            space.id: kinds.setdefault((space.temple, space.colour, space.bonus), Kind(space))
            for space in board.box.spaces
        }
        sizes = [len(winning_set.spaces) for winning_set in board.winning_sets]
        self._sets = tuple(zip((0, 1, 2, 3, YELLOW, GREEN), sizes, strict=True))

    def tallies(self, state: State, seat: Seat) -> tuple[Tally, Tally]:
        """The pieces of a seat, and those of its opponent."""
        both: tuple[Tally, Tally] = [0] * 9, [0] * 9
        for space, owner in state.board.items():
            if owner is not None:
                self.kind_of[space].add(both[owner])
        return both[seat], both[other(seat)]

    def worth(self, mine: Tally, theirs: Tally) -> float:
        """How much better the board is for me than for the opponent, in points."""
        ahead = mine[3] - theirs[3]
        blue = mine[BLUE] if ahead > 0 else theirs[BLUE]
        third = mine[2] - theirs[2]
        return (
            mine[0]
            - theirs[0]
            + self._temple_2 * firm(mine[1] - theirs[1])
            + firm(third) * (mine[2] if third > 0 else theirs[2])
            + self._per_blue * blue * firm(ahead)
            + self._black * firm(mine[BLACK] - theirs[BLACK])
            + mine[BONUS]
            - theirs[BONUS]
            + self._progress(mine, theirs)
            - self._progress(theirs, mine)
        )

    def best_change(
        self, kinds: Iterable[Kind], changed: Tally, pieces: int, mine: Tally, theirs: Tally
    ) -> tuple[Kind, float]:
        """Where to put (or take) pieces in one of the two tallies, and what the board is then worth."""
        best: tuple[Kind, float] | None = None
        for kind in kinds:
            kind.add(changed, pieces)
            worth = self.worth(mine, theirs)
            kind.add(changed, -pieces)
            if best is None or worth > best[1]:
                best = kind, worth
        assert best is not None
        return best

    def _progress(self, own: Tally, opposing: Tally) -> float:
        """Sets that a seat may soon complete; an opposing piece has to be removed before it is replaced."""
        worth = 0.0
        for at, size in self._sets:
            lacking = size - own[at] + opposing[at]
            if lacking < len(NEAR_WIN):
                worth += NEAR_WIN[lacking]
        return worth


def firm(lead: int) -> float:
    """The share of a majority's points that a lead promises; negative when behind."""
    share = FIRM_LEAD[min(abs(lead), len(FIRM_LEAD) - 1)]
    return share if lead >= 0 else -share


APPRAISALS = {name: Appraisal(board) for name, board in BOARDS.items()}

BOARD_POINTS, POINTS_OF_SCALE = 0.7, 12.0


def chances(state: State) -> tuple[float, ...]:
    """How likely each seat is to win as a state stands; a finished game is shared by its winners."""
    if state.outcome:
        winners = state.outcome.winners
        return tuple(1 / len(winners) if seat in winners else 0.0 for seat in (0, 1))
    appraisal = APPRAISALS[state.options.component_set]
    red, blue = scores(state)
    lead = red - blue + BOARD_POINTS * appraisal.worth(*appraisal.tallies(state, 0))
    first = 1 / (1 + exp(-lead / POINTS_OF_SCALE))
    return first, 1 - first
