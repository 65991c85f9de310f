"""What is within reach in the rest of a turn: how far totals may still move, each limit seen by itself."""

from typing import NamedTuple

from games.babel.box import NATIONS, Box, Nation
from games.babel.state import Levels, Nations, State, box_of
from games.kernel import Seat

MOST_RAISED = 8
"""Who has to raise its total by more than this in one turn need not look: it hardly ever can."""

USED: tuple[Nation, ...] = ("assyrians", "hittites", "persians")
"""The nations whose abilities take or add levels."""

Column = tuple[Nation | None, ...]
"""The cards before a temple; None is one from the hand that may be of any nation."""
Rooms = list[tuple[int, int]]
"""For each temple, how high it could be carried, and how high it is."""

QUARRY = -1


class Turn(NamedTuple):
    """What still counts in a turn; the sites have the numbers of their nations."""

    last: bool
    """Whether this turn takes the last cards off the temple pile (5.2)."""
    at: int
    hand: Nations
    spare: int
    """How many cards of the hand are not yet laid without a name."""
    migrated: bool
    tops: tuple[int, ...]
    columns: tuple[Column, ...]
    facing: tuple[Levels, ...]
    own: Levels
    others: Levels
    mine: int
    theirs: int
    endgame: bool


def turn_of(view: State, seat: Seat) -> Turn:
    """The rest of a turn, as the player sees it whose turn it is."""
    me, other = view.players[seat], view.players[1 - seat]
    mine, theirs = [me.sites[name] for name in NATIONS], [other.sites[name] for name in NATIONS]
    hand = me.hand or ()
    return Turn(
        view.temple_pile_count <= box_of(view).temples_revealed,
        NATIONS.index(me.pawn) if me.pawn else QUARRY,
        hand,
        len(hand),
        view.migrated,
        tuple([site.top for site in mine]),
        tuple([site.column for site in mine]),
        tuple([site.temple for site in theirs]),
        me.temple_column,
        other.temple_column,
        me.total,
        other.total,
        view.endgame,
    )


def may_win(turn: Turn, box: Box) -> bool:
    """Whether all that could be built, stolen and destroyed, taken together, would end the game in my favour."""
    limits = box.thresholds
    raised, lowered = most_gained(turn, box)
    mine, theirs = turn.mine + raised, turn.theirs - lowered
    if mine <= theirs:
        return False
    if turn.last:
        return True
    if turn.endgame:
        return mine >= limits.win or theirs <= limits.too_low
    return mine >= limits.endgame and (theirs <= limits.too_low or mine >= limits.win)


def most_gained(turn: Turn, box: Box) -> tuple[int, int]:
    """About the most that I can add to my total, and take from the other's."""
    hand, spare, run, size = turn.hand, turn.spare, box.run_length, box.migration_size
    moved = [] if turn.migrated else [column[-size:] for column in turn.columns if len(column) >= size]
    at_hand = [hand.count(n) + max([three.count(n) for three in moved], default=0) for n in USED]
    carried = size if moved else 0
    rooms: Rooms = []
    raised = lowered = skips = 0
    for at, name in enumerate(NATIONS):
        if at != turn.at and not (spare and name in hand):
            continue
        column, top, facing = turn.columns[at], turn.tops[at], turn.facing[at]
        rooms.append((len(column) + spare + carried - (at != turn.at), top))
        assyrians, hittites, persians = [
            n + column.count(each) for n, each in zip(at_hand, USED, strict=True)
        ]
        skips = max(skips, persians - run + 1)
        if facing and assyrians >= run:
            lowered += facing[-1]
        if facing and hittites >= run and facing[-1] > top:
            raised += facing[-1] - top
            lowered += facing[-1]
    rooms.sort(reverse=True)
    built = _most_built(rooms, turn.own, turn.others, skips)
    return raised + max(built, _most_built(rooms, turn.others, turn.own, skips)), lowered


def _most_built(rooms: Rooms, first: Levels, second: Levels, skips: int) -> int:
    """Card after card off both temple columns, each onto the temple with most room that it fits."""
    rooms, raised = rooms.copy(), 0
    while True:
        if first and (fit := _fitting(rooms, first[-1], skips)):
            level, first = first[-1], first[:-1]
        elif second and (fit := _fitting(rooms, second[-1], skips)):
            level, second = second[-1], second[:-1]
        else:
            return raised
        at, by = fit
        rooms[at] = rooms[at][0], level
        raised += by
        skips -= by - 1


def _fitting(rooms: Rooms, level: int, skips: int) -> tuple[int, int] | None:
    """Where a level can be built, and by how much it raises a temple: by one, or two where a level is skipped."""
    for by in (1, 2) if skips > 0 else (1,):
        for at, (room, top) in enumerate(rooms):
            if top == level - by and room >= level:
                return at, by
    return None
