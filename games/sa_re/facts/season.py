"""Facts of the season of production: cards, winds, revolts, reactions."""

from typing import Literal

from msgspec import UNSET, UnsetType

from games.kernel import Seat, Viewer, replace
from games.sa_re.box import Box
from games.sa_re.facts.happening import Happening, SeatHappening
from games.sa_re.state import Card, Pending, Player, State, TempleCard, WorkSequence, box_of, sequence_of


def as_pending(box: Box, card: str, *, owed: bool) -> Pending:
    """A drawn card; Troubles with their level."""
    level = box.cards[card].level
    return Pending(card, owed, level or UNSET)


def resolved(sequence: WorkSequence, card: str) -> tuple[Pending, ...]:
    """The pending cards without this one."""
    return tuple([each for each in sequence.pending if each.id != card])


def risen(player: Player, steps: int) -> int:
    """Where a gauge stands after so many steps; it never goes beyond its limit (5.5)."""
    return min(player.revolt + steps, player.revolt_limit)


def answered(state: State, seat: Seat) -> tuple[Seat, ...]:
    """Who has still to react besides this seat."""
    return tuple([other for other in state.reactions if other != seat])


def not_held(state: State) -> tuple[str, ...]:
    """The season cards that do not lie in front of players, in component order (Q35)."""
    held = {card.id for player in state.players for card in player.cards}
    return tuple([card for card in box_of(state).cards if card not in held])


def _one_card_fewer(state: State, sequence: WorkSequence | None) -> State:
    """The state with this sequence; what Horus still demands lapses with the last card of the deck (Q16)."""
    if state.deck_count == 1 and sequence is not None and sequence.owed:
        sequence = replace(sequence, owed=0)
    return replace(
        state,
        deck=state.deck and state.deck[1:],
        deck_count=state.deck_count - 1,
        top_card=None,
        top_known_to=None,
        sequence=sequence,
    )


class SeasonStarted(Happening, frozen=True):
    """The cards are shuffled, one is set aside unseen, the others form the deck, face up."""

    deck_count: int
    deck: tuple[str, ...] | None
    set_aside: tuple[str, ...] | None

    def change(self, state: State) -> State:
        held = sum([len(player.cards) for player in state.players])
        return replace(
            state,
            phase="season",
            players=tuple([replace(player, penalty=None) for player in state.players]),
            deck=self.deck,
            deck_count=self.deck_count,
            deck_face_up=True,
            set_aside=self.set_aside,
            set_aside_count=len(box_of(state).cards) - held - self.deck_count,
            discard=(),
        )

    def seen_by(self, viewer: Viewer) -> "SeasonStarted":
        return replace(self, deck=None, set_aside=None)


class TopRevealed(Happening, frozen=True):
    """The top card of the face-up deck is there for all to see."""

    card: str

    def apply(self, state: State) -> State:
        return replace(state, top_card=self.card)


class HoshekhAppeared(Happening, frozen=True):
    """Darkness: Hoshekh leaves the deck, which turns face down in the same order (Q6, Q7)."""

    def change(self, state: State) -> State:
        state = _one_card_fewer(state, state.sequence)
        return replace(state, deck_face_up=False, discard=(*state.discard, box_of(state).hoshekh))


class SequenceStarted(SeatHappening, frozen=True):
    """A player's work sequence begins."""

    final: bool

    def change(self, state: State) -> State:
        return replace(state, active_seat=self.seat, sequence=WorkSequence(seat=self.seat, final=self.final))


class CardDrawn(SeatHappening, frozen=True):
    """A card is drawn: openly, or by the Temple, in the dark for its player alone."""

    card: str | None
    zone: Literal["pending", "temple"]
    dark: bool

    def change(self, state: State) -> State:
        sequence = sequence_of(state)
        if self.zone == "temple" or self.card is None:
            shown = (*sequence.temple, TempleCard(self.card, self.dark))
            return _one_card_fewer(state, replace(sequence, drawn=sequence.drawn + 1, temple=shown))
        is_owed = sequence.owed > 0
        card = as_pending(box_of(state), self.card, owed=is_owed)
        sequence = replace(
            sequence,
            drawn=sequence.drawn + 1,
            pending=(*sequence.pending, card),
            owed=sequence.owed - 1 if is_owed else 0,
        )
        return _one_card_fewer(state, sequence)

    def seen_by(self, viewer: Viewer) -> "CardDrawn":
        is_secret = self.zone == "temple" and self.dark and viewer != self.seat
        return replace(self, card=None) if is_secret else self


class CardTaken(SeatHappening, frozen=True):
    """A drawn card is resolved: a resource is gained, Horus demands two cards, Troubles raise the gauge."""

    card: str
    level: int | UnsetType = UNSET

    def change(self, state: State) -> State:
        sequence, me = sequence_of(state), state.players[self.seat]
        left = resolved(sequence, self.card)
        if box_of(state).cards[self.card].gives:
            me = replace(me, cards=(*me.cards, Card(self.card)))
            return state.seated(self.seat, me, sequence=replace(sequence, pending=left, produced=True))
        discard = (*state.discard, self.card)
        if self.level is not UNSET:
            me = replace(me, revolt=risen(me, self.level))
            sequence = replace(sequence, pending=left, troubles=sequence.troubles + 1)
            return state.seated(self.seat, me, sequence=sequence, discard=discard)
        owed = sequence.owed + 2 if state.deck_count else sequence.owed
        return replace(state, sequence=replace(sequence, pending=left, owed=owed), discard=discard)


class WindBlew(SeatHappening, frozen=True):
    """A double card raises the gauge of all who stand; all but the taker may react (5.4)."""

    seats: tuple[int, ...]

    def change(self, state: State) -> State:
        players = list(state.players)
        for seat in self.seats:
            players[seat] = replace(players[seat], revolt=risen(players[seat], 1))
        reacting = tuple([seat for seat in self.seats if seat != self.seat])
        return replace(state, players=tuple(players), reactions=reacting)


class TroublePassed(SeatHappening, frozen=True):
    """A Troubles card goes to an opponent, who may react."""

    to: int
    card: str
    level: int

    def change(self, state: State) -> State:
        sequence = sequence_of(state)
        sequence = replace(
            sequence, pending=resolved(sequence, self.card), passed_to=(*sequence.passed_to, self.to)
        )
        other = state.players[self.to]
        return state.seated(
            self.to,
            replace(other, revolt=risen(other, self.level)),
            sequence=sequence,
            discard=(*state.discard, self.card),
            reactions=(self.to,),
        )


class TroubleDiscarded(SeatHappening, frozen=True):
    """A further Troubles card that nobody can receive is thrown away."""

    card: str

    def change(self, state: State) -> State:
        sequence = sequence_of(state)
        sequence = replace(sequence, pending=resolved(sequence, self.card))
        return replace(state, sequence=sequence, discard=(*state.discard, self.card))


class RevoltBrokeOut(SeatHappening, frozen=True):
    """A gauge has reached its limit: its player is out, with the resources it had drawn (5.5, Q40)."""

    victim: int
    taken: tuple[str, ...]
    discarded: tuple[str, ...]

    def change(self, state: State) -> State:
        victim, sequence = state.players[self.victim], sequence_of(state)
        if self.victim == self.seat:
            sequence = replace(sequence, pending=(), owed=0)
        cards = (*victim.cards, *(Card(card) for card in self.taken))
        return state.seated(
            self.victim,
            replace(victim, obelisk="revolt", cards=cards),
            sequence=sequence,
            discard=(*state.discard, *self.discarded),
            reactions=answered(state, self.victim),
        )


class ObeliskLaid(SeatHappening, frozen=True):
    """A player leaves the season of its own will."""

    reaction: bool

    def change(self, state: State) -> State:
        me = replace(state.players[self.seat], obelisk="down")
        return state.seated(self.seat, me, reactions=answered(state, self.seat))


class ReactionDeclined(SeatHappening, frozen=True):
    """A player who was asked stays in the season."""

    def change(self, state: State) -> State:
        return replace(state, reactions=answered(state, self.seat))


class SequenceEnded(SeatHappening, frozen=True):
    """A player's work sequence is over."""

    def change(self, state: State) -> State:
        return replace(state, sequence=None)


class SeasonEnded(Happening, frozen=True):
    """The season is over: what is not in front of players lies in the discard, in component order (5.6)."""

    reason: Literal["deck_exhausted", "all_down", "last_player"]

    def change(self, state: State) -> State:
        return replace(
            state,
            deck=None if state.deck is None else (),
            deck_count=0,
            deck_face_up=True,
            top_card=None,
            top_known_to=None,
            set_aside=None if state.set_aside is None else (),
            set_aside_count=0,
            discard=not_held(state),
        )
