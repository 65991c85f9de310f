"""The cards are turned up: points at cartouche 1 (5.2), then who goes first (5.3)."""

from games.aton.cards import deck_with_a_card
from games.aton.facts import (
    CartouchesRevealed,
    OrderCardsDrawn,
    OrderCardsReturned,
    OrderDetermined,
    PointsScored,
)
from games.aton.play import Play
from games.aton.state import SEATS, Cards, State, laid
from games.aton.turn import begin_turn
from games.kernel import Seat


def reveal(play: Play) -> None:
    """Everything that follows from the eight cards, up to the next decision."""
    play.happens(CartouchesRevealed((laid(play.state, 0), laid(play.state, 1))))
    score_cartouche_1(play)
    if play.state.outcome is None:
        first = determine_order(play)
        begin_turn(play, first)


def score_cartouche_1(play: Play) -> None:
    """The higher card scores twice the difference; who then has enough points wins at once (Q8)."""
    red, blue = (laid(play.state, seat)[0] for seat in SEATS)
    if red == blue:
        return
    seat, points = (0, 2 * (red - blue)) if red > blue else (1, 2 * (blue - red))
    score = play.state.players[seat].score + points
    play.happens(PointsScored(seat, points, "cartouche_1", score))
    if score >= play.board.box.winning_score:
        play.end((seat,), "points_at_cartouche_1")


def determine_order(play: Play) -> Seat:
    """Who resolves cartouches 2 to 4 first."""
    first, by = order_by_cartouches(laid(play.state, 0), laid(play.state, 1)) or order_by_draw(play)
    play.happens(OrderDetermined(first, by))
    return first


def order_by_cartouches(red: Cards, blue: Cards) -> tuple[Seat, str] | None:
    """The lower card at cartouche 2 goes first; if they are equal, the lower card at cartouche 1."""
    if red[1] != blue[1]:
        return (0 if red[1] < blue[1] else 1), "cartouche_2"
    if red[0] != blue[0]:
        return (0 if red[0] < blue[0] else 1), "cartouche_1"
    return None


def order_by_draw(play: Play) -> tuple[Seat, str]:
    """Top cards are turned up pair by pair until one is lower; then all go under their decks (Q7)."""
    red: Cards = ()
    blue: Cards = ()
    found: tuple[Seat, str] = (0, "default")
    while found[1] == "default" and all(has_cards_left(play.state, seat) for seat in SEATS):
        pair = deck_with_a_card(play, 0)[0], deck_with_a_card(play, 1)[0]
        play.happens(OrderCardsDrawn(pair))
        red, blue = (*red, pair[0]), (*blue, pair[1])
        if pair[0] != pair[1]:
            found = (0 if pair[0] < pair[1] else 1), "draw"
    play.happens(OrderCardsReturned((red, blue)))
    return found


def has_cards_left(state: State, seat: Seat) -> bool:
    """Whether a seat can still turn up a card: from its deck, or from what a rebuilt one is made of."""
    player = state.players[seat]
    return bool(player.deck_count or player.discard or player.exchanged_count)
