"""Lanterns, a toy ruleset: what Babel does not exercise, in one page.

Three seats. Each round every seat lays one card of its hand in secret; when all have laid, the cards are turned
up and the highest one scores a point (several equal highest: each of them). The cards go to the discard, every
seat draws one, unseen; an empty deck is rebuilt from the discard. After four rounds the most points win; equals
share the win.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import msgspec

from games.chance import Chance, Stream
from games.components import read_component_set
from games.kernel import (
    Action,
    Bot,
    Course,
    Fact,
    IllegalAction,
    InvalidSetup,
    Outcome,
    Ruleset,
    Seat,
    Viewer,
)

replace = msgspec.structs.replace
ROUNDS = 4


class Box(msgspec.Struct, frozen=True):
    id: str
    cards: tuple[int, ...]


BOX = read_component_set(b'{"id": "lanterns", "cards": [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4]}', Box, origin="toy")


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    component_set: str = "lanterns"


class Player(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    hand: tuple[int, ...] | None
    hand_count: int
    laid: tuple[int, ...] | None = ()
    laid_count: int = 0
    score: int = 0
    vacated: str | None = None


class State(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    options: Options
    players: tuple[Player, ...]
    deck: tuple[int, ...] | None
    deck_count: int
    to_act: tuple[int, ...]
    phase: str = "lay"
    round: int = 1
    active_seat: int | None = None
    discard: tuple[int, ...] = ()
    reshuffles: int = 0
    outcome: Outcome | None = None


def with_player(state: State, seat: Seat, **changes: Any) -> State:
    players = list(state.players)
    players[seat] = replace(players[seat], **changes)
    return replace(state, players=tuple(players))


def without(cards: tuple[int, ...], card: int) -> tuple[int, ...]:
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


class Lay(Action, frozen=True):
    """Lay one card of the hand, face down."""

    phases = frozenset({"lay"})
    card: int


class GameSetUp(Fact[State], frozen=True):
    state: State

    def apply(self, state: State) -> State:
        return self.state

    def seen_by(self, viewer: Viewer) -> "GameSetUp":
        return GameSetUp(view(self.state, viewer))


class CardLaid(Fact[State], frozen=True):
    seat: int
    card: int | None

    def apply(self, state: State) -> State:
        me = state.players[self.seat]
        hand = None if me.hand is None or self.card is None else without(me.hand, self.card)
        laid = None if self.card is None else (self.card,)
        waiting = tuple(seat for seat in state.to_act if seat != self.seat)
        state = with_player(
            state, self.seat, hand=hand, hand_count=me.hand_count - 1, laid=laid, laid_count=1
        )
        return replace(state, to_act=waiting)

    def seen_by(self, viewer: Viewer) -> "CardLaid":
        return self if viewer == self.seat else replace(self, card=None)


class CardsRevealed(Fact[State], frozen=True):
    cards: tuple[int, ...]

    def apply(self, state: State) -> State:
        high = max(self.cards)
        players = tuple(
            replace(player, laid=(), laid_count=0, score=player.score + (card == high))
            for player, card in zip(state.players, self.cards, strict=True)
        )
        return replace(state, players=players, discard=state.discard + self.cards)


class DeckRebuilt(Fact[State], frozen=True):
    deck: tuple[int, ...] | None
    deck_count: int

    def apply(self, state: State) -> State:
        rebuilt = replace(state, deck=self.deck, deck_count=self.deck_count, discard=())
        return replace(rebuilt, reshuffles=state.reshuffles + 1)

    def seen_by(self, viewer: Viewer) -> "DeckRebuilt":
        return replace(self, deck=None)


class CardDrawn(Fact[State], frozen=True):
    seat: int
    card: int | None

    def apply(self, state: State) -> State:
        me = state.players[self.seat]
        hand = None if me.hand is None or self.card is None else tuple(sorted((*me.hand, self.card)))
        state = with_player(state, self.seat, hand=hand, hand_count=me.hand_count + 1)
        return replace(state, deck=state.deck and state.deck[1:], deck_count=state.deck_count - 1)

    def seen_by(self, viewer: Viewer) -> "CardDrawn":
        return self if viewer == self.seat else replace(self, card=None)


class RoundStarted(Fact[State], frozen=True):
    round: int

    def apply(self, state: State) -> State:
        return replace(state, round=self.round, to_act=tuple(range(len(state.players))))


class SeatVacated(Fact[State], frozen=True):
    seat: int
    cause: str

    def apply(self, state: State) -> State:
        return with_player(state, self.seat, vacated=self.cause)


class GameEnded(Fact[State], frozen=True):
    outcome: Outcome

    def apply(self, state: State) -> State:
        return replace(state, outcome=self.outcome, phase="ended", to_act=())


def view(state: State, viewer: Viewer) -> State:
    players = tuple(
        player if seat == viewer else replace(player, hand=None, laid=None if player.laid_count else ())
        for seat, player in enumerate(state.players)
    )
    return replace(state, players=players, deck=None)


class Lanterns(Ruleset[State, Lay]):
    name = "lanterns"
    version = 1
    seat_counts = range(3, 4)
    names = MappingProxyType(
        {"en": {"lanterns": "Lanterns", "lay": "Lay"}, "fr": {"lanterns": "Lanternes", "lay": "Poser"}}
    )
    state_type = State
    options_type = Options
    action_types = (Lay,)
    fact_types = (
        GameSetUp,
        CardLaid,
        CardsRevealed,
        DeckRebuilt,
        CardDrawn,
        RoundStarted,
        SeatVacated,
        GameEnded,
    )
    component_sets = MappingProxyType({"lanterns": BOX})

    def setup(
        self, options: Options, seats: int, chance: Chance, position: Mapping[str, Any] | None = None
    ) -> list[Fact[State]]:
        if position:
            raise InvalidSetup("invalid_position", "Lanterns begins at the beginning.")
        deck = chance.shuffle("deck/0", BOX.box.cards)
        players = tuple(Player(tuple(sorted(deck[2 * s : 2 * s + 2])), 2) for s in range(seats))
        rest = deck[2 * seats :]
        return [GameSetUp(State(options, players, rest, len(rest), to_act=tuple(range(seats))))]

    def carry_out(self, state: State, seat: Seat, action: Lay, chance: Chance) -> Course[State]:
        if action.card not in (state.players[seat].hand or ()):
            raise IllegalAction("card_not_in_hand", f"You do not hold a {action.card}.")
        course = Course(state)
        course.happens(CardLaid(seat, action.card))
        if not course.state.to_act:
            self.end_round(course, chance)
        return course

    def end_round(self, course: Course[State], chance: Chance) -> None:
        course.happens(CardsRevealed(tuple((player.laid or (0,))[0] for player in course.state.players)))
        if course.state.round == ROUNDS:
            scores = [player.score for player in course.state.players if player.vacated is None]
            best = tuple(
                s
                for s, player in enumerate(course.state.players)
                if player.vacated is None and player.score == max(scores)
            )
            course.happens(self.end_now(course.state, best, "rounds_played"))
            return
        for seat in range(len(course.state.players)):
            if not course.state.deck:
                label = f"deck/{course.state.reshuffles + 1}"
                deck = chance.shuffle(label, course.state.discard)
                course.happens(DeckRebuilt(deck, len(deck)))
            assert course.state.deck
            course.happens(CardDrawn(seat, course.state.deck[0]))
        course.happens(RoundStarted(course.state.round + 1))

    def end_now(self, state: State, winners: tuple[Seat, ...], reason: str) -> Fact[State]:
        return GameEnded(Outcome(winners, reason, tuple(player.score for player in state.players)))

    def legal_actions(self, state: State, seat: Seat) -> list[Lay]:
        if seat not in state.to_act:
            return []
        return [Lay(card) for card in sorted(set(state.players[seat].hand or ()))]

    def view(self, state: State, viewer: Viewer) -> State:
        return view(state, viewer)

    def greedy_bot(self) -> Bot[State, Lay]:
        return HighestCard()


class HighestCard(Bot[State, Lay]):
    def choose(self, view: State, seat: Seat, dice: Stream) -> Lay:
        return Lay(max(view.players[seat].hand or ()))
