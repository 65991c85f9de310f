"""The six abilities: a run of three equal cards under the pawn pays one of them for an effect (6.5)."""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from games.babel.actions import BabelAction, pawn_of, temple_column
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
from games.babel.refusals import (
    LEVEL_NOT_HIGHER,
    NO_RUN,
    NO_SUCH_TEMPLE_CARD,
    NO_TARGET,
    NOT_ENOUGH_NATIONS,
    PAWN_IN_QUARRY,
    WRONG_NATION,
    WRONG_SKIP,
)
from games.babel.state import Nations, Site, State, box_of, facing
from games.kernel import Course, Fact, Objection, Seat


class Ability(BabelAction, frozen=True):
    """What all abilities share: the run that pays, named by the index of its first card."""

    nation_needed: ClassVar[Nation | None] = None
    run: Annotated[int, Meta(ge=0)]

    def broken_rule(self, state: State, seat: Seat) -> Objection | None:
        me = state.players[seat]
        if me.pawn is None:
            return PAWN_IN_QUARRY
        column = me.here.column
        if not starts_run(column, self.run, box_of(state).run_length):
            return NO_RUN
        if self.nation_needed and column[self.run] != self.nation_needed:
            return WRONG_NATION
        return self.without_effect(state, seat, me.here, facing(state, seat))

    def happen(self, course: Course[State], seat: Seat) -> None:
        """One card of the run pays; the effect is worked out from the table as it was before (Q16)."""
        state, place = course.state, pawn_of(course, seat)
        effect = self.effect(state, seat, place, facing(state, seat))
        nation = state.players[seat].here.column[self.run]
        course.happens(AbilityUsed(seat, place, str(self.__struct_config__.tag), nation, self.run))
        course.happens(effect)

    def without_effect(self, state: State, seat: Seat, here: Site, there: Site) -> Objection | None:
        """Why the ability could do nothing, on my side of the site or the other; cards are counted before the payment."""
        raise NotImplementedError(type(self).__name__)  # a struct cannot be an abstract class

    def effect(self, state: State, seat: Seat, place: Nation, there: Site) -> Fact[State]:
        """What the ability does once it is paid for."""
        raise NotImplementedError(type(self).__name__)  # a struct cannot be an abstract class


def starts_run(column: Nations, at: int, length: int) -> bool:
    """A maximal run of so many equal cards, or more, begins at this index of a column (6.5)."""
    run = column[at : at + length]
    if len(run) < length or run.count(run[0]) < length:
        return False
    return at == 0 or column[at - 1] != run[0]


class DestroyTemple(Ability, frozen=True):
    """Assyrians: the whole temple facing me returns to the temple pile (Q1)."""

    nation_needed = "assyrians"

    def without_effect(self, state: State, seat: Seat, here: Site, there: Site) -> Objection | None:
        return None if there.temple else NO_TARGET

    def effect(self, state: State, seat: Seat, place: Nation, there: Site) -> Fact[State]:
        return TempleDestroyed(seat, 1 - seat, place, there.temple)


class StealLevel(Ability, frozen=True):
    """Hittites: the last card of the temple facing me becomes the top of mine, which must be lower (Q20)."""

    nation_needed = "hittites"

    def without_effect(self, state: State, seat: Seat, here: Site, there: Site) -> Objection | None:
        if not there.temple:
            return NO_TARGET
        if there.top <= here.top:
            return LEVEL_NOT_HIGHER
        return NOT_ENOUGH_NATIONS if len(here.column) < there.top else None

    def effect(self, state: State, seat: Seat, place: Nation, there: Site) -> Fact[State]:
        return LevelStolen(seat, 1 - seat, place, there.top)


class ChangeSides(Ability, frozen=True):
    """Sumerians: cards like the last one of the column facing me come over to mine (Q2)."""

    nation_needed = "sumerians"

    def without_effect(self, state: State, seat: Seat, here: Site, there: Site) -> Objection | None:
        return None if there.column else NO_TARGET

    def effect(self, state: State, seat: Seat, place: Nation, there: Site) -> Fact[State]:
        column = there.column
        every = state.options.edition == "2013"
        count = column.count(column[-1]) if every else _length_of_last_run(column)
        return SidesChanged(seat, 1 - seat, place, column[-1], count)


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

    def without_effect(self, state: State, seat: Seat, here: Site, there: Site) -> Objection | None:
        return None if self.nation in there.column else NO_TARGET

    def effect(self, state: State, seat: Seat, place: Nation, there: Site) -> Fact[State]:
        count = there.column.count(self.nation)
        return NationExpelled(seat, 1 - seat, place, self.nation, count)


class SkipLevel(Ability, frozen=True):
    """Persians: build the level after the next, leaving exactly one out (Q19)."""

    nation_needed = "persians"
    source: Literal["own", "opponent"]

    def without_effect(self, state: State, seat: Seat, here: Site, there: Site) -> Objection | None:
        column = temple_column(state, seat, self.source)
        if not column:
            return NO_SUCH_TEMPLE_CARD
        if column[-1] != here.top + 2:
            return WRONG_SKIP
        return NOT_ENOUGH_NATIONS if len(here.column) < column[-1] else None

    def effect(self, state: State, seat: Seat, place: Nation, there: Site) -> Fact[State]:
        level = temple_column(state, seat, self.source)[-1]
        return TempleBuilt(seat, place, level, self.source, skip=True)


class HalveHand(Ability, frozen=True):
    """Any nation: the other player gives up half of his hand, rounded down; a single card is safe (Q13)."""

    def without_effect(self, state: State, seat: Seat, here: Site, there: Site) -> Objection | None:
        return None if state.players[1 - seat].hand_count >= 2 else NO_TARGET

    def effect(self, state: State, seat: Seat, place: Nation, there: Site) -> Fact[State]:
        return DiscardDemanded(seat, 1 - seat, state.players[1 - seat].hand_count // 2)
