"""The table from the side of the player who acts: me, the other, and the site where my pawn stands (6)."""

from games.babel.box import Nation, box_of
from games.babel.start_card import can_build_start_card
from games.babel.state import Levels, Site, State
from games.kernel import Seat

_QUARRY = Site()


class Table:
    """What the rules of an action look at, gathered once for all the actions of one decision."""

    __slots__ = ("box", "here", "me", "other", "owes_start_card", "place", "seat", "state", "there")

    def __init__(self, state: State, seat: Seat) -> None:
        self.state = state
        self.seat = seat
        self.me = state.players[seat]
        self.other = state.players[1 - seat]
        self.box = box_of(state.options)
        self.place: Nation | None = self.me.pawn
        """The site where my pawn stands; none in the quarry."""
        self.here = self.me.sites[self.place] if self.place else _QUARRY
        """My side of that site."""
        self.there = self.other.sites[self.place] if self.place else _QUARRY
        """The other side of it, facing me."""
        self.owes_start_card = (
            self.me.start_card
            and state.active_seat == seat
            and can_build_start_card(self.me, state.migrated, self.box)
        )
        """Before this turn ends I have to build my start card (6.0)."""

    def temple_column(self, source: str) -> Levels:
        """The temple column that a level is taken from: mine, or the other's."""
        return self.me.temple_column if source == "own" else self.other.temple_column

    def starts_run(self, at: int) -> bool:
        """A maximal run of at least three equal cards of my column begins at this index (6.5)."""
        column, length = self.here.column, self.box.run_length
        run = column[at : at + length]
        if len(run) < length or run.count(run[0]) < length:
            return False
        return at == 0 or column[at - 1] != run[0]

    def runs(self) -> list[int]:
        """Where the runs of my column here begin, from left to right."""
        return [at for at in range(len(self.here.column) - self.box.run_length + 1) if self.starts_run(at)]
