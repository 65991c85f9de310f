"""What a player may ask for (6.1–6.4, 6.6, 6.7): each action with the reasons to refuse it, in order, and its facts."""

from collections import Counter

import msgspec

from games.babel.box import Nation
from games.babel.facts import (
    Deployed,
    Migrated,
    NationsDiscarded,
    Source,
    TempleBuilt,
    Travelled,
)
from games.babel.state import Nations, State
from games.babel.table import Table
from games.kernel import Action, Fact


class BabelAction(Action, frozen=True):
    """Any action of the game."""

    phases = frozenset({"actions"})

    def refusal(self, table: Table) -> str | None:
        """The code of the first rule that forbids this, if any does."""
        raise NotImplementedError(type(self).__name__)  # a struct cannot be an abstract class


class Move(BabelAction, frozen=True):
    """An action whose facts follow from what lies open, without any chance."""

    def facts(self, table: Table) -> tuple[Fact[State], ...]:
        """What happens if it is not refused."""
        raise NotImplementedError(type(self).__name__)  # a struct cannot be an abstract class


class Travel(Move, frozen=True):
    """Lay off a card of a site's nation and move the pawn there (6.1)."""

    site: Nation

    def refusal(self, table: Table) -> str | None:
        if table.place == self.site:
            return "already_there"
        return None if self.site in (table.me.hand or ()) else "card_not_in_hand"

    def facts(self, table: Table) -> tuple[Fact[State], ...]:
        return (Travelled(table.seat, self.site, table.place),)


class Deploy(Move, frozen=True):
    """Lay a card of any nation at the end of the column where the pawn stands (6.2)."""

    nation: Nation

    def refusal(self, table: Table) -> str | None:
        if table.place is None:
            return "pawn_in_quarry"
        return None if self.nation in (table.me.hand or ()) else "card_not_in_hand"

    def facts(self, table: Table) -> tuple[Fact[State], ...]:
        assert table.place
        return (Deployed(table.seat, table.place, self.nation),)


class Build(Move, frozen=True):
    """Raise the temple by exactly one level; the column must hold as many cards as the level says (6.3)."""

    source: Source

    def refusal(self, table: Table) -> str | None:
        if table.place is None:
            return "pawn_in_quarry"
        level = self._level(table)
        if level is None:
            return "no_such_temple_card"
        if level != table.here.top + 1:
            return "wrong_level"
        return "not_enough_nations" if len(table.here.column) < level else None

    def facts(self, table: Table) -> tuple[Fact[State], ...]:
        level = self._level(table)
        assert table.place
        assert level
        return (TempleBuilt(table.seat, table.place, level, self.source, skip=False),)

    def _level(self, table: Table) -> int | None:
        if self.source == "start":
            return 1 if table.me.start_card else None
        column = table.temple_column(self.source)
        return column[-1] if column else None


class Migrate(Move, frozen=True):
    """Once a turn, move the last three cards of one column to the end of another (6.4, Q22)."""

    from_: Nation = msgspec.field(name="from")
    to: Nation

    def refusal(self, table: Table) -> str | None:
        if table.state.migrated:
            return "already_migrated"
        if self.from_ == self.to:
            return "same_site"
        few = len(table.me.sites[self.from_].column) < table.box.migration_size
        return "too_few_cards" if few else None

    def facts(self, table: Table) -> tuple[Fact[State], ...]:
        leaving = table.me.sites[self.from_].column[-table.box.migration_size :]
        return (Migrated(table.seat, self.from_, self.to, leaving),)


class Discard(Move, frozen=True):
    """Give up half of the hand, as the other player's ability demands (6.6, Q13)."""

    phases = frozenset({"discard"})
    nations: Nations

    def refusal(self, table: Table) -> str | None:
        assert table.state.pending
        if len(self.nations) != table.state.pending.count:
            return "wrong_count"
        return "card_not_in_hand" if Counter(self.nations) - Counter(table.me.hand or ()) else None

    def facts(self, table: Table) -> tuple[Fact[State], ...]:
        return (NationsDiscarded(table.seat, tuple(sorted(self.nations))),)


class EndTurn(BabelAction, frozen=True):
    """Nothing more this turn; always allowed once the start card is built (6.7)."""

    def refusal(self, table: Table) -> str | None:
        return None
