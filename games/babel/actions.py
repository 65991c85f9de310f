"""What a player may ask for (6.1–6.4, 6.6, 6.7): each action with the rules it may break, in order, and its facts."""

from collections import Counter

import msgspec

from games.babel.box import Nation
from games.babel.facts import Deployed, Migrated, NationsDiscarded, Source, TempleBuilt, Travelled
from games.babel.refusals import (
    ALREADY_MIGRATED,
    ALREADY_THERE,
    CARD_NOT_IN_HAND,
    NO_SUCH_TEMPLE_CARD,
    NOT_ENOUGH_NATIONS,
    PAWN_IN_QUARRY,
    SAME_SITE,
    START_CARD_MUST_BE_BUILT,
    TOO_FEW_CARDS,
    WRONG_COUNT,
    WRONG_LEVEL,
)
from games.babel.start_card import neglects_start_card, owes_start_card
from games.babel.state import Levels, Nations, Player, State, box_of
from games.babel.turns import end_turn
from games.kernel import Action, Course, Objection, Seat


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
            return ALREADY_THERE
        return None if self.site in (me.hand or ()) else CARD_NOT_IN_HAND

    def happen(self, course: Course[State], seat: Seat) -> None:
        course.happens(Travelled(seat, self.site, course.state.players[seat].pawn))


class Deploy(BabelAction, frozen=True):
    """Lay a card of any nation at the end of the column where the pawn stands (6.2)."""

    nation: Nation

    def broken_rule(self, state: State, seat: Seat) -> Objection | None:
        me = state.players[seat]
        if me.pawn is None:
            return PAWN_IN_QUARRY
        return None if self.nation in (me.hand or ()) else CARD_NOT_IN_HAND

    def happen(self, course: Course[State], seat: Seat) -> None:
        course.happens(Deployed(seat, pawn_of(course, seat), self.nation))


class Build(BabelAction, frozen=True):
    """Raise the temple by exactly one level; the column must hold as many cards as the level says (6.3)."""

    source: Source

    def broken_rule(self, state: State, seat: Seat) -> Objection | None:
        me = state.players[seat]
        if me.pawn is None:
            return PAWN_IN_QUARRY
        level = level_from(state, seat, self.source)
        if level is None:
            return NO_SUCH_TEMPLE_CARD
        if level != me.here.top + 1:
            return WRONG_LEVEL
        return NOT_ENOUGH_NATIONS if len(me.here.column) < level else None

    def happen(self, course: Course[State], seat: Seat) -> None:
        level = level_from(course.state, seat, self.source)
        assert level
        course.happens(TempleBuilt(seat, pawn_of(course, seat), level, self.source, skip=False))


class Migrate(BabelAction, frozen=True):
    """Once a turn, move the last three cards of one column to the end of another (6.4, Q22)."""

    from_: Nation = msgspec.field(name="from")
    to: Nation

    def broken_rule(self, state: State, seat: Seat) -> Objection | None:
        if state.migrated:
            return ALREADY_MIGRATED
        if self.from_ == self.to:
            return SAME_SITE
        column = state.players[seat].sites[self.from_].column
        return TOO_FEW_CARDS if len(column) < box_of(state).migration_size else None

    def happen(self, course: Course[State], seat: Seat) -> None:
        column = course.state.players[seat].sites[self.from_].column
        leaving = column[-box_of(course.state).migration_size :]
        course.happens(Migrated(seat, self.from_, self.to, leaving))


class Discard(BabelAction, frozen=True):
    """Give up half of the hand, as the other player's ability demands (6.6, Q13)."""

    phases = frozenset({"discard"})
    nations: Nations

    def broken_rule(self, state: State, seat: Seat) -> Objection | None:
        if state.pending and len(self.nations) != state.pending.count:
            return WRONG_COUNT
        return CARD_NOT_IN_HAND if Counter(self.nations) - Counter(state.players[seat].hand or ()) else None

    def happen(self, course: Course[State], seat: Seat) -> None:
        course.happens(NationsDiscarded(seat, tuple(sorted(self.nations))))

    def canonical(self, state: State, seat: Seat) -> "Discard":
        """The order in which cards to discard are named does not matter (6.6)."""
        return Discard(tuple(sorted(self.nations)))


class EndTurn(BabelAction, frozen=True):
    """Nothing more this turn; always allowed once the start card is built (6.7)."""

    def against(self, state: State, seat: Seat) -> Objection | None:
        return START_CARD_MUST_BE_BUILT if owes_start_card(state, seat) else None

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
