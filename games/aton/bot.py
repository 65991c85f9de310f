"""The greedy bot (15): it takes the action after which the board, as it sees it, is worth most."""

from collections import Counter
from collections.abc import Iterable

from games.aton.actions import Allocate, AtonAction, Cull, Exchange, Place, Remove
from games.aton.appraisal import APPRAISALS, Kind
from games.aton.box import TEMPLES
from games.aton.culling import cullable
from games.aton.legal import allocations
from games.aton.state import State, board_of, other
from games.aton.turn import placeable, removable
from games.chance import Stream
from games.kernel import Bot, Seat

POOR_HAND = 7
"""A hand that sums to no more than this is worth the trade token."""
WIN = 50.0
"""What winning at once is worth, in points."""
BOARD_SHARE = 1.5
"""What a point of an imagined scoring is worth against one at cartouche 1: the board scores more than once."""

MOST_PLACED, MOST_REMOVED = 4, 2
"""The most pieces that a card at cartouche 4 places, and at cartouche 2 removes."""


class Greedy(Bot[State, AtonAction]):
    """Knows its own cards, the board and the open discards."""

    def choose(self, view: State, seat: Seat, dice: Stream) -> AtonAction:
        match view.phase:
            case "allocate":
                return choose_cards(view, seat)
            case "remove":
                return Remove(choose_removal(view, seat))
            case "place":
                return Place(choose_placement(view, seat))
            case _:
                return Cull(choose_cull(view, seat))


# -- pieces -----------------------------------------------------------------------------------------------------


def choose_placement(view: State, seat: Seat) -> str:
    """Complete a winning set if it is within reach, else improve the board most."""
    return winning_placement(view, seat) or _best(view, seat, placeable(view, seat), seat, pieces=1)


def winning_placement(view: State, seat: Seat) -> str | None:
    """A space of a set that the pieces still to be placed can complete."""
    room = set(placeable(view, seat))
    for winning_set in board_of(view).winning_sets:
        lacking = [space for space in winning_set.spaces if view.board[space] != seat]
        if len(lacking) <= view.remaining and room.issuperset(lacking):
            return lacking[0]
    return None


def choose_removal(view: State, seat: Seat) -> str:
    """The piece whose loss does the opponent most harm, or me least."""
    owner = seat if view.target_seat == seat else other(seat)
    return _best(view, seat, removable(view, seat), owner, pieces=-1)


def choose_cull(view: State, seat: Seat) -> str:
    """The own piece that is missed least."""
    return _best(view, seat, cullable(view, seat), seat, pieces=-1)


def _best(view: State, seat: Seat, spaces: Iterable[str], owner: Seat, pieces: int) -> str:
    """The space, first in board order, where one piece of the owner more or less is worth most to the seat."""
    appraisal = APPRAISALS[view.options.component_set]
    mine, theirs = appraisal.tallies(view, seat)
    changed = mine if owner == seat else theirs
    first_of: dict[Kind, str] = {}
    for space in spaces:
        first_of.setdefault(appraisal.kind_of[space], space)
    kind, _ = appraisal.best_change(first_of, changed, pieces, mine, theirs)
    return first_of[kind]


# -- cards ------------------------------------------------------------------------------------------------------


def choose_cards(view: State, seat: Seat) -> Exchange | Allocate:
    """Exchange a poor hand; lay any other so that points and board together are worth most."""
    player = view.players[seat]
    if player.trade_token and sum(player.hand or ()) <= POOR_HAND:
        return Exchange()
    forecast = Forecast(view, seat)
    return max(allocations(view, seat), key=lambda lay: forecast.of(lay.cards))


class Forecast:
    """What cards at the cartouches would bring on the board as it stands, whatever the opponent does."""

    def __init__(self, view: State, seat: Seat) -> None:
        self._view, self._seat = view, seat
        self._appraisal = APPRAISALS[view.options.component_set]
        self._mine, self._theirs = self._appraisal.tallies(view, seat)
        unseen = Counter(board_of(view).box.cards) - Counter(view.players[other(seat)].discard)
        self._opposing = [(card, number / unseen.total()) for card, number in unseen.items()]
        self._points = {card: self._points_of(card) for card in TEMPLES}
        self._boards: dict[tuple[int | None, int], list[float]] = {}

    def of(self, cards: tuple[int, int, int, int]) -> float:
        """The four cards together, in points."""
        points, removal, reach, number = cards
        number = min(number, self._view.players[self._seat].supply)
        return self._points[points] + BOARD_SHARE * (
            self._removing(removal, reach) + self._gains(None, reach)[number]
        )

    def _points_of(self, card: int) -> float:
        """Cartouche 1 against each card that the opponent may hold, and what it means to reach the last point."""
        last = board_of(self._view).box.winning_score
        me, opponent = self._view.players[self._seat].score, self._view.players[other(self._seat)].score
        worth = 0.0
        for against, likely in self._opposing:
            lead = 2 * (card - against)
            decides = WIN * ((lead > 0 and me + lead >= last) - (lead < 0 and opponent - lead >= last))
            worth += likely * (lead + decides)
        return worth

    def _removing(self, card: int, reach: int) -> float:
        if self._view.round == 1 or card == 2:
            return 0.0
        return (
            self._gains(self._seat, reach)[1]
            if card == 1
            else self._gains(other(self._seat), reach)[card - 2]
        )

    def _gains(self, owner: Seat | None, reach: int) -> list[float]:
        """What 0, 1, 2 … changes within reach bring: own pieces placed (owner None), or the owner's removed."""
        if (owner, reach) not in self._boards:
            self._boards[owner, reach] = self._look_ahead(owner, reach)
        return self._boards[owner, reach]

    def _look_ahead(self, owner: Seat | None, reach: int) -> list[float]:
        """One change after the other, each the best one; where none is left, nothing more is gained."""
        mine, theirs = self._mine.copy(), self._theirs.copy()
        changed, pieces = (theirs if owner == other(self._seat) else mine), (1 if owner is None else -1)
        kind_of, board = self._appraisal.kind_of, self._view.board
        left = Counter(kind_of[s] for s in board_of(self._view).reached_by[reach] if board[s] == owner)
        before = self._appraisal.worth(mine, theirs)
        gains = [0.0]
        for _ in range(MOST_PLACED if owner is None else MOST_REMOVED):
            if left:
                kind, worth = self._appraisal.best_change(left, changed, pieces, mine, theirs)
                kind.add(changed, pieces)
                left -= Counter((kind,))
                gains.append(worth - before)
            else:
                gains.append(gains[-1])
        return gains
