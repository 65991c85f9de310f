"""What cards at the cartouches would bring on the board as it stands (15)."""

from itertools import permutations
from typing import NamedTuple

from games.aton.actions import Allocate
from games.aton.appraisal import APPRAISALS
from games.aton.box import CARTOUCHES, TEMPLES
from games.aton.state import State, board_of, other
from games.kernel import Seat

WIN = 42.0
"""What winning is worth, in points."""
CLEAR = 12.0
"""A lead that wins a game which ends at this scoring, whatever the opponent does before."""
POINT, LATE_POINT = 0.45, 0.4
"""What a point is worth at the beginning, and how much more when the last one is near."""
BOARD, FILLING, LATE = 1.2, 0.3, -0.6
"""What a point of a later scoring is worth: at first, with the dead full, and with the last point near (less)."""
KEPT = 0.9
"""The same right after a scoring."""
LAST_WORD, FIRST_WORD = 1.5, 1.0
"""What it is worth to go second in a round with a scoring, and first in one without."""

PLACING, REMOVING_OWN, REMOVING = (1, 0), (-1, 0), (0, -1)
"""What I gain and what the opponent gains by one step."""
MOST_STEPS = {PLACING: 4, REMOVING_OWN: 1, REMOVING: 2}
"""The most pieces that a card at cartouche 4 places, and at cartouche 2 removes."""


class Change(NamedTuple):
    """What some pieces placed or removed change: in points of a scoring now, and of later ones."""

    now: float = 0.0
    later: float = 0.0


def best_allocation(view: State, seat: Seat) -> Allocate:
    """The way to lay the hand that is worth most; the first in ascending order of equals."""
    forecast = Forecast(view, seat)
    orders = sorted({*permutations(view.players[seat].hand or (), CARTOUCHES)})
    first, second, third, fourth = max(orders, key=forecast.of)
    return Allocate((first, second, third, fourth))


class Forecast:
    """What lies before both seats lay, and what four cards would make of it."""

    def __init__(self, view: State, seat: Seat) -> None:
        box = board_of(view).box
        self._round, self._last = view.round, box.winning_score
        self._me, self._opponent = view.players[seat], view.players[other(seat)]
        self._appraisal = APPRAISALS[view.options.component_set]
        self._layout = self._appraisal.layout(view, seat)
        mine, theirs = self._layout.mine, self._layout.theirs
        self._score = self._me.score + self._appraisal.scored(mine, theirs)
        self._opposing_score = self._opponent.score + self._appraisal.scored(theirs, mine)
        self._later = self._appraisal.later.worth(mine, theirs)
        self._dead, self._dead_spaces = len(view.dead), box.dead_spaces
        self._likely = likely_cards(box.cards, self._opponent.discard)
        self._likely_lower = {
            card: sum([p for lower, p in self._likely.items() if lower < card]) + self._likely[card] / 2
            for card in TEMPLES
        }
        """How likely the opponent's card at cartouche 2 lets it go first; equal cards decide nothing here."""
        self._late = max(self._me.score, self._opponent.score) / self._last
        self._point = POINT + LATE_POINT * self._late
        self._points = {card: self._points_of(card) for card in {*(self._me.hand or ())}}
        self._ladders: dict[tuple[tuple[int, int], int], list[Change]] = {}

    def of(self, cards: tuple[int, ...]) -> float:
        """The four cards together, in points."""
        points, removal, reach, number = cards
        removed, dead = self._removing(removal, reach)
        placed = self._ladder(PLACING, reach)
        number = min(number, self._me.supply)
        room = len(placed) - 1
        dead += self._dead + max(0, number - room)
        standing = placed[min(number, room)]
        now, later = removed.now + standing.now, self._later + removed.later + standing.later
        scored = self._likely_scored(dead)
        board = BOARD + FILLING * min(1.0, dead / self._dead_spaces) + LATE * self._late
        second = self._likely_lower[removal]
        return (
            self._point * self._points[points]
            + scored * (self._point * self._scoring(now) + KEPT * later + LAST_WORD * second)
            + (1 - scored) * (board * later - FIRST_WORD * second)
        )

    def _points_of(self, card: int) -> float:
        """Cartouche 1 against each card that the opponent may lay, and what it means to reach the last point."""
        worth = 0.0
        lead: float
        for against, likely in self._likely.items():
            lead = 2 * (card - against)
            if lead > 0 and self._me.score + lead >= self._last:
                lead += WIN
            elif lead < 0 and self._opponent.score - lead >= self._last:
                lead -= WIN
            worth += likely * lead
        return worth

    def _removing(self, card: int, reach: int) -> tuple[Change, int]:
        """What the card at cartouche 2 changes, and how many pieces it sends to the dead."""
        if self._round == 1 or card == 2:
            return Change(), 0
        ladder = self._ladder(REMOVING_OWN if card == 1 else REMOVING, reach)
        pieces = min(1 if card == 1 else card - 2, len(ladder) - 1)
        return ladder[pieces], pieces

    def _likely_scored(self, dead: int) -> float:
        """How likely the opponent's removal fills the dead, if they are not yet full."""
        lacking = self._dead_spaces - dead
        if lacking <= 0:
            return 1.0
        if self._round == 1 or lacking > 2:
            return 0.0
        return 1.0 - self._likely[2] if lacking == 1 else self._likely[4]

    def _scoring(self, change: float) -> float:
        """What a scoring gives after such a change, and what it means if that ends the game."""
        lead = self._score - self._opposing_score + change
        gained = lead - (self._me.score - self._opponent.score)
        if max(self._score, self._opposing_score) + abs(change) / 2 < self._last:
            return gained
        return gained + WIN * max(-1.0, min(1.0, lead / CLEAR))

    def _ladder(self, step: tuple[int, int], reach: int) -> list[Change]:
        """What 0, 1, 2 … such steps within reach bring, as many as there are pieces or room for."""
        if (step, reach) not in self._ladders:
            self._ladders[step, reach] = self._climb(step, reach)
        return self._ladders[step, reach]

    def _climb(self, step: tuple[int, int], reach: int) -> list[Change]:
        """One step after the other, each the best one."""
        own, opposing, room, mine, theirs = self._layout
        mine, theirs = mine.copy(), theirs.copy()
        changed, number = (theirs, -1) if step == REMOVING else (mine, step[0])
        left = (room if step == PLACING else own if step == REMOVING_OWN else opposing).copy()
        scale = self._appraisal.later
        kinds = [kind for kind in self._appraisal.kinds if kind.temple < reach and left[kind.number]]
        before = self._appraisal.soon.worth(mine, theirs)
        ladder = [Change()]
        while kinds and len(ladder) <= MOST_STEPS[step]:
            kind, profit = scale.best(kinds, mine, theirs, *step)
            kind.add(changed, number)
            now = self._appraisal.soon.worth(mine, theirs) - before
            ladder.append(Change(now, ladder[-1].later + profit))
            left[kind.number] -= 1
            if not left[kind.number]:
                kinds.remove(kind)
        return ladder


def likely_cards(cards: tuple[int, ...], discarded: tuple[int, ...]) -> dict[int, float]:
    """How likely each value is among an opponent's cards that were not laid open."""
    unseen = {value: cards.count(value) - discarded.count(value) for value in TEMPLES}
    return {value: number / (len(cards) - len(discarded)) for value, number in unseen.items()}
