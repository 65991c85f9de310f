"""Facts of the six administrative powers; each turns its building to the night side (6.3)."""

from msgspec import field

from games.kernel import Viewer, replace
from games.sa_re.city import exchanged, space_of
from games.sa_re.facts.happening import SeatHappening
from games.sa_re.facts.season import as_pending, resolved, risen
from games.sa_re.state import Card, Player, State, box_of, sequence_of


def night(player: Player, building: str) -> Player:
    """A player with this building's power used until the next round."""
    return replace(player, spaces=exchanged(player.spaces, space_of(player, building), used=True))


class TempleUsed(SeatHappening, frozen=True):
    """The Temple lets its player look at two cards."""

    def apply(self, state: State) -> State:
        return state.seated(self.seat, night(state.players[self.seat], "temple"))


class TempleChosen(SeatHappening, frozen=True):
    """One of the Temple's cards is taken; the other is on top again, unseen if the deck is face down (Q17)."""

    card: str
    returned: str | None
    dark: bool

    def change(self, state: State) -> State:
        sequence = sequence_of(state)
        has_other = len(sequence.temple) > 1
        chosen = as_pending(box_of(state), self.card, owed=False)
        sequence = replace(sequence, temple=(), pending=(chosen,))
        if not has_other:
            return replace(state, sequence=sequence)
        is_shown = state.deck is not None and self.returned is not None
        return replace(
            state,
            sequence=sequence,
            deck=(self.returned, *(state.deck or ())) if is_shown else state.deck,
            deck_count=state.deck_count + 1,
            top_card=self.returned,
            top_known_to=self.seat if self.dark else None,
        )

    def seen_by(self, viewer: Viewer) -> "TempleChosen":
        return replace(self, returned=None) if self.dark and viewer != self.seat else self


class PalaceUsed(SeatHappening, frozen=True):
    """A drawn card is thrown away; an owed one is replaced, Troubles count (Q10, Q18)."""

    card: str

    def change(self, state: State) -> State:
        sequence = sequence_of(state)
        card = next(each for each in sequence.pending if each.id == self.card)
        replaced = card.owed and state.deck_count > 0
        sequence = replace(
            sequence,
            pending=resolved(sequence, self.card),
            troubles=sequence.troubles + (1 if card.is_trouble else 0),
            owed=sequence.owed + (1 if replaced else 0),
        )
        me = night(state.players[self.seat], "palace")
        return state.seated(self.seat, me, sequence=sequence, discard=(*state.discard, self.card))


class GardensUsed(SeatHappening, frozen=True):
    """Double Troubles become single."""

    card: str

    def apply(self, state: State) -> State:
        sequence = sequence_of(state)
        pending = tuple(replace(each, level=1) if each.id == self.card else each for each in sequence.pending)
        me = night(state.players[self.seat], "gardens")
        return state.seated(self.seat, me, sequence=replace(sequence, pending=pending))


class LibraryUsed(SeatHappening, frozen=True):
    """Single Troubles become a joker; they count as Troubles and are no production (Q4, Q5)."""

    card: str

    def change(self, state: State) -> State:
        sequence, me = sequence_of(state), night(state.players[self.seat], "library")
        sequence = replace(sequence, pending=resolved(sequence, self.card), troubles=sequence.troubles + 1)
        me = replace(me, cards=(*me.cards, Card(self.card, joker=True)))
        return state.seated(self.seat, me, sequence=sequence)


class BarracksUsed(SeatHappening, frozen=True):
    """One gauge falls by one, another rises, and its player may react (Q21)."""

    target: int

    def change(self, state: State) -> State:
        players = list(state.players)
        me, other = night(players[self.seat], "barracks"), players[self.target]
        players[self.seat] = replace(me, revolt=risen(me, -1))
        players[self.target] = replace(other, revolt=risen(other, 1))
        return replace(state, players=tuple(players), reactions=(self.target,))


class MarketUsed(SeatHappening, frozen=True):
    """Two cards of equal value change hands, each to the end of the other list (Q20)."""

    from_: int = field(name="from")
    give: str
    take: str

    def apply(self, state: State) -> State:
        players = list(state.players)
        players[self.seat] = _swapped(night(players[self.seat], "market"), self.give, self.take)
        players[self.from_] = _swapped(players[self.from_], self.take, self.give)
        return replace(state, players=tuple(players))


def _swapped(player: Player, give: str, take: str) -> Player:
    others = [card for card in player.cards if card.id != give]
    return replace(player, cards=(*others, Card(take, exchanged=True)))
