"""The season cards of a position: those it does not place go to the deck, the set-aside card or the discard (4.3)."""

from collections.abc import Iterator

from msgspec import UNSET

from games.chance import Chance
from games.sa_re.box import Box, box_of
from games.sa_re.position.sketch import PositionSketch
from games.sa_re.state import State, replace


def fill_piles(state: State, sketch: PositionSketch, chance: Chance) -> State:
    """The state with deck, set-aside card and discard."""
    state = replace(
        state, deck=sketch.deck or (), set_aside=sketch.set_aside or (), discard=sketch.discard or ()
    )
    if state.phase == "season":
        state = _in_season(state, sketch, chance)
    elif sketch.discard is None:
        state = replace(state, discard=_unplaced(state))
    deck, set_aside = state.deck or (), state.set_aside or ()
    knows_top = state.deck_face_up or state.top_known_to is not None
    return replace(
        state,
        deck_count=len(deck),
        set_aside_count=len(set_aside),
        top_card=deck[0] if deck and knows_top else None,
    )


def _in_season(state: State, sketch: PositionSketch, chance: Chance) -> State:
    """Deck, set-aside card and discard of a season."""
    state = _with_darkness(state)
    loose = _unplaced(state)
    if sketch.deck is None:
        return _shuffled(state, sketch, chance, loose)
    if sketch.set_aside is None and loose:
        aside = next((card for card in loose if _is_hoshekh(box_of(state), card)), loose[0])
        state = replace(state, set_aside=(aside,))
        loose = tuple(card for card in loose if card != aside)
    return replace(state, discard=(*state.discard, *loose))


def is_face_up(box: Box, sketch: PositionSketch) -> bool:
    """The deck is face up unless it is said to be face down, or Hoshekh lies in the discard."""
    if sketch.deck_face_up is not None:
        return sketch.deck_face_up
    is_dark = any(_is_hoshekh(box, card) for card in sketch.discard or ())
    return not (sketch.phase == "season" and is_dark)


def _with_darkness(state: State) -> State:
    """Hoshekh has turned a deck that is face down: where it lies nowhere else, it lies in the discard."""
    if state.deck_face_up:
        return state
    unseen = tuple(card for card in _unplaced(state) if _is_hoshekh(box_of(state), card))
    return replace(state, discard=(*state.discard, *unseen))


def _shuffled(state: State, sketch: PositionSketch, chance: Chance, loose: tuple[str, ...]) -> State:
    """The cards not placed, shuffled as the season would; one is set aside unless the position says which."""
    deck = chance.shuffle(f"season/{state.round}", loose)
    if sketch.set_aside is None:
        return replace(state, deck=deck[1:], set_aside=deck[:1])
    return replace(state, deck=deck)


def _is_hoshekh(box: Box, card: str) -> bool:
    return card in box.cards and box.cards[card].kind == "hoshekh"


def placed_cards(state: State) -> Iterator[str]:
    """Every season card that lies somewhere, as often as it does."""
    yield from (state.deck or ())
    yield from (state.set_aside or ())
    yield from state.discard
    for player in state.players:
        yield from (card.id for card in player.cards)
    if state.sequence:
        yield from (card.id for card in state.sequence.pending)
        yield from (card.id for card in state.sequence.temple if card.id)
    if state.work:
        yield from (payment.card.id for payment in state.work.paid if payment.card is not UNSET)


def _unplaced(state: State) -> tuple[str, ...]:
    """The cards that lie nowhere yet, in component order."""
    placed = set(placed_cards(state))
    return tuple(card for card in box_of(state).cards if card not in placed)
