"""What can happen, one class a fact: its members, what it does to a state, what of it is hidden from whom (7)."""

from typing import Literal

import msgspec

from games.babel.box import Nation
from games.babel.state import Levels, Nations, Pending, Player, Site, State, with_site
from games.kernel import Fact, Seat, SeatFact, Viewer, replace, without

Source = Literal["start", "own", "opponent"]


class TurnStarted(Fact[State], frozen=True, gc=False):
    turn: int
    seat: Seat

    def apply(self, state: State) -> State:
        return replace(state, turn=self.turn, active_seat=self.seat, to_act=(self.seat,), migrated=False)


class NationsDrawn(SeatFact[State], frozen=True, gc=False):
    """Cards off the nation pile into a hand; only their owner sees which."""

    for_the_seat = ("nations",)
    nations: Nations | None
    count: int

    def apply(self, state: State) -> State:
        me = state.players[self.seat]
        hand = None if me.hand is None or self.nations is None else tuple(sorted(me.hand + self.nations))
        me = replace(me, hand=hand, hand_count=me.hand_count + self.count)
        return state.seated(
            self.seat,
            me,
            nation_pile=None if state.nation_pile is None else state.nation_pile[self.count :],
            nation_pile_count=state.nation_pile_count - self.count,
        )


class NationPileReshuffled(Fact[State], frozen=True, gc=False):
    """The discard becomes the nation pile, face down."""

    nation_pile: Nations | None
    nation_pile_count: int

    def apply(self, state: State) -> State:
        return replace(
            state,
            nation_pile=self.nation_pile,
            nation_pile_count=self.nation_pile_count,
            nation_discard=(),
            reshuffles=state.reshuffles + 1,
        )

    def seen_by(self, viewer: Viewer) -> "NationPileReshuffled":
        return NationPileReshuffled(None, self.nation_pile_count)


class Travelled(SeatFact[State], frozen=True, gc=False):
    site: Nation
    from_: Nation | None = msgspec.field(name="from")

    def apply(self, state: State) -> State:
        me = state.players[self.seat]
        me = replace(me, pawn=self.site, hand=without(me.hand, self.site), hand_count=me.hand_count - 1)
        return state.seated(self.seat, me, nation_discard=(*state.nation_discard, self.site))


class Deployed(SeatFact[State], frozen=True, gc=False):
    site: Nation
    nation: Nation

    def apply(self, state: State) -> State:
        me = state.players[self.seat]
        here = me.sites[self.site]
        me = replace(
            me,
            sites=with_site(me, self.site, Site(here.temple, (*here.column, self.nation))),
            hand=without(me.hand, self.nation),
            hand_count=me.hand_count - 1,
        )
        return state.seated(self.seat, me)


class TempleBuilt(SeatFact[State], frozen=True, gc=False):
    """A start card, or the last card of a temple column, goes onto a temple."""

    site: Nation
    level: int
    source: Source
    skip: bool

    def apply(self, state: State) -> State:
        me = state.players[self.seat]
        here = me.sites[self.site]
        me = replace(
            me,
            sites=with_site(me, self.site, Site((*here.temple, self.level), here.column)),
            total=me.total + self.level - here.top,
            start_card=me.start_card and self.source != "start",
            temple_column=me.temple_column[:-1] if self.source == "own" else me.temple_column,
        )
        if self.source == "opponent":
            other = state.players[1 - self.seat]
            state = state.seated(1 - self.seat, replace(other, temple_column=other.temple_column[:-1]))
        return state.seated(self.seat, me)


class Migrated(SeatFact[State], frozen=True, gc=False):
    from_: Nation = msgspec.field(name="from")
    to: Nation
    nations: Nations

    def apply(self, state: State) -> State:
        me = state.players[self.seat]
        left, reached = me.sites[self.from_], me.sites[self.to]
        sites = with_site(me, self.from_, Site(left.temple, left.column[: -len(self.nations)]))
        sites[self.to] = Site(reached.temple, reached.column + self.nations)
        return state.seated(self.seat, replace(me, sites=sites), migrated=True)


class AbilityUsed(SeatFact[State], frozen=True, gc=False):
    """The payment for an ability: one card of the run is discarded (6.5)."""

    site: Nation
    ability: str
    nation: Nation
    run: int

    def apply(self, state: State) -> State:
        me = state.players[self.seat]
        here = me.sites[self.site]
        column = here.column[: self.run] + here.column[self.run + 1 :]
        me = replace(me, sites=with_site(me, self.site, Site(here.temple, column)))
        return state.seated(self.seat, me, nation_discard=(*state.nation_discard, self.nation))


class TempleDestroyed(SeatFact[State], frozen=True, gc=False):
    """A whole temple returns to the pile, its lowest card on top; everybody has seen its cards (Q1, Q24)."""

    victim: Seat
    site: Nation
    levels: Levels

    def apply(self, state: State) -> State:
        them = state.players[self.victim]
        there = them.sites[self.site]
        them = replace(
            them, sites=with_site(them, self.site, Site((), there.column)), total=them.total - there.top
        )
        return state.seated(
            self.victim,
            them,
            temple_pile=None if state.temple_pile is None else self.levels + state.temple_pile,
            temple_pile_count=state.temple_pile_count + len(self.levels),
            temple_pile_known=self.levels + state.temple_pile_known,
        )


class LevelStolen(SeatFact[State], frozen=True, gc=False):
    victim: Seat
    site: Nation
    level: int

    def apply(self, state: State) -> State:
        me, them = state.players[self.seat], state.players[self.victim]
        here, there = me.sites[self.site], them.sites[self.site]
        mine = Site((*here.temple, self.level), here.column)
        theirs = Site(there.temple[:-1], there.column)
        me = replace(me, sites=with_site(me, self.site, mine), total=me.total + self.level - here.top)
        them = replace(
            them, sites=with_site(them, self.site, theirs), total=them.total + theirs.top - self.level
        )
        return replace(state, players=(them, me) if self.seat else (me, them))


class NationExpelled(SeatFact[State], frozen=True, gc=False):
    victim: Seat
    site: Nation
    nation: Nation
    count: int

    def apply(self, state: State) -> State:
        them = _losing(state.players[self.victim], self.site, self.nation, self.count)
        return state.seated(
            self.victim, them, nation_discard=state.nation_discard + (self.nation,) * self.count
        )


class SidesChanged(SeatFact[State], frozen=True, gc=False):
    """The last `count` cards of a nation leave the victim's column for the end of the actor's."""

    victim: Seat
    site: Nation
    nation: Nation
    count: int

    def apply(self, state: State) -> State:
        me = state.players[self.seat]
        here = me.sites[self.site]
        mine = Site(here.temple, here.column + (self.nation,) * self.count)
        me = replace(me, sites=with_site(me, self.site, mine))
        them = _losing(state.players[self.victim], self.site, self.nation, self.count)
        return replace(state, players=(them, me) if self.seat else (me, them))


def _losing(player: Player, name: Nation, nation: Nation, count: int) -> Player:
    """A player whose column has lost its last `count` cards of a nation; the column closes up (Q18)."""
    site = player.sites[name]
    column = list(site.column)
    for at in range(len(column) - 1, -1, -1):
        if count and column[at] == nation:
            del column[at]
            count -= 1
    return replace(player, sites=with_site(player, name, Site(site.temple, tuple(column))))


class DiscardDemanded(SeatFact[State], frozen=True, gc=False):
    victim: Seat
    count: int

    def apply(self, state: State) -> State:
        pending = Pending("discard_half", self.victim, self.count)
        return replace(state, pending=pending, phase="discard", to_act=(self.victim,))


class NationsDiscarded(SeatFact[State], frozen=True, gc=False):
    nations: Nations

    def apply(self, state: State) -> State:
        me = state.players[self.seat]
        hand = me.hand
        for nation in self.nations:
            hand = without(hand, nation)
        me = replace(me, hand=hand, hand_count=me.hand_count - len(self.nations))
        return state.seated(
            self.seat,
            me,
            nation_discard=state.nation_discard + self.nations,
            pending=None,
            phase="actions",
            to_act=(1 - self.seat,),
        )


class EndgameEntered(SeatFact[State], frozen=True, gc=False):
    def apply(self, state: State) -> State:
        return replace(state, endgame=True)


class TemplesRevealed(SeatFact[State], frozen=True, gc=False):
    """Cards off the temple pile, laid at the end of a temple column in this order (5.2)."""

    levels: Levels

    def apply(self, state: State) -> State:
        revealed = len(self.levels)
        me = state.players[self.seat]
        me = replace(me, temple_column=me.temple_column + self.levels)
        return state.seated(
            self.seat,
            me,
            temple_pile=None if state.temple_pile is None else state.temple_pile[revealed:],
            temple_pile_count=state.temple_pile_count - revealed,
            temple_pile_known=state.temple_pile_known[revealed:],
        )


class TurnEnded(Fact[State], frozen=True, gc=False):
    """Marks the end of a turn; it changes nothing by itself."""

    turn: int
    seat: Seat

    def apply(self, state: State) -> State:
        return state
