"""Lanterns: a whole game in one module, to copy from.

Three players. Each round everyone lays one card of the hand in secret; when all have laid, the cards are turned up and
the highest one scores a point (several equal highest: each of them). The cards go to the discard, everyone draws one,
unseen; an empty deck is rebuilt from the discard. After four rounds the most points win; equals share the win.
"""

import msgspec

from games.chance import Chance, Stream
from games.components import read_component_set
from games.kernel import (
    Action,
    Bot,
    Course,
    Fact,
    GameEnded,
    GameSetUp,
    GameState,
    Objection,
    Outcome,
    Position,
    Ruleset,
    Seat,
    SeatFact,
    SeatVacated,
    Viewer,
    Zone,
    Zones,
    replace,
    without,
)
from games.positions import demand_complete, lay_over
from games.words import Words

ROUNDS = 4
Cards = tuple[int, ...]


class Box(msgspec.Struct, frozen=True):
    id: str
    cards: Cards


BOX = read_component_set(b'{"id": "lanterns", "cards": [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4]}', Box, origin="toy")


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    component_set: str = "lanterns"


class Player(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    hand: Cards | None
    hand_count: int
    laid: Cards | None = ()
    laid_count: int = 0
    score: int = 0
    vacated: str | None = None


class State(GameState, frozen=True):
    options: Options
    players: tuple[Player, ...]
    deck: Cards | None
    deck_count: int
    to_act: tuple[int, ...]
    phase: str = "lay"
    round: int = 1
    active_seat: int | None = None
    discard: Cards = ()
    reshuffles: int = 0
    outcome: Outcome | None = None


def sees_laid(state: State, owner: Seat, viewer: Viewer) -> bool:
    """A laid card is its owner's secret; that none is laid, everyone sees."""
    return viewer == owner or not state.players[owner].laid_count


ZONES = Zones[State](
    Zone(member="hand", kind="cards", each_player=True, seen_by="owner", order=sorted),
    Zone(member="laid", kind="cards", each_player=True, seen_by=sees_laid),
    Zone(member="deck", kind="cards", seen_by="nobody"),
    Zone(member="discard", kind="cards"),
    box={"cards": BOX.box.cards},
)


class OwnCard(SeatFact[State], frozen=True):
    """A fact about a card that its seat alone sees."""

    for_the_seat = ("card",)
    card: int | None


class CardLaid(OwnCard, frozen=True):
    def apply(self, state: State) -> State:
        me = state.players[self.seat]
        hand, laid = without(me.hand, self.card), None if self.card is None else (self.card,)
        me = replace(me, hand=hand, hand_count=me.hand_count - 1, laid=laid, laid_count=1)
        return state.seated(self.seat, me, to_act=state.waiting_without(self.seat))


class CardsRevealed(Fact[State], frozen=True):
    cards: Cards

    def apply(self, state: State) -> State:
        high = max(self.cards)
        players = tuple(
            replace(player, laid=(), laid_count=0, score=player.score + (card == high))
            for player, card in zip(state.players, self.cards, strict=True)
        )
        state = replace(state, players=players, discard=state.discard + self.cards)
        return replace(state, round=min(state.round + 1, ROUNDS), to_act=tuple(range(len(players))))


class DeckRebuilt(Fact[State], frozen=True):
    deck: Cards | None
    deck_count: int

    def apply(self, state: State) -> State:
        rebuilt = replace(state, deck=self.deck, deck_count=self.deck_count, discard=())
        return replace(rebuilt, reshuffles=state.reshuffles + 1)

    def seen_by(self, viewer: Viewer) -> "DeckRebuilt":
        return replace(self, deck=None)


class CardDrawn(OwnCard, frozen=True):
    def apply(self, state: State) -> State:
        me = state.players[self.seat]
        hand = None if me.hand is None or self.card is None else tuple(sorted((*me.hand, self.card)))
        state = state.with_player(self.seat, hand=hand, hand_count=me.hand_count + 1)
        return replace(state, deck=state.deck and state.deck[1:], deck_count=state.deck_count - 1)


class Lay(Action[State], frozen=True):
    """Lay one card of the hand, face down."""

    phases = frozenset({"lay"})
    card: int

    def against(self, state: State, seat: Seat) -> Objection | None:
        if self.card not in (state.players[seat].hand or ()):
            return Objection("card_not_in_hand", f"You do not hold a {self.card}.")
        return None

    def happen(self, course: Course[State], seat: Seat) -> None:
        course.happens(CardLaid(seat, self.card))
        if not course.state.to_act:
            end_round(course)


def end_round(course: Course[State]) -> None:
    """When all have laid, the cards are turned up; then the game is over, or everyone draws."""
    was_last = course.state.round == ROUNDS
    course.happens(CardsRevealed(tuple((player.laid or (0,))[0] for player in course.state.players)))
    if was_last:
        course.happens(ending(course.state, leaders(course.state), "rounds_played"))
        return
    for seat in range(len(course.state.players)):
        if not course.state.deck_count:
            deck = course.shuffle(f"deck/{course.state.reshuffles + 1}", course.state.discard)
            course.happens(DeckRebuilt(deck, len(deck)))
        course.happens(CardDrawn(seat, (course.state.deck or ())[0]))


def leaders(state: State) -> tuple[Seat, ...]:
    """Whoever has most points, of those who have not withdrawn."""
    scores = {seat: player.score for seat, player in enumerate(state.players) if player.vacated is None}
    return tuple(seat for seat, score in scores.items() if score == max(scores.values()))


def ending(state: State, winners: tuple[Seat, ...], reason: str) -> GameEnded[State]:
    return GameEnded(Outcome(winners, reason, tuple(player.score for player in state.players)))


def choices(state: State, seat: Seat) -> list[Lay]:
    return [Lay(card) for card in sorted(set(state.players[seat].hand or ()))]


def opening(options: Options, seats: int, chance: Chance, position: Position | None) -> Course[State]:
    """Two cards each; or as a position says, which must name every card."""
    deck = () if position else chance.shuffle("deck/0", BOX.box.cards)
    hands = [tuple(sorted(deck[2 * seat : 2 * seat + 2])) for seat in range(seats)]
    players, rest = tuple(Player(hand, len(hand)) for hand in hands), deck[2 * seats :]
    table = State(options, players, rest, len(rest), to_act=tuple(range(seats)))
    state = ZONES.counted(lay_over(ZONES, table, position))
    demand_complete(ZONES, state)
    return Course.opened_by(state, chance)


class HighestCard(Bot[State, Lay]):
    def choose(self, view: State, seat: Seat, dice: Stream) -> Lay:
        return Lay(max(view.players[seat].hand or ()))


WORDS = {
    "en": Words(
        names={"lanterns": "Lanterns", "lay": "Lay"},
        sentences={
            "card_laid": "{seat} lays a card, face down.",
            "cards_revealed": "The cards are turned up: {cards}.",
            "deck_rebuilt": "The discard is shuffled into a new deck.",
            "card_drawn": "{seat} draws a card.",
        },
    ),
    "fr": Words(
        names={"lanterns": "Lanternes", "lay": "Poser"},
        sentences={
            "card_laid": "{seat} pose une carte, face cachée.",
            "cards_revealed": "Les cartes sont retournées : {cards}.",
            "deck_rebuilt": "La défausse est mélangée et forme une nouvelle pioche.",
            "card_drawn": "{seat} pioche une carte.",
        },
    ),
}

LANTERNS = Ruleset[State, Lay](
    name="lanterns",
    version=1,
    seat_counts=range(3, 4),
    words=WORDS,
    state_type=State,
    options_type=Options,
    action_types=(Lay,),
    fact_types=(GameSetUp, CardLaid, CardsRevealed, DeckRebuilt, CardDrawn, SeatVacated, GameEnded),
    component_sets={"lanterns": BOX},
    zones=ZONES,
    opening=opening,
    choices=choices,
    ending=ending,
    greedy=HighestCard(),
)
