"""Facts of the six administrative powers; each turns its building to the night side (6.3)."""

from msgspec import field

from games.kernel import Seat, Viewer
from games.sa_re.box import box_of
from games.sa_re.city import exchanged, tiles_of
from games.sa_re.facts.happening import Happening
from games.sa_re.facts.season import as_pending, resolved, risen
from games.sa_re.state import Card, Player, State, replace, sequence_of, with_player


def night(state: State, seat: Seat, building: str) -> State:
    """The state with this building's power used until the next round."""
    me = state.players[seat]
    space = next(space for space, tile in tiles_of(me) if tile.building == building)
    return with_player(state, seat, spaces=exchanged(me.spaces, space, used=True))


class TempleUsed(Happening, frozen=True):
    """The Temple lets its player look at two cards."""

    seat: int

    def change(self, state: State) -> State:
        return night(state, self.seat, "temple")


class TempleChosen(Happening, frozen=True):
    """One of the Temple's cards is taken; the other is on top again, unseen if the deck is face down (Q17)."""

    seat: int
    card: str
    returned: str | None
    dark: bool

    def change(self, state: State) -> State:
        sequence = sequence_of(state)
        has_other = len(sequence.temple) > 1
        chosen = as_pending(box_of(state), self.card, owed=False)
        sequence = replace(sequence, temple=(), pending=(chosen,))
        state = replace(state, sequence=sequence)
        if not has_other:
            return state
        known = state.deck is not None and self.returned is not None
        return replace(
            state,
            deck=(self.returned, *(state.deck or ())) if known else state.deck,
            deck_count=state.deck_count + 1,
            top_card=self.returned,
            top_known_to=self.seat if self.dark else None,
        )

    def seen_by(self, viewer: Viewer) -> "TempleChosen":
        return replace(self, returned=None) if self.dark and viewer != self.seat else self


class PalaceUsed(Happening, frozen=True):
    """A drawn card is thrown away; an owed one is replaced, Troubles count (Q10, Q18)."""

    seat: int
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
        state = night(state, self.seat, "palace")
        return replace(state, sequence=sequence, discard=(*state.discard, self.card))


class GardensUsed(Happening, frozen=True):
    """Double Troubles become single."""

    seat: int
    card: str

    def change(self, state: State) -> State:
        sequence = sequence_of(state)
        pending = tuple(replace(each, level=1) if each.id == self.card else each for each in sequence.pending)
        state = night(state, self.seat, "gardens")
        return replace(state, sequence=replace(sequence, pending=pending))


class LibraryUsed(Happening, frozen=True):
    """Single Troubles become a joker; they count as Troubles and are no production (Q4, Q5)."""

    seat: int
    card: str

    def change(self, state: State) -> State:
        sequence = sequence_of(state)
        sequence = replace(sequence, pending=resolved(sequence, self.card), troubles=sequence.troubles + 1)
        state = night(state, self.seat, "library")
        me = state.players[self.seat]
        state = with_player(state, self.seat, cards=(*me.cards, Card(self.card, joker=True)))
        return replace(state, sequence=sequence)


class BarracksUsed(Happening, frozen=True):
    """One gauge falls by one, another rises, and its player may react (Q21)."""

    seat: int
    target: int

    def change(self, state: State) -> State:
        state = night(state, self.seat, "barracks")
        state = risen(risen(state, self.seat, -1), self.target, 1)
        return replace(state, reactions=(self.target,))


class MarketUsed(Happening, frozen=True):
    """Two cards of equal value change hands, each to the end of the other list (Q20)."""

    seat: int
    from_: int = field(name="from")
    give: str
    take: str

    def change(self, state: State) -> State:
        state = night(state, self.seat, "market")
        state = with_player(state, self.seat, cards=_swapped(state.players[self.seat], self.give, self.take))
        other = state.players[self.from_]
        return with_player(state, self.from_, cards=_swapped(other, self.take, self.give))


def _swapped(player: Player, given: str, got: str) -> tuple[Card, ...]:
    kept = (card for card in player.cards if card.id != given)
    return (*kept, Card(got, exchanged=True))
