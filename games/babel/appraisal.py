"""How good a table is for a player, ten points to a temple level: what the greedy bot goes by (15)."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby
from math import exp

from games.babel.box import NATIONS, Box, Nation, Thresholds
from games.babel.end import standing
from games.babel.reach import may_win, turn_of
from games.babel.state import Levels, Nations, Player, Site, State, active_seat, box_of
from games.kernel import without

WON = 10_000.0
LEVEL = 10.0
HAND_CARD = 1.3
JOURNEY = 1.3
"""A nation in hand can also be travelled to."""
COLUMN_CARD = 1.3
USEFUL_CARDS = 6
"""A column needs no more cards than the highest level asks for."""
SPARE_CARD = 0.2
"""A card in a column that is ready for the next level."""
RUN = 5.0
PAIR = 0.25
"""How likely a pair at the end of a column becomes a run."""
MINE, THEIRS = 0.2, 0.5
"""How surely a run will be used: the other player moves next, and can act on my runs before I do."""
WITHIN_REACH = 0.75
"""What can still be had in this turn is worth a little less than what is there."""
COMING, COMING_ELSEWHERE = 0.5, 0.3
"""What the other player can build next is half lost already; less so where he still has to travel."""
DANGER = 3.0
"""Each point of the other player towards the end, while I am too low to live through it."""

_STRIKING: tuple[Nation, ...] = ("assyrians", "hittites")
"""The nations that act on a temple."""

Sites = dict[Nation, Site]

_remembered = lru_cache(maxsize=1 << 15)


def decided(me: Player, other: Player, endgame: bool, limits: Thresholds) -> float | None:
    """Won or lost, if these totals end the game."""
    _, reason = standing((me.total, other.total), endgame, limits)
    if reason is None:
        return None
    return WON if me.total > other.total else -WON


class Table:
    """What lies open and what is held as a choice begins; an action changes little of it, and only that is looked at."""

    def __init__(self, me: Player, other: Player, box: Box) -> None:
        self._mine, self._theirs, self._other, self._box = me.sites, other.sites, other, box
        self._sites = [self._site(name, me.sites, other.sites) for name in NATIONS]
        self._coming = _coming_levels(other, box)

    def worth(self, me: Player, other: Player) -> float:
        """What the table is worth to me after an action, and what the other player will make of it."""
        coming = self._coming if other is self._other else _coming_levels(other, self._box)
        return (
            sum(self._changed(me.sites, other.sites))
            + HAND_CARD * (me.hand_count - other.hand_count)
            + worth_of_hand(me.hand or (), me.pawn, me.here.column, self._box.run_length)
            + _safety(me.total, other.total, self._box.thresholds)
            - LEVEL * coming
        )

    def _changed(self, mine: Sites, theirs: Sites) -> list[float]:
        """The worth of every site; a site that is the same object as before is worth the same."""
        if mine is self._mine and theirs is self._theirs:
            return self._sites
        return [
            before
            if mine[name] is self._mine[name] and theirs[name] is self._theirs[name]
            else self._site(name, mine, theirs)
            for name, before in zip(NATIONS, self._sites, strict=True)
        ]

    def _site(self, name: Nation, mine: Sites, theirs: Sites) -> float:
        here, there = mine[name], theirs[name]
        return worth_of_site(here.temple, here.column, there.temple, there.column, self._box.run_length)


def worth_of_table(me: Player, other: Player, box: Box) -> float:
    """What lies open and what is held, mine less theirs, and what the other player will make of it."""
    return Table(me, other, box).worth(me, other)


@_remembered
def worth_of_hand(hand: Nations, pawn: Nation | None, column: Nations, run: int) -> float:
    """Every other nation in a hand is a journey; equal cards may complete a run in the column where the pawn stands."""
    worth = 0.0
    for nation in NATIONS:
        if nation not in hand:
            continue
        if nation != pawn:
            worth += JOURNEY
        if column[-1:] == (nation,) and hand.count(nation) + _length_at_end(column) >= run:
            worth += RUN / 2
    return worth


def _safety(mine: int, theirs: int, limits: Thresholds) -> float:
    """With nine or fewer, every step of the other player towards fifteen brings the end nearer."""
    worth = 0.0
    if mine <= limits.too_low <= theirs:
        worth -= DANGER * (theirs + 1 - limits.too_low)
    if theirs <= limits.too_low <= mine:
        worth += DANGER * (mine + 1 - limits.too_low)
    return worth


@_remembered
def worth_of_site(temple: Levels, column: Nations, facing: Levels, opposing: Nations, run: int) -> float:
    """Both sides of a site, mine less theirs."""
    mine = _worth_of_side(temple, column, facing, opposing, run, MINE)
    return mine - _worth_of_side(facing, opposing, temple, column, run, THEIRS)


def _worth_of_side(
    temple: Levels, column: Nations, facing: Levels, opposing: Nations, run: int, sure: float
) -> float:
    """A temple, the cards that can carry more of it, and what its runs threaten."""
    carrying = min(len(column), USEFUL_CARDS)
    worth = LEVEL * _top(temple) + COLUMN_CARD * carrying + SPARE_CARD * max(carrying - _top(temple), 0)
    for nation, complete in _runs(column, run):
        menace = sure * _effect(nation, temple, len(column), facing, opposing)
        worth += RUN + menace if complete else PAIR * menace
    return worth


def _top(temple: Levels) -> int:
    return temple[-1] if temple else 0


def _runs(column: Nations, run: int) -> Iterator[tuple[Nation, bool]]:
    """The complete runs of a column, and one at its end that lacks a single card."""
    seen = 0
    for nation, cards in groupby(column):
        length = sum(1 for _ in cards)
        seen += length
        if length >= run or (length == run - 1 and seen == len(column)):
            yield nation, length >= run


def _length_at_end(column: Nations) -> int:
    """How many equal cards a column ends with."""
    return next((sum(1 for _ in cards) for _, cards in groupby(reversed(column))), 0)


def _effect(nation: Nation, temple: Levels, cards: int, facing: Levels, opposing: Nations) -> float:
    """What a nation's ability would do here, in points."""
    match nation:
        case "assyrians":
            return LEVEL * _top(facing)
        case "hittites":
            stolen, left = _top(facing), _top(facing[:-1])
            return LEVEL * (2 * stolen - left - _top(temple)) if _top(temple) < stolen <= cards else 0.0
        case "medes":
            return COLUMN_CARD * max((opposing.count(each) for each in set(opposing)), default=0)
        case "sumerians":
            return 2 * COLUMN_CARD * opposing.count(opposing[-1]) if opposing else 0.0
        case "persians":
            return LEVEL / 2


def _coming_levels(player: Player, box: Box) -> float:
    """How much a player may build in his next turn from his own temple column, wherever he can get."""
    column, coming = player.temple_column, 0.0
    if not column:
        return coming
    cards, level = player.hand_count + box.cards_drawn, column[-1]
    for name, site in player.sites.items():
        if (top := site.top) + 1 == level:
            here = name == player.pawn
            levels = levels_to_build(top, len(site.column) + cards - (not here), column, ())
            coming = max(coming, (COMING if here else COMING_ELSEWHERE) * levels)
    return coming


def levels_to_build(top: int, cards: int, own: Levels, other: Levels) -> int:
    """How many levels a temple can rise in a row, with this many cards, from the ends of two temple columns."""
    height, mine, theirs = top, len(own), len(other)
    while height < cards:
        height += 1
        if theirs and other[theirs - 1] == height:
            theirs -= 1
        elif mine and own[mine - 1] == height:
            mine -= 1
        else:
            return height - 1 - top
    return height - top


def worth_within_reach(me: Player, other: Player, box: Box) -> float:
    """What this turn still holds: the best site that the pawn is at or can travel to, and half of the next best."""
    hand, pawn, run = me.hand or (), me.pawn, box.run_length
    held, assyrians, hittites = len(hand), hand.count("assyrians"), hand.count("hittites")
    takeable = me.temple_column[-1:] + other.temple_column[-1:]
    best = second = 0.0
    for name, site in me.sites.items():
        if name != pawn and name not in hand:
            continue
        temple, column, facing = site.temple, site.column, other.sites[name].temple
        top, worth = temple[-1] if temple else 0, 0.0
        if top + 1 in takeable:
            cards = len(column) + held - (name != pawn)
            worth = LEVEL * levels_to_build(top, cards, me.temple_column, other.temple_column)
        if facing and (
            assyrians + column.count("assyrians") >= run or hittites + column.count("hittites") >= run
        ):
            left = hand if name == pawn else without(hand, name) or ()
            worth += _worth_of_strikes(temple, column, facing, left, run)
        if worth > best:
            best, second = worth, best
        elif worth > second:
            second = worth
    return WITHIN_REACH * (best + second / 2)


@_remembered
def _worth_of_strikes(temple: Levels, column: Nations, facing: Levels, hand: Nations, run: int) -> float:
    """Temples that can be destroyed at a site with these cards, levels stolen."""
    worth, cards = 0.0, len(column) + len(hand)
    for nation in _STRIKING:
        if _can_use(nation, column, hand, run):
            worth += max(0.0, (1 - MINE) * _effect(nation, temple, cards, facing, ()) - RUN)
    return worth


def _can_use(nation: Nation, column: Nations, hand: Nations, run: int) -> bool:
    """A column holds a run of this nation, or the hand can complete one at its end."""
    held = hand.count(nation)
    if held + column.count(nation) < run:
        return False
    at_end = _length_at_end(column) if column[-1:] == (nation,) else 0
    return held + at_end >= run or (nation, True) in _runs(column, run)


# -- chances --------------------------------------------------------------------------------------------------------

TABLE, LATE_TABLE = 0.176, 0.136
"""What ten points of the table add to the log-odds, at the beginning and more as a total comes near the end."""
REACH, TO_ACT, MAY_WIN = 0.172, -0.107, 0.394
"""What ten points within reach of the player whose turn it is add, his turn itself, and that he may win in it.

All were fitted by logistic regression on 44,911 states of 1,500 games that `greedy` played against itself, each seat doing
something at random in 0, 5 or 15 % of its choices; docs/bots.md says how well they foretell."""


def chances(state: State) -> tuple[float, ...]:
    """How likely each seat is to win as a full state stands; a game that is over is shared by its winners."""
    if state.outcome:
        winners = state.outcome.winners
        return tuple([1 / len(winners) if seat in winners else 0.0 for seat in (0, 1)])
    active = active_seat(state)
    me, other, box = state.players[active], state.players[1 - active], box_of(state)
    late = max(me.total, other.total) / box.thresholds.endgame
    table = (worth_of_table(me, other, box) - worth_of_table(other, me, box)) / 2
    odds = (
        (TABLE + LATE_TABLE * late) * table / LEVEL
        + REACH * worth_within_reach(me, other, box) / LEVEL
        + TO_ACT
        + MAY_WIN * (not me.start_card and may_win(turn_of(state, active), box))
    )
    to_act = 1 / (1 + exp(-odds))
    return (to_act, 1 - to_act) if active == 0 else (1 - to_act, to_act)
