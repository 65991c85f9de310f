"""Drawing cards and rebuilding decks (5.8)."""

from games.aton.facts import CardsDrawn, DeckReshuffled
from games.aton.play import Play
from games.kernel import Seat


def draw(play: Play, seat: Seat, number: int) -> None:
    """Cards come singly from the top; a deck that has run out is rebuilt when a card is needed (Q6)."""
    while number:
        deck = deck_with_a_card(play, seat)
        cards = deck[:number]
        play.happens(CardsDrawn(seat, cards, len(cards)))
        number -= len(cards)


def deck_with_a_card(play: Play, seat: Seat) -> tuple[int, ...]:
    """A seat's deck, rebuilt from its discards and exchanged cards if it was empty."""
    player = play.state.players[seat]
    if not player.deck_count:
        cards = player.discard + (player.exchanged or ())
        deck = play.chance.shuffle(f"deck/{seat}/{player.rebuilds + 1}", cards)
        play.happens(DeckReshuffled(seat, deck, len(deck)))
    return play.state.players[seat].deck or ()
