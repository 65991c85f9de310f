"""What happens in a game of Aton (7): each fact's members, what it changes, and what is hidden from whom.

No effect depends on who looks: a zone that is null in a view stays null, and only its count changes.
"""

import msgspec

from games.aton.state import Cards, Quota, State, board_of, other
from games.kernel import Fact, SeatFact, Viewer, joined, replace

Auto = bool | msgspec.UnsetType


def _emptied(zone: Cards | None) -> Cards | None:
    return None if zone is None else ()


def _at_step(state: State, phase: str, seat: int, remaining: int, target: int | None = None) -> State:
    """A seat's removal or placement: it is asked only if pieces remain to be moved."""
    to_act = (seat,) if remaining else ()
    return replace(
        state, phase=phase, active_seat=seat, to_act=to_act, remaining=remaining, target_seat=target
    )


# -- cards ------------------------------------------------------------------------------------------------------


class DeckReshuffled(SeatFact[State], frozen=True):
    """Discards and exchanged cards have become the new deck."""

    deck: Cards | None
    deck_count: int

    def apply(self, state: State) -> State:
        player = state.players[self.seat]
        return state.with_player(
            self.seat,
            deck=self.deck,
            deck_count=self.deck_count,
            discard=(),
            exchanged=_emptied(player.exchanged),
            exchanged_count=0,
            rebuilds=player.rebuilds + 1,
        )

    def seen_by(self, viewer: Viewer) -> "DeckReshuffled":
        return replace(self, deck=None)


class OwnCards(SeatFact[State], frozen=True):
    """A fact about cards that only their seat sees."""

    for_the_seat = ("cards",)
    cards: Cards | None
    cards_count: int


class CardsDrawn(OwnCards, frozen=True):
    """Cards from the top of the deck have come to the end of the hand."""

    def apply(self, state: State) -> State:
        player = state.players[self.seat]
        return state.with_player(
            self.seat,
            hand=joined(player.hand, self.cards),
            hand_count=player.hand_count + self.cards_count,
            deck=player.deck and player.deck[self.cards_count :],
            deck_count=player.deck_count - self.cards_count,
        )


class HandExchanged(OwnCards, frozen=True):
    """The trade token is spent, the hand lies face down beside the discards."""

    def apply(self, state: State) -> State:
        return state.with_player(
            self.seat,
            trade_token=False,
            hand=_emptied(state.players[self.seat].hand),
            hand_count=0,
            exchanged=self.cards,
            exchanged_count=self.cards_count,
        )


class CardsAllocated(OwnCards, frozen=True):
    """The hand lies face down at the cartouches."""

    def apply(self, state: State) -> State:
        state = state.with_player(
            self.seat,
            hand=_emptied(state.players[self.seat].hand),
            hand_count=0,
            cartouches=self.cards,
            cartouches_count=self.cards_count,
        )
        return replace(state, to_act=state.waiting_without(self.seat))


class CartouchesRevealed(Fact[State], frozen=True):
    cartouches: tuple[Cards, Cards]

    def apply(self, state: State) -> State:
        for seat, cards in enumerate(self.cartouches):
            state = state.with_player(seat, cartouches=cards)
        return replace(state, phase="remove", to_act=())


class PointsScored(SeatFact[State], frozen=True):
    points: int
    source: str
    score: int

    def apply(self, state: State) -> State:
        return state.with_player(self.seat, score=self.score)


class OrderCardsDrawn(Fact[State], frozen=True):
    """Each seat has turned up the top card of its deck; until they are returned they lie in no zone."""

    cards: tuple[int, int]

    def apply(self, state: State) -> State:
        for player in state.players:
            deck = player.deck and player.deck[1:]
            state = state.with_player(player.seat, deck=deck, deck_count=player.deck_count - 1)
        return state


class OrderCardsReturned(Fact[State], frozen=True):
    cards: tuple[Cards, Cards]

    def apply(self, state: State) -> State:
        for player, cards in zip(state.players, self.cards, strict=True):
            state = state.with_player(
                player.seat, deck=joined(player.deck, cards), deck_count=player.deck_count + len(cards)
            )
        return state


class OrderDetermined(Fact[State], frozen=True):
    first_seat: int
    by: str

    def apply(self, state: State) -> State:
        return replace(state, first_seat=self.first_seat)


# -- pieces -----------------------------------------------------------------------------------------------------


class RemovalSkipped(SeatFact[State], frozen=True):
    reason: str

    def apply(self, state: State) -> State:
        return _at_step(state, "remove", self.seat, 0)


class RemovalStarted(SeatFact[State], frozen=True):
    target_seat: int
    count: int

    def apply(self, state: State) -> State:
        return _at_step(state, "remove", self.seat, self.count, self.target_seat)


class PieceRemoved(SeatFact[State], frozen=True):
    space: str
    owner: int
    to: str
    auto: Auto = msgspec.UNSET

    def apply(self, state: State) -> State:
        board = {**state.board, self.space: None}
        state = replace(state, board=board, remaining=state.remaining - 1)
        if self.to == "dead":
            return replace(state, dead=(*state.dead, self.owner))
        return state.with_player(self.owner, supply=state.players[self.owner].supply + 1)


class PlacementSkipped(SeatFact[State], frozen=True):
    reason: str

    def apply(self, state: State) -> State:
        return _at_step(state, "place", self.seat, 0)


class PlacementStarted(SeatFact[State], frozen=True):
    count: int

    def apply(self, state: State) -> State:
        return _at_step(state, "place", self.seat, self.count)


class PiecePlaced(SeatFact[State], frozen=True):
    space: str
    auto: Auto = msgspec.UNSET

    def apply(self, state: State) -> State:
        state = state.with_player(self.seat, supply=state.players[self.seat].supply - 1)
        return replace(state, board={**state.board, self.space: self.seat}, remaining=state.remaining - 1)


class PieceNotPlaced(SeatFact[State], frozen=True):
    """There was no room for a piece: it goes to the dead, or stays in the supply if the dead are full."""

    to: str

    def apply(self, state: State) -> State:
        state = replace(state, remaining=state.remaining - 1)
        if self.to == "supply":
            return state
        state = state.with_player(self.seat, supply=state.players[self.seat].supply - 1)
        return replace(state, dead=(*state.dead, self.seat))


# -- end of the round -------------------------------------------------------------------------------------------


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One line of a scoring, by seat: what was counted, and the points it gave."""

    line: str
    counts: tuple[int, int]
    points: tuple[int, int]


class TemplesScored(Fact[State], frozen=True):
    lines: tuple[Line, ...]
    points: tuple[int, int]
    scores: tuple[int, int]

    def apply(self, state: State) -> State:
        for seat, score in enumerate(self.scores):
            state = state.with_player(seat, score=score)
        return state


class CullStarted(Fact[State], frozen=True):
    quota: tuple[Quota, Quota]
    first_seat: int

    def apply(self, state: State) -> State:
        return replace(at_cull(state, self.quota, self.first_seat), phase="cull", remaining=0)


def at_cull(state: State, quota: tuple[Quota, Quota], first: int) -> State:
    """The cull goes on with a seat that has quota left, `first` before the other."""
    active = next((seat for seat in (first, other(first)) if any(quota[seat])), None)
    to_act = () if active is None else (active,)
    return replace(state, cull_quota=quota, active_seat=active, to_act=to_act)


class PieceCulled(SeatFact[State], frozen=True):
    space: str
    auto: Auto = msgspec.UNSET

    def apply(self, state: State) -> State:
        state = state.with_player(self.seat, supply=state.players[self.seat].supply + 1)
        state = replace(state, board={**state.board, self.space: None})
        return at_cull(state, self._quota_left(state), self.seat)

    def _quota_left(self, state: State) -> tuple[Quota, Quota]:
        assert state.cull_quota is not None
        red, blue = state.cull_quota
        temple = board_of(state).temple_of[self.space]
        return (_one_less(red, temple), blue) if self.seat == 0 else (red, _one_less(blue, temple))


def _one_less(quota: Quota, temple: int) -> Quota:
    first, second, third, fourth = (left - (at == temple) for at, left in enumerate(quota, start=1))
    return first, second, third, fourth


class DeadReturned(Fact[State], frozen=True):
    counts: tuple[int, int]

    def apply(self, state: State) -> State:
        for player, count in zip(state.players, self.counts, strict=True):
            state = state.with_player(player.seat, supply=player.supply + count)
        return replace(state, dead=(), cull_quota=None)


class RoundEnded(Fact[State], frozen=True):
    round: int
    discarded: tuple[Cards, Cards]

    def apply(self, state: State) -> State:
        for player, cards in zip(state.players, self.discarded, strict=True):
            state = state.with_player(
                player.seat, discard=player.discard + cards, cartouches=(), cartouches_count=0
            )
        return state


class RoundStarted(Fact[State], frozen=True):
    round: int

    def apply(self, state: State) -> State:
        return replace(
            state,
            phase="allocate",
            round=self.round,
            to_act=(0, 1),
            active_seat=None,
            first_seat=None,
            target_seat=None,
            remaining=0,
        )
