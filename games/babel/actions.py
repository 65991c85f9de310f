"""What a player may ask for (6): each action with the rules it may break, in order, and its facts."""

from typing import Annotated, ClassVar, Literal

import msgspec

from games.babel import facts
from games.babel.box import Nation
from games.babel.facts import Source
from games.babel.sites import (
    against_cards,
    against_height,
    against_nothing,
    against_quarry,
    level_from,
    no_such_temple_card,
    pawn_of,
    starts_run,
    temple_column,
)
from games.babel.start_card import against_neglect, against_owed_start_card
from games.babel.state import Nations, Site, State, box_of, facing
from games.babel.turns import end_turn
from games.kernel import Action, Course, Fact, Objection, Seat


class BabelAction(Action[State], frozen=True):
    """Any action of the game: it holds nothing hidden, so everyone may see it whole (7)."""

    phases = frozenset({"actions"})
    in_the_open = True

    def against(self, state: State, seat: Seat) -> Objection | None:
        """Its own rules; the start card's duty comes last."""
        return self.broken_rule(state, seat) or against_neglect(self, state, seat)

    def broken_rule(self, state: State, seat: Seat) -> Objection | None:
        """The first of its own rules that it breaks."""
        return None


class Travel(BabelAction, frozen=True):
    """Lay off a card of a site's nation and move the pawn there (6.1)."""

    site: Nation

    def broken_rule(self, state: State, seat: Seat) -> Objection | None:
        me = state.players[seat]
        if me.pawn == self.site:
            return Objection("already_there", "Your pawn already stands at that site.")
        return against_cards(me, self.site)

    def happen(self, course: Course[State], seat: Seat) -> None:
        course.happens(facts.Travelled(seat, self.site, course.state.players[seat].pawn))


class Deploy(BabelAction, frozen=True):
    """Lay a card of any nation at the end of the column where the pawn stands (6.2)."""

    nation: Nation

    def broken_rule(self, state: State, seat: Seat) -> Objection | None:
        me = state.players[seat]
        return against_quarry(me) or against_cards(me, self.nation)

    def happen(self, course: Course[State], seat: Seat) -> None:
        course.happens(facts.Deployed(seat, pawn_of(course, seat), self.nation))


class Build(BabelAction, frozen=True):
    """Raise the temple by exactly one level; the column must hold as many cards as the level says (6.3)."""

    source: Source

    def broken_rule(self, state: State, seat: Seat) -> Objection | None:
        me = state.players[seat]
        if objection := against_quarry(me):
            return objection
        level = level_from(state, seat, self.source)
        if level is None:
            return no_such_temple_card()
        if level != me.here.top + 1:
            return Objection(
                "wrong_level", "That card is not the next level of the temple where your pawn stands."
            )
        return against_height(me.here, level)

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
            return Objection("already_migrated", "You have already migrated this turn.")
        if self.from_ == self.to:
            return Objection("same_site", "A migration goes from one site to another.")
        column = state.players[seat].sites[self.from_].column
        if len(column) < box_of(state).migration_size:
            return Objection("too_few_cards", "A migration takes three cards, and that column has fewer.")
        return None

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
        if objection := against_quarry(me):
            return objection
        column = me.here.column
        if not starts_run(column, self.run, box_of(state).run_length):
            return Objection(
                "no_run", "No run of three or more equal cards begins at that index of your column here."
            )
        if self.nation_needed and column[self.run] != self.nation_needed:
            return Objection("wrong_nation", "That run is not of the nation that this ability needs.")
        return self.against_effect(state, seat, me.here, facing(state, seat))

    def happen(self, course: Course[State], seat: Seat) -> None:
        """One card of the run pays; the effect is worked out from the table as it was before (Q16)."""
        state, place = course.state, pawn_of(course, seat)
        effect = self.effect(state, seat, place, facing(state, seat))
        nation = state.players[seat].here.column[self.run]
        course.happens(facts.AbilityUsed(seat, place, str(self.__struct_config__.tag), nation, self.run))
        course.happens(effect)

    def against_effect(self, state: State, seat: Seat, here: Site, there: Site) -> Objection | None:
        """Why the ability could do nothing, on my side of the site or the other; cards are counted before the payment."""
        raise NotImplementedError(type(self).__name__)  # a struct cannot be an abstract class

    def effect(self, state: State, seat: Seat, place: Nation, there: Site) -> Fact[State]:
        """What the ability does once it is paid for."""
        raise NotImplementedError(type(self).__name__)  # a struct cannot be an abstract class


class DestroyTemple(Ability, frozen=True):
    """Assyrians: the whole temple facing me returns to the temple pile (Q1)."""

    nation_needed = "assyrians"

    def against_effect(self, state: State, seat: Seat, here: Site, there: Site) -> Objection | None:
        return against_nothing(there.temple)

    def effect(self, state: State, seat: Seat, place: Nation, there: Site) -> Fact[State]:
        return facts.TempleDestroyed(seat, 1 - seat, place, there.temple)


class StealLevel(Ability, frozen=True):
    """Hittites: the last card of the temple facing me becomes the top of mine, which must be lower (Q20)."""

    nation_needed = "hittites"

    def against_effect(self, state: State, seat: Seat, here: Site, there: Site) -> Objection | None:
        if objection := against_nothing(there.temple):
            return objection
        if there.top <= here.top:
            return Objection("level_not_higher", "The temple facing you is not higher than yours.")
        return against_height(here, there.top)

    def effect(self, state: State, seat: Seat, place: Nation, there: Site) -> Fact[State]:
        return facts.LevelStolen(seat, 1 - seat, place, there.top)


class ChangeSides(Ability, frozen=True):
    """Sumerians: cards like the last one of the column facing me come over to mine (Q2)."""

    nation_needed = "sumerians"

    def against_effect(self, state: State, seat: Seat, here: Site, there: Site) -> Objection | None:
        return against_nothing(there.column)

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

    def against_effect(self, state: State, seat: Seat, here: Site, there: Site) -> Objection | None:
        return against_nothing(self.nation in there.column)

    def effect(self, state: State, seat: Seat, place: Nation, there: Site) -> Fact[State]:
        count = there.column.count(self.nation)
        return facts.NationExpelled(seat, 1 - seat, place, self.nation, count)


class SkipLevel(Ability, frozen=True):
    """Persians: build the level after the next, leaving exactly one out (Q19)."""

    nation_needed = "persians"
    source: Literal["own", "opponent"]

    def against_effect(self, state: State, seat: Seat, here: Site, there: Site) -> Objection | None:
        column = temple_column(state, seat, self.source)
        if not column:
            return no_such_temple_card()
        if column[-1] != here.top + 2:
            return Objection(
                "wrong_level", "That card is not two levels above the temple where your pawn stands."
            )
        return against_height(here, column[-1])

    def effect(self, state: State, seat: Seat, place: Nation, there: Site) -> Fact[State]:
        level = temple_column(state, seat, self.source)[-1]
        return facts.TempleBuilt(seat, place, level, self.source, skip=True)


class HalveHand(Ability, frozen=True):
    """Any nation: the other player gives up half of his hand, rounded down; a single card is safe (Q13)."""

    def against_effect(self, state: State, seat: Seat, here: Site, there: Site) -> Objection | None:
        return against_nothing(state.players[1 - seat].hand_count >= 2)

    def effect(self, state: State, seat: Seat, place: Nation, there: Site) -> Fact[State]:
        return facts.DiscardDemanded(seat, 1 - seat, state.players[1 - seat].hand_count // 2)


# -- the end of a turn ---------------------------------------------------------------------------------------------


class Discard(BabelAction, frozen=True):
    """Give up half of the hand, as the other player's ability demands (6.6, Q13)."""

    phases = frozenset({"discard"})
    nations: Nations

    def broken_rule(self, state: State, seat: Seat) -> Objection | None:
        if state.pending and len(self.nations) != state.pending.count:
            return Objection("wrong_count", "You have to discard exactly half of your hand, rounded down.")
        return against_cards(state.players[seat], *self.nations)

    def happen(self, course: Course[State], seat: Seat) -> None:
        course.happens(facts.NationsDiscarded(seat, tuple(sorted(self.nations))))

    def canonical(self, state: State, seat: Seat) -> "Discard":
        """The order in which cards to discard are named does not matter (6.6)."""
        return Discard(tuple(sorted(self.nations)))


class EndTurn(BabelAction, frozen=True):
    """Nothing more this turn; always allowed once the start card is built (6.7)."""

    def against(self, state: State, seat: Seat) -> Objection | None:
        return against_owed_start_card(state, seat)

    def happen(self, course: Course[State], seat: Seat) -> None:
        end_turn(course)
