"""What happens to priests and blessing cards (7)."""

from typing import Literal

from games.kernel import Fact, SeatFact, joined, replace
from games.temple_of_five.contents import Colour, God, Size, Space
from games.temple_of_five.state import DECKS, Blessing, Chain, State, Target, box_of, fresh, without_top

BonusReason = Literal["symbol", "last_space", "effect"]


class ChainUsed(SeatFact[State], frozen=True):
    """A chain is spent: a priest on it, and one on each card space taken."""

    colour: Colour
    length: int
    priest: Space
    target: Target
    card: str
    card_spaces: tuple[int, ...]
    reused: bool

    def apply(self, state: State) -> State:
        seat, taken, target = self.seat, self.card_spaces, self.target
        me, turn = state.players[seat], state.turn
        me = replace(
            me,
            priests_reserve=me.priests_reserve - 1 - len(taken),
            board_priests=(*me.board_priests, self.priest),
            chains=self._closed(me.chains),
        )
        turn = replace(turn, chains_used=turn.chains_used + 1, effect_used=turn.effect_used or self.reused)
        priests = list(state.priests_on(seat, target))
        for space in taken:
            priests[space] = seat
        state = state.seated(seat, me, turn_state=turn)
        return state.with_card(seat, target, Blessing(self.card, tuple(priests)))

    def _closed(self, chains: tuple[Chain, ...]) -> tuple[Chain, ...]:
        """The chains once the priest stands on this one."""
        colour, priest = self.colour, self.priest
        after = list(chains)
        for index, chain in enumerate(chains):
            if chain.colour == colour and priest in chain.spaces:
                after[index] = replace(chain, closed=True)
        return tuple(after)


class BonusDrawn(SeatFact[State], frozen=True):
    """A seat draws a bonus decoration."""

    for_the_seat = ("bonus",)
    size: Size
    reason: BonusReason
    bonus: str | None

    def apply(self, state: State) -> State:
        me = state.players[self.seat]
        drawn = None if self.bonus is None else (self.bonus,)
        if self.size == 2:
            me = replace(me, bonus_2=joined(me.bonus_2, drawn), bonus_2_count=me.bonus_2_count + 1)
            return state.seated(self.seat, me, **without_top(state, "bonus_2_pile", 1))
        me = replace(me, bonus_3=joined(me.bonus_3, drawn), bonus_3_count=me.bonus_3_count + 1)
        return state.seated(self.seat, me, **without_top(state, "bonus_3_pile", 1))


class BonusMissed(SeatFact[State], frozen=True):
    """A bonus decoration was due, but the pile is empty."""

    size: Size
    reason: BonusReason

    def apply(self, state: State) -> State:
        return state


class CardCompleted(Fact[State], frozen=True):
    """A card is full: its winner takes it, all its priests (by seat) return."""

    card: str
    target: Target
    winner: int
    priests: tuple[int, ...]
    tie_broken: bool

    def apply(self, state: State) -> State:
        players = [
            replace(player, priests_reserve=player.priests_reserve + returned)
            for player, returned in zip(state.players, self.priests, strict=True)
        ]
        winner = players[self.winner]
        players[self.winner] = replace(winner, completed=(*winner.completed, self.card))
        return replace(state, players=tuple(players)).with_card(self.winner, self.target, None)


class CardRevealed(Fact[State], frozen=True):
    """The next card of a god is in play, or none if the deck is empty."""

    god: God
    card: str | None

    def apply(self, state: State) -> State:
        if self.card is None:
            return replace(state, display=replace(state.display, **{self.god: None}))
        card = fresh(box_of(state), self.card)
        display = replace(state.display, **{self.god: card})
        return replace(state, display=display, **without_top(state, DECKS[self.god], 1))


class BlessingTaken(SeatFact[State], frozen=True):
    """Effect `private_card`: a card from a deck lies before a seat, for it alone."""

    god: God
    card: str

    def apply(self, state: State) -> State:
        card = fresh(box_of(state), self.card)
        me = replace(state.players[self.seat], private_card=card)
        turn = replace(state.turn, effect_used=True)
        return state.seated(self.seat, me, turn_state=turn, **without_top(state, DECKS[self.god], 1))
