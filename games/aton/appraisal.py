"""What a board is worth to a seat: what a scoring would give, how firm its leads are, how near a board win is (15).

Spaces of one temple and colour are alike, so a board is appraised by counts alone, and what one piece more or less
changes is read off tables: its temple's and its colour's. Only temple 4 and the blue spaces depend on each other.
"""

from collections.abc import Callable, Iterable, Sequence
from math import exp
from operator import itemgetter
from typing import Final, NamedTuple

from games.aton.box import BOARDS, Board
from games.aton.state import SEATS, Player, State, board_of, laid
from games.kernel import Seat

Tally = list[int]
"""Pieces of a seat in temples 1 to 4, then on black, blue, bonus (their worth), yellow, green."""

FIRST, SECOND, THIRD, FOURTH, BLACK, BLUE, BONUS, YELLOW, GREEN = range(9)
COLOURS: Final = {"black": BLACK, "blue": BLUE, "bonus": BONUS, "yellow": YELLOW, "green": GREEN}
WINNING_SETS: Final = (FIRST, SECOND, THIRD, FOURTH, YELLOW, GREEN)

Leads = tuple[float, ...]
"""How much of a majority's points a lead of 0, 1, 2 … pieces is worth; the last entry is for any greater lead."""

LATER: Leads = (0.0, 0.35, 0.65, 0.9, 1.0, 1.0)
"""When the scoring is rounds away: small leads are soon lost."""
LASTING = 1.0
"""How much a board that is scored now is still worth for later scorings."""

NEAR_WIN = (60.0, 24.0, 14.0, 8.0, 4.0, 1.5, 0.5)
"""What a set is worth that lacks 0, 1, 2 … pieces: four may arrive in one turn."""
NO_WIN = (0.0,)
MOST_MOVED = 7
"""No more pieces than this come and go in a turn: two removed, four placed."""


def moved_before(pieces: int) -> Leads:
    """Leads when as many pieces come or go before the scoring: each can make up for one, so none is sure below."""
    return tuple(min(1.0, lead / (pieces + 1)) for lead in range(len(LATER)))


def scored_and_kept(leads: Leads) -> Leads:
    """What a scoring gives, and what stays for later ones."""
    return tuple(now + LASTING * later for now, later in zip(leads, LATER, strict=True))


class Kind(NamedTuple):
    """A kind of space: where in a tally a piece on it counts, and for how much."""

    number: int
    temple: int
    colour: int
    amount: int

    def add(self, tally: Tally, pieces: int) -> None:
        """Put pieces there, or (a negative number) take them away."""
        tally[self.temple] += pieces
        tally[self.colour] += pieces * self.amount


class Scale:
    """One way to weigh a board: tables of what my pieces against the opponent's are worth, in points."""

    def __init__(self, board: Board, leads: Leads, near_win: Sequence[float]) -> None:
        points = board.box.scoring
        most = range(2 + max(len(each.spaces) for each in board.winning_sets))
        size = dict(zip(WINNING_SETS, [len(each.spaces) for each in board.winning_sets], strict=True))

        def firm(lead: int) -> float:
            return _firm(lead, leads)

        def table(at: int, scored: Callable[[int, int], float]) -> list[list[float]]:
            return [[scored(m, t) + _progress(size.get(at), m, t, near_win) for t in most] for m in most]

        self._share = leads[-1]
        self._tables = [
            table(FIRST, lambda mine, theirs: self._share * (mine - theirs)),
            table(SECOND, lambda mine, theirs: points.temple_2 * firm(mine - theirs)),
            table(THIRD, lambda mine, theirs: max(mine, theirs) * firm(mine - theirs)),
            table(FOURTH, lambda mine, theirs: 0.0),
            table(BLACK, lambda mine, theirs: points.black * firm(mine - theirs)),
            table(BLUE, lambda mine, theirs: 0.0),
            table(BONUS, lambda mine, theirs: self._share * (mine - theirs)),
            table(YELLOW, lambda mine, theirs: 0.0),
            table(GREEN, lambda mine, theirs: 0.0),
        ]
        self._level = most[-1]
        self._blue = [
            [[points.temple_4_per_blue * firm(lead) * (m if lead > 0 else t) for t in most] for m in most]
            for lead in range(-self._level, self._level + 1)
        ]
        """By the lead in temple 4, then by blue spaces."""

    def worth(self, mine: Tally, theirs: Tally) -> float:
        """How much better the board is for me than for the opponent."""
        blue = self._blue[mine[FOURTH] - theirs[FOURTH] + self._level][mine[BLUE]][theirs[BLUE]]
        return sum([table[m][t] for table, m, t in zip(self._tables, mine, theirs, strict=True)], blue)

    def best(
        self, kinds: Iterable[Kind], mine: Tally, theirs: Tally, gained: int, lost: int
    ) -> tuple[Kind, float]:
        """Where I gain a piece (or lose one, −1), or the opponent does, to my greatest profit, and that profit."""
        by = [
            table[m + gained][t + lost] - table[m][t]
            for table, m, t in zip(self._tables, mine, theirs, strict=True)
        ]
        lead, m, t = mine[FOURTH] - theirs[FOURTH] + self._level, mine[BLUE], theirs[BLUE]
        ahead = self._blue[lead + gained - lost]
        now = self._blue[lead][m][t]
        by[FOURTH] += ahead[m][t] - now
        by[BLUE] += self._blue[lead][m + gained][t + lost] - now
        by[BONUS] = self._share * (gained - lost)
        both = ahead[m + gained][t + lost] - now
        best, most = None, 0.0
        for kind in kinds:
            _, temple, colour, amount = kind
            if colour == BONUS:
                profit = by[temple] + amount * by[BONUS]
            elif colour == BLUE and temple == FOURTH:
                profit = both + by[temple] - (ahead[m][t] - now)
            else:
                profit = by[temple] + by[colour]
            if best is None or profit > most:
                best, most = kind, profit
        assert best is not None
        return best, most


class Layout(NamedTuple):
    """The pieces on a board as a seat counts them: by kind of space, and as tallies."""

    own: list[int]
    opposing: list[int]
    room: list[int]
    mine: Tally
    theirs: Tally


class Appraisal:
    """A board, with its kinds of spaces and the scales that it is weighed on."""

    def __init__(self, board: Board) -> None:
        marks = [(each.temple - 1, COLOURS[each.colour], each.bonus or 1) for each in board.box.spaces]
        self.kinds = [Kind(number, *mark) for number, mark in enumerate(sorted(set(marks)))]
        by_mark = {(kind.temple, kind.colour, kind.amount): kind for kind in self.kinds}
        self.kind_of = {space: by_mark[mark] for space, mark in zip(board.spaces, marks, strict=True)}
        self.spaces_of = [[s for s in board.spaces if self.kind_of[s] is kind] for kind in self.kinds]
        self._size = [len(spaces) for spaces in self.spaces_of]
        self._owners = itemgetter(*board.spaces)
        self._kinds_in_order = [self.kind_of[space].number for space in board.spaces]
        self._points = board.box.scoring
        self.later = Scale(board, LATER, NEAR_WIN)
        self.soon = Scale(board, moved_before(4), NO_WIN)
        """What a scoring at the end of this round promises before the cards are laid."""
        self.scored_after = [
            Scale(board, scored_and_kept(moved_before(pieces)), NEAR_WIN) for pieces in range(MOST_MOVED)
        ]
        """What a board is worth that is scored this round, after as many pieces have come or gone."""

    def layout(self, state: State, seat: Seat) -> Layout:
        """How many pieces of both seats stand where."""
        pieces = [0] * len(self.kinds), [0] * len(self.kinds)
        for index, owner in zip(self._kinds_in_order, self._owners(state.board), strict=True):
            if owner is not None:
                pieces[owner][index] += 1
        own, opposing = pieces if seat == 0 else pieces[::-1]
        room = [size - m - t for size, m, t in zip(self._size, own, opposing, strict=True)]
        return Layout(own, opposing, room, self._tally(own), self._tally(opposing))

    def scored(self, mine: Tally, theirs: Tally) -> int:
        """What a scoring now would give to the seat of the first tally (5.6)."""
        points = mine[BONUS]
        if mine[FIRST] > theirs[FIRST]:
            points += mine[FIRST] - theirs[FIRST]
        if mine[SECOND] > theirs[SECOND]:
            points += self._points.temple_2
        if mine[THIRD] > theirs[THIRD]:
            points += mine[THIRD]
        if mine[FOURTH] > theirs[FOURTH]:
            points += self._points.temple_4_per_blue * mine[BLUE]
        if mine[BLACK] > theirs[BLACK]:
            points += self._points.black
        return points

    def _tally(self, pieces: list[int]) -> Tally:
        tally = [0] * 9
        for (_, temple, colour, amount), number in zip(self.kinds, pieces, strict=True):
            if number:
                tally[temple] += number
                tally[colour] += number * amount
        return tally


def _firm(lead: int, leads: Leads) -> float:
    """The share of a majority's points that a lead promises; negative when behind."""
    share = leads[min(abs(lead), len(leads) - 1)]
    return share if lead >= 0 else -share


def _progress(size: int | None, mine: int, theirs: int, near_win: Sequence[float]) -> float:
    """How near I am to completing a set, less how near the opponent is: opposing pieces have to go before."""
    if size is None:
        return 0.0
    worths = [
        near_win[lacking] if 0 <= (lacking := size - own + opposing) < len(near_win) else 0.0
        for own, opposing in ((mine, theirs), (theirs, mine))
    ]
    return worths[0] - worths[1]


APPRAISALS = {name: Appraisal(board) for name, board in BOARDS.items()}

# -- chances --------------------------------------------------------------------------------------------------------

LEAD, OUTLOOK, PIECE_DUE, CARDS = 0.16, 0.079, 0.33, 0.29
"""What a point of lead, a point of the board, a piece still to be placed this round, and a point in cards add to the
log-odds; lead and cards count in full with the last point near, and for little at the beginning.

Fitted by logistic regression on 85,235 states of 2,500 games that `greedy` played against itself, each seat doing
something at random in 0, 5 or 15 % of its choices. On the 700 games left out of a first fit the log-loss was 0.563 and
the Brier score 0.189; a constant has 0.694 and 0.246."""


def chances(state: State) -> tuple[float, ...]:
    """How likely each seat is to win as a full state stands; a game that is over is shared by its winners."""
    if state.outcome:
        winners = state.outcome.winners
        return tuple([1 / len(winners) if seat in winners else 0.0 for seat in SEATS])
    appraisal = APPRAISALS[state.options.component_set]
    layout, (red, blue) = appraisal.layout(state, 0), state.players
    late = max(red.score, blue.score) / board_of(state).box.winning_score
    odds = (
        LEAD * late * (red.score - blue.score)
        + OUTLOOK * appraisal.later.worth(layout.mine, layout.theirs)
        + PIECE_DUE * (_due(state, 0) - _due(state, 1))
    )
    if state.phase == "allocate":
        odds += CARDS * late * (_cards(red) - _cards(blue))
    first = 1 / (1 + exp(-odds))
    return first, 1 - first


def _due(state: State, seat: Seat) -> int:
    """How many pieces a seat has still to place this round."""
    if state.phase not in ("remove", "place") or seat != state.active_seat != state.first_seat:
        return 0
    return state.remaining if seat == state.active_seat and state.phase == "place" else laid(state, seat)[3]


def _cards(player: Player) -> int:
    """What the cards add up to that a seat holds or has laid."""
    return sum(player.hand or player.cartouches or ())
