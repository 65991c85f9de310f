"""What a player may ask for (6): each action with the rules it may break, in order, and its facts."""

from collections import Counter
from typing import Annotated, ClassVar, Literal

import msgspec

from games.babel import facts, refusals
from games.babel.box import Nation
from games.babel.facts import Source
from games.babel.start_card import neglects_start_card, owes_start_card
from games.babel.state import Levels, Nations, Player, Site, State, box_of, facing
from games.babel.turns import end_turn
from games.kernel import Action, Course, Fact, Objection, Seat


class BabelAction(Action[State], frozen=True):
    """Any action of the game: it holds nothing hidden, so everyone may see it whole (7)."""

    phases = frozenset({"actions"})
    in_the_open = True

    def against(self, state: State, seat: Seat) -> Objection | None:
        """Its own rules; the start card's duty comes last."""
        return self.broken_rule(state, seat) or neglects_start_card(self, state, seat)

    def broken_rule(self, state: State, seat: Seat) -> Objection | None:
        """The first of its own rules that it breaks."""
        return None


class Travel(BabelAction, frozen=True):
    """Lay off a card of a site's nation and move the pawn there (6.1)."""

    site: Nation

    def broken_rule(self, state: State, seat: Seat) -> Objection | None:
        me = state.players[seat]
        if me.pawn == self.site:
            return refusals.ALREADY_THERE
        return None if self.site in (me.hand or ()) else refusals.CARD_NOT_IN_HAND

    def happen(self, course: Course[State], seat: Seat) -> None:
        course.happens(facts.Travelled(seat, self.site, course.state.players[seat].pawn))


class Deploy(BabelAction, frozen=True):
    """Lay a card of any nation at the end of the column where the pawn stands (6.2)."""

    nation: Nation

    def broken_rule(self, state: State, seat: Seat) -> Objection | None:
        me = state.players[seat]
        if me.pawn is None:
            return refusals.PAWN_IN_QUARRY
        return None if self.nation in (me.hand or ()) else refusals.CARD_NOT_IN_HAND

    def happen(self, course: Course[State], seat: Seat) -> None:
        course.happens(facts.Deployed(seat, pawn_of(course, seat), self.nation))


class Build(BabelAction, frozen=True):
    """Raise the temple by exactly one level; the column must hold as many cards as the level says (6.3)."""

    source: Source

    def broken_rule(self, state: State, seat: Seat) -> Objection | None:
        me = state.players[seat]
        if me.pawn is None:
            return refusals.PAWN_IN_QUARRY
        level = level_from(state, seat, self.source)
        if level is None:
            return refusals.NO_SUCH_TEMPLE_CARD
        if level != me.here.top + 1:
            return refusals.WRONG_LEVEL
        return refusals.NOT_ENOUGH_NATIONS if len(me.here.column) < level else None

    def happen(self, course: Course[State], seat: Seat) -> None:
        level = level_from(course.state, seat, self.source)
        assert level
        course.happens(facts.TempleBuilt(seat, pawn_of(course, seat), level, self.source, skip=False))


class Migrate(BabelAction, frozen=True):
    """Once a turn, move the last three cards of one column to the end of another (6.4, Q22)."""

    from_: Nation = msgspec.field(name="from")
    to: Nation

    def broken_rule(self, state: State, seat: Seat) -> Objection | None:
        if state.migrated:
            return refusals.ALREADY_MIGRATED
        if self.from_ == self.to:
            return refusals.SAME_SITE
        column = state.players[seat].sites[self.from_].column
        return refusals.TOO_FEW_CARDS if len(column) < box_of(state).migration_size else None

    def happen(self, course: Course[State], seat: Seat) -> None:
        column = course.state.players[seat].sites[self.from_].column
        leaving = column[-box_of(course.state).migration_size :]
        course.happens(facts.Migrated(seat, self.from_, self.to, leaving))


# -- abilities: a run of three equal cards under the pawn pays one of them for an effect (6.5) ----------------------


class Ability(BabelAction, frozen=True):
    """What all abilities share: the run that pays, named by the index of its first card."""

    nation_needed: ClassVar[Nation | None] = None
    run: Annotated[int, msgspec.Meta(ge=0)]

    def broken_rule(self, state: State, seat: Seat) -> Objection | None:
        me = state.players[seat]
        if me.pawn is None:
            return refusals.PAWN_IN_QUARRY
        column = me.here.column
        if not starts_run(column, self.run, box_of(state).run_length):
            return refusals.NO_RUN
        if self.nation_needed and column[self.run] != self.nation_needed:
            return refusals.WRONG_NATION
        return self.without_effect(state, seat, me.here, facing(state, seat))

    def happen(self, course: Course[State], seat: Seat) -> None:
        """One card of the run pays; the effect is worked out from the table as it was before (Q16)."""
        state, place = course.state, pawn_of(course, seat)
        effect = self.effect(state, seat, place, facing(state, seat))
        nation = state.players[seat].here.column[self.run]
        course.happens(facts.AbilityUsed(seat, place, str(self.__struct_config__.tag), nation, self.run))
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
        return None if there.temple else refusals.NO_TARGET

    def effect(self, state: State, seat: Seat, place: Nation, there: Site) -> Fact[State]:
        return facts.TempleDestroyed(seat, 1 - seat, place, there.temple)


class StealLevel(Ability, frozen=True):
    """Hittites: the last card of the temple facing me becomes the top of mine, which must be lower (Q20)."""

    nation_needed = "hittites"

    def without_effect(self, state: State, seat: Seat, here: Site, there: Site) -> Objection | None:
        if not there.temple:
            return refusals.NO_TARGET
        if there.top <= here.top:
            return refusals.LEVEL_NOT_HIGHER
        return refusals.NOT_ENOUGH_NATIONS if len(here.column) < there.top else None

    def effect(self, state: State, seat: Seat, place: Nation, there: Site) -> Fact[State]:
        return facts.LevelStolen(seat, 1 - seat, place, there.top)


class ChangeSides(Ability, frozen=True):
    """Sumerians: cards like the last one of the column facing me come over to mine (Q2)."""

    nation_needed = "sumerians"

    def without_effect(self, state: State, seat: Seat, here: Site, there: Site) -> Objection | None:
        return None if there.column else refusals.NO_TARGET

    def effect(self, state: State, seat: Seat, place: Nation, there: Site) -> Fact[State]:
        column = there.column
        every = state.options.edition == "2013"
        count = column.count(column[-1]) if every else _length_of_last_run(column)
        return facts.SidesChanged(seat, 1 - seat, place, column[-1], count)


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
        return None if self.nation in there.column else refusals.NO_TARGET

    def effect(self, state: State, seat: Seat, place: Nation, there: Site) -> Fact[State]:
        count = there.column.count(self.nation)
        return facts.NationExpelled(seat, 1 - seat, place, self.nation, count)


class SkipLevel(Ability, frozen=True):
    """Persians: build the level after the next, leaving exactly one out (Q19)."""

    nation_needed = "persians"
    source: Literal["own", "opponent"]

    def without_effect(self, state: State, seat: Seat, here: Site, there: Site) -> Objection | None:
        column = temple_column(state, seat, self.source)
        if not column:
            return refusals.NO_SUCH_TEMPLE_CARD
        if column[-1] != here.top + 2:
            return refusals.WRONG_SKIP
        return refusals.NOT_ENOUGH_NATIONS if len(here.column) < column[-1] else None

    def effect(self, state: State, seat: Seat, place: Nation, there: Site) -> Fact[State]:
        level = temple_column(state, seat, self.source)[-1]
        return facts.TempleBuilt(seat, place, level, self.source, skip=True)


class HalveHand(Ability, frozen=True):
    """Any nation: the other player gives up half of his hand, rounded down; a single card is safe (Q13)."""

    def without_effect(self, state: State, seat: Seat, here: Site, there: Site) -> Objection | None:
        return None if state.players[1 - seat].hand_count >= 2 else refusals.NO_TARGET

    def effect(self, state: State, seat: Seat, place: Nation, there: Site) -> Fact[State]:
        return facts.DiscardDemanded(seat, 1 - seat, state.players[1 - seat].hand_count // 2)


# -- the end of a turn ---------------------------------------------------------------------------------------------


class Discard(BabelAction, frozen=True):
    """Give up half of the hand, as the other player's ability demands (6.6, Q13)."""

    phases = frozenset({"discard"})
    nations: Nations

    def broken_rule(self, state: State, seat: Seat) -> Objection | None:
        if state.pending and len(self.nations) != state.pending.count:
            return refusals.WRONG_COUNT
        return (
            refusals.CARD_NOT_IN_HAND
            if Counter(self.nations) - Counter(state.players[seat].hand or ())
            else None
        )

    def happen(self, course: Course[State], seat: Seat) -> None:
        course.happens(facts.NationsDiscarded(seat, tuple(sorted(self.nations))))

    def canonical(self, state: State, seat: Seat) -> "Discard":
        """The order in which cards to discard are named does not matter (6.6)."""
        return Discard(tuple(sorted(self.nations)))


class EndTurn(BabelAction, frozen=True):
    """Nothing more this turn; always allowed once the start card is built (6.7)."""

    def against(self, state: State, seat: Seat) -> Objection | None:
        return refusals.START_CARD_MUST_BE_BUILT if owes_start_card(state, seat) else None

    def happen(self, course: Course[State], seat: Seat) -> None:
        end_turn(course)


def pawn_of(course: Course[State], seat: Seat) -> Nation:
    """The site where a pawn stands that has left the quarry."""
    place = course.state.players[seat].pawn
    assert place
    return place


def temple_column(state: State, seat: Seat, source: Source) -> Levels:
    """The temple column that a level is taken from: mine, or the other's."""
    return state.players[seat if source == "own" else 1 - seat].temple_column


def level_from(state: State, seat: Seat, source: Source) -> int | None:
    """The level of the temple card that lies ready there: the start card, or the last of a column."""
    if source == "start":
        me: Player = state.players[seat]
        return 1 if me.start_card else None
    column = temple_column(state, seat, source)
    return column[-1] if column else None
