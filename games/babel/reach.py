"""What is within reach in the rest of a turn: how far totals may still move, each limit seen by itself."""

import msgspec

from games.babel.box import NATIONS, Box, Nation
from games.babel.state import Levels, Nations, State, box_of
from games.kernel import Seat

MOST_RAISED = 8
"""Who has to raise its total by more than this in one turn need not look: it hardly ever can."""

Column = tuple[Nation | None, ...]
"""The cards before a temple; None is one from the hand that may be of any nation."""
Rooms = list[tuple[int, int]]
"""For each temple, how high it could be carried, and how high it is."""

QUARRY = -1


class Turn(msgspec.Struct, frozen=True, gc=False):
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
    rooms, skips, raised, lowered = _within_reach(turn, box)
    theirs = turn.theirs - lowered
    needed = max(_enough(turn, theirs, box), theirs + 1) - turn.mine - raised
    if needed <= 0:
        return True
    own, others = turn.own, turn.others
    if needed > len(own) + len(others) + max(0, skips):
        return False
    rooms.sort(reverse=True)
    return needed <= _most_built(rooms, own, others, skips) or needed <= _most_built(
        rooms, others, own, skips
    )


def _enough(turn: Turn, theirs: int, box: Box) -> int:
    """The total that ends the game in this turn, if the other's is as low as this (8)."""
    limits = box.thresholds
    if turn.last:
        return 0
    if theirs > limits.too_low:
        return limits.win
    return 0 if turn.endgame else limits.endgame


def _within_reach(turn: Turn, box: Box) -> tuple[Rooms, int, int, int]:
    """Room at the sites where the pawn can get, levels to skip, and what strikes there would raise and lower."""
    hand, spare, size, columns = turn.hand, turn.spare, box.migration_size, turn.columns
    assyrians, hittites, persians = hand.count("assyrians"), hand.count("hittites"), hand.count("persians")
    carried = 0
    if not turn.migrated:
        moved = [column[-size:] for column in columns if len(column) >= size]
        if moved:
            carried = size
            assyrians += max([three.count("assyrians") for three in moved])
            hittites += max([three.count("hittites") for three in moved])
            persians += max([three.count("persians") for three in moved])
    rooms: Rooms = []
    skips = raised = lowered = 0
    for at, name in enumerate(NATIONS):
        if at != turn.at and not (spare and name in hand):
            continue
        column, top, facing = columns[at], turn.tops[at], turn.facing[at]
        rooms.append((len(column) + spare + carried - (at != turn.at), top))
        skips = max(skips, persians + column.count("persians") - box.run_length + 1)
        if facing:
            if assyrians + column.count("assyrians") >= box.run_length:
                lowered += facing[-1]
            if facing[-1] > top and hittites + column.count("hittites") >= box.run_length:
                raised += facing[-1] - top
                lowered += facing[-1]
    return rooms, skips, raised, lowered


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
    for by in (2, 1) if skips > 0 else (1,):
        for at, (room, top) in enumerate(rooms):
            if top == level - by and room >= level:
                return at, by
    return None
