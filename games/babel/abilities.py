"""The six abilities: a run of three equal cards under the pawn pays one of them for an effect (6.5)."""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from games.babel.actions import Move
from games.babel.box import Nation
from games.babel.facts import (
    AbilityUsed,
    DiscardDemanded,
    LevelStolen,
    NationExpelled,
    SidesChanged,
    TempleBuilt,
    TempleDestroyed,
)
from games.babel.state import Nations, State
from games.babel.table import Table
from games.kernel import Fact


class Ability(Move, frozen=True):
    """What all abilities share: the run that pays, named by the index of its first card."""

    nation_needed: ClassVar[Nation | None] = None
    run: Annotated[int, Meta(ge=0)]

    def refusal(self, table: Table) -> str | None:
        if table.place is None:
            return "pawn_in_quarry"
        if not table.starts_run(self.run):
            return "no_run"
        if self.nation_needed and table.here.column[self.run] != self.nation_needed:
            return "wrong_nation"
        return self.own_refusal(table)

    def facts(self, table: Table) -> tuple[Fact[State], ...]:
        assert table.place
        kind = str(self.__struct_config__.tag)
        paid = AbilityUsed(table.seat, table.place, kind, table.here.column[self.run], self.run)
        return (paid, self.effect(table, table.place))

    def own_refusal(self, table: Table) -> str | None:
        """The ability's own reasons; cards are counted before the payment."""
        raise NotImplementedError(type(self).__name__)  # a struct cannot be an abstract class

    def effect(self, table: Table, place: Nation) -> Fact[State]:
        """What the ability does once it is paid for."""
        raise NotImplementedError(type(self).__name__)  # a struct cannot be an abstract class


class DestroyTemple(Ability, frozen=True):
    """Assyrians: the whole temple facing me returns to the temple pile (Q1)."""

    nation_needed = "assyrians"

    def own_refusal(self, table: Table) -> str | None:
        return None if table.there.temple else "no_target"

    def effect(self, table: Table, place: Nation) -> Fact[State]:
        return TempleDestroyed(table.seat, 1 - table.seat, place, table.there.temple)


class StealLevel(Ability, frozen=True):
    """Hittites: the last card of the temple facing me becomes the top of mine, which must be lower (Q20)."""

    nation_needed = "hittites"

    def own_refusal(self, table: Table) -> str | None:
        if not table.there.temple:
            return "no_target"
        if table.there.top <= table.here.top:
            return "level_not_higher"
        return "not_enough_nations" if len(table.here.column) < table.there.top else None

    def effect(self, table: Table, place: Nation) -> Fact[State]:
        return LevelStolen(table.seat, 1 - table.seat, place, table.there.top)


class ChangeSides(Ability, frozen=True):
    """Sumerians: cards like the last one of the column facing me come over to mine (Q2)."""

    nation_needed = "sumerians"

    def own_refusal(self, table: Table) -> str | None:
        return None if table.there.column else "no_target"

    def effect(self, table: Table, place: Nation) -> Fact[State]:
        column = table.there.column
        every = table.state.options.edition == "2013"
        count = column.count(column[-1]) if every else _length_of_last_run(column)
        return SidesChanged(table.seat, 1 - table.seat, place, column[-1], count)


def _length_of_last_run(column: Nations) -> int:
    """Edition 2000 moves the unbroken run at the end only (Q2)."""
    length = 1
    while column[-length - 1 : -length] == column[-1:]:
        length += 1
    return length


class ExpelNation(Ability, frozen=True):
    """Medes: every card of one nation leaves the column facing me, wherever it lies (Q21)."""

    nation_needed = "medes"
    nation: Nation

    def own_refusal(self, table: Table) -> str | None:
        return None if self.nation in table.there.column else "no_target"

    def effect(self, table: Table, place: Nation) -> Fact[State]:
        count = table.there.column.count(self.nation)
        return NationExpelled(table.seat, 1 - table.seat, place, self.nation, count)


class SkipLevel(Ability, frozen=True):
    """Persians: build the level after the next, leaving exactly one out (Q19)."""

    nation_needed = "persians"
    source: Literal["own", "opponent"]

    def own_refusal(self, table: Table) -> str | None:
        column = table.temple_column(self.source)
        if not column:
            return "no_such_temple_card"
        if column[-1] != table.here.top + 2:
            return "wrong_level"
        return "not_enough_nations" if len(table.here.column) < column[-1] else None

    def effect(self, table: Table, place: Nation) -> Fact[State]:
        level = table.temple_column(self.source)[-1]
        return TempleBuilt(table.seat, place, level, self.source, skip=True)


class HalveHand(Ability, frozen=True):
    """Any nation: the other player gives up half of his hand, rounded down; a single card is safe (Q13)."""

    def own_refusal(self, table: Table) -> str | None:
        return None if table.other.hand_count >= 2 else "no_target"

    def effect(self, table: Table, place: Nation) -> Fact[State]:
        return DiscardDemanded(table.seat, 1 - table.seat, table.other.hand_count // 2)
