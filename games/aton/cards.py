"""Drawing cards and rebuilding decks (5.8)."""

from games.aton.facts import CardsDrawn, DeckReshuffled
from games.aton.state import State
from games.kernel import Course, Seat


def draw(course: Course[State], seat: Seat, number: int) -> None:
    """Cards come singly from the top; a deck that has run out is rebuilt when a card is needed (Q6)."""
    while number:
        deck = deck_with_a_card(course, seat)
        cards = deck[:number]
        course.happens(CardsDrawn(seat, cards, len(cards)))
        number -= len(cards)


def deck_with_a_card(course: Course[State], seat: Seat) -> tuple[int, ...]:
    """A seat's deck, rebuilt from its discards and exchanged cards if it was empty."""
    player = course.state.players[seat]
    if not player.deck_count:
        cards = player.discard + (player.exchanged or ())
        deck = course.shuffle(f"deck/{seat}/{player.rebuilds + 1}", cards)
        course.happens(DeckReshuffled(seat, deck, len(deck)))
    return course.state.players[seat].deck or ()
