"""A win within the own turn, found by a bounded search: before a turn ends nothing in it depends on chance.

The search goes from gain to gain, not from action to action: what it takes to build, skip, steal or destroy where the
pawn stands, or to get elsewhere. Cards that only make a column longer stay unnamed until the way is known.
"""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple, TypeVar

from games.babel.actions import (
    BabelAction,
    Build,
    Deploy,
    DestroyTemple,
    EndTurn,
    Migrate,
    SkipLevel,
    StealLevel,
    Travel,
)
from games.babel.box import COMPONENT_SETS, NATIONS, Box, Nation
from games.babel.end import standing
from games.babel.reach import MOST_RAISED, QUARRY, Column, Turn, may_win, turn_of
from games.babel.state import Nations, State, box_of
from games.kernel import Seat, replace, without

MOST_TRIED = 60
"""How many gains the search tries before it gives up."""

USED: tuple[Nation, ...] = ("assyrians", "hittites", "persians")
"""The nations whose abilities take or add levels."""

T = TypeVar("T")


class Step(NamedTuple):
    """A gain: the cards laid for it, with and without a name, the action that makes it, and the turn after it."""

    named: Nations
    unnamed: int
    action: BabelAction
    after: Turn


class Payment(NamedTuple):
    """For an ability: the cards laid for it, where its run begins, and the turn once a card of that has paid."""

    named: Nations
    unnamed: int
    run: int
    after: Turn


def winning_action(view: State, seat: Seat) -> BabelAction | None:
    """The first action of a way to win before this turn is over, if there may be one and the search finds it."""
    me, box = view.players[seat], box_of(view)
    last = view.temple_pile_count <= box.temples_revealed
    if me.start_card or not (last or view.endgame or me.total + MOST_RAISED >= box.thresholds.endgame):
        return None
    return _winning_action(turn_of(view, seat), view.options.component_set)


@lru_cache(maxsize=1 << 12)
def _winning_action(turn: Turn, component_set: str) -> BabelAction | None:
    """Remembered: who plays a turn out again and again, meets its beginning every time."""
    box = COMPONENT_SETS[component_set].box
    way = Search(box).way(turn) if may_win(turn, box) else None
    return _first_action(way, turn.hand) if way else None


def _first_action(way: list[Step], hand: Nations) -> BabelAction:
    """The first card to lay, or the action itself; a card without a name is one that the way can do without."""
    first = way[0]
    if first.named:
        return Deploy(first.named[0])
    if not first.unnamed:
        return first.action
    needed = Counter(nation for step in way for nation in step.named)
    needed.update(step.action.site for step in way if isinstance(step.action, Travel))
    return Deploy(max(dict.fromkeys(hand), key=lambda nation: hand.count(nation) - needed[nation]))


class Search:
    """Tries one gain after another; turns that are reached twice are tried once."""

    def __init__(self, box: Box) -> None:
        self._box = box
        self._left = MOST_TRIED
        self._seen: set[Turn] = set()

    def way(self, turn: Turn) -> list[Step] | None:
        """The steps from here to a win."""
        if turn.last and turn.mine > turn.theirs:
            return [Step((), 0, EndTurn(), turn)]
        for step in self._steps(turn):
            if not self._left:
                return None
            self._left -= 1
            after = step.after
            endgame, reason = standing((after.mine, after.theirs), after.endgame, self._box.thresholds)
            if reason and after.mine > after.theirs:
                return [step]
            after = replace(after, endgame=endgame) if endgame else after
            if reason or after in self._seen:
                continue
            self._seen.add(after)
            if may_win(after, self._box) and (rest := self.way(after)):
                return [step, *rest]
        return None

    def _steps(self, turn: Turn) -> Iterator[Step]:
        if turn.at != QUARRY:
            yield from self._builds(turn)
            yield from self._strikes(turn)
            yield from self._skips(turn)
        yield from self._travels(turn)
        if turn.at != QUARRY and not turn.migrated:
            yield from self._migrations(turn)

    def _builds(self, turn: Turn) -> Iterator[Step]:
        """The next level from either temple column, with the cards that it lacks (6.3)."""
        level = turn.tops[turn.at] + 1
        lacking = max(0, level - len(turn.columns[turn.at]))
        if lacking <= turn.spare:
            for source, after in _built(_laid(turn, (), lacking), level):
                yield Step((), lacking, Build(source), after)

    def _skips(self, turn: Turn) -> Iterator[Step]:
        """Persians: the level after the next."""
        level = turn.tops[turn.at] + 2
        if level not in turn.own[-1:] + turn.others[-1:]:
            return
        if payment := self._paid(turn, "persians", level):
            named, unnamed, run, paid = payment
            for source, after in _built(paid, level):
                yield Step(named, unnamed, SkipLevel(run, source), after)

    def _strikes(self, turn: Turn) -> Iterator[Step]:
        """Assyrians destroy the temple facing me, Hittites steal its last level if that is higher than mine."""
        at, facing = turn.at, turn.facing[turn.at]
        if not facing:
            return
        level, top, left = facing[-1], turn.tops[at], facing[:-1]
        if payment := self._paid(turn, "assyrians", 0):
            named, unnamed, run, paid = payment
            destroyed = replace(paid, facing=_with(turn.facing, at, ()), theirs=turn.theirs - level)
            yield Step(named, unnamed, DestroyTemple(run), destroyed)
        if level > top and (payment := self._paid(turn, "hittites", level)):
            named, unnamed, run, paid = payment
            stolen = replace(
                paid,
                facing=_with(turn.facing, at, left),
                tops=_with(turn.tops, at, level),
                mine=turn.mine + level - top,
                theirs=turn.theirs - level + (left[-1] if left else 0),
            )
            yield Step(named, unnamed, StealLevel(run), stolen)

    def _paid(self, turn: Turn, nation: Nation, height: int) -> Payment | None:
        """A run, completed from the hand if need be, in a column that carries this height; one card of it pays."""
        column, length = turn.columns[turn.at], self._box.run_length
        start, lacking = _run_at(column, nation, length), 0
        if start is None:
            at_end = _length(column[::-1], nation)
            start, lacking = len(column) - at_end, length - at_end
        unnamed = max(0, height - len(column) - lacking)
        if lacking > turn.hand.count(nation) or lacking + unnamed > turn.spare:
            return None
        named = (nation,) * lacking
        laid = _laid(turn, named, unnamed)
        column = laid.columns[turn.at]
        columns = _with(laid.columns, turn.at, column[:start] + column[start + 1 :])
        return Payment(named, unnamed, start, replace(laid, columns=columns))

    def _travels(self, turn: Turn) -> Iterator[Step]:
        """To a site in hand where something is to be had, perhaps with a run left behind that is to follow by migration."""
        takeable = {*turn.own, *turn.others}
        for at, name in enumerate(NATIONS):
            if at == turn.at or not turn.spare or name not in turn.hand:
                continue
            if not turn.facing[at] and takeable.isdisjoint((turn.tops[at] + 1, turn.tops[at] + 2)):
                continue
            for named in self._left_behind(turn, name):
                left = _laid(turn, named, 0)
                hand = without(left.hand, name) or ()
                yield Step(named, 0, Travel(name), replace(left, at=at, hand=hand, spare=left.spare - 1))

    def _left_behind(self, turn: Turn, travelled: Nation) -> Iterator[Nations]:
        """No card, or those that complete a run at the end of the column here before the pawn leaves it."""
        yield ()
        for nation in () if turn.migrated or turn.at == QUARRY else USED:
            lacking = self._box.run_length - _length(turn.columns[turn.at][::-1], nation)
            if 0 < lacking <= min(turn.hand.count(nation) - (nation == travelled), turn.spare - 1):
                yield (nation,) * lacking

    def _migrations(self, turn: Turn) -> Iterator[Step]:
        """Cards are moved to where the pawn stands, for there they are of use; cards laid before may make a run."""
        size = self._box.migration_size
        for at, column in enumerate(turn.columns):
            if at == turn.at or len(column) < size:
                continue
            moved = column[-size:]
            for named in dict.fromkeys(((), self._completing(turn, moved))):
                laid = _laid(turn, named, 0)
                columns = _with(laid.columns, at, column[:-size])
                columns = _with(columns, turn.at, columns[turn.at] + moved)
                after = replace(laid, columns=columns, migrated=True)
                yield Step(named, 0, Migrate(NATIONS[at], NATIONS[turn.at]), after)

    def _completing(self, turn: Turn, moved: Column) -> Nations:
        """Cards to lay before a migration that make a run together with those that arrive."""
        nation = moved[0]
        if nation is None or nation not in USED:
            return ()
        there = _length(moved, nation) + _length(turn.columns[turn.at][::-1], nation)
        lacking = self._box.run_length - there
        return (nation,) * lacking if 0 < lacking <= min(turn.hand.count(nation), turn.spare) else ()


def _built(turn: Turn, level: int) -> Iterator[tuple[Literal["own", "opponent"], Turn]]:
    """A level on the temple where the pawn stands, from wherever it can be taken."""
    raised = level - turn.tops[turn.at]
    if level in turn.own[-1:] + turn.others[-1:]:
        higher = replace(turn, tops=_with(turn.tops, turn.at, level), mine=turn.mine + raised)
        if turn.own[-1:] == (level,):
            yield "own", replace(higher, own=turn.own[:-1])
        if turn.others[-1:] == (level,):
            yield "opponent", replace(higher, others=turn.others[:-1])


def _laid(turn: Turn, named: Nations, unnamed: int) -> Turn:
    """Cards from the hand at the end of the column where the pawn stands."""
    if not named and not unnamed:
        return turn
    hand = turn.hand
    for nation in named:
        hand = without(hand, nation) or ()
    columns = _with(turn.columns, turn.at, turn.columns[turn.at] + named + (None,) * unnamed)
    return replace(turn, hand=hand, spare=turn.spare - len(named) - unnamed, columns=columns)


def _with(five: tuple[T, ...], at: int, one: T) -> tuple[T, ...]:
    """What lies at the five sites, changed at one of them."""
    return (*five[:at], one, *five[at + 1 :])


def _length(column: Column, nation: Nation) -> int:
    """How many cards of a nation a column begins with."""
    return next((at for at, card in enumerate(column) if card != nation), len(column))


def _run_at(column: Column, nation: Nation, length: int) -> int | None:
    """Where a run of a nation begins."""
    if column.count(nation) < length:
        return None
    starts = [at for at in range(len(column)) if _length(column[at:], nation) >= length]
    return starts[0] if starts else None
