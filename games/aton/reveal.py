"""The cards are turned up: points at cartouche 1 (5.2), then who goes first (5.3)."""

from games.aton import facts
from games.aton.cards import deck_with_a_card
from games.aton.end import ending
from games.aton.state import SEATS, Cards, State, board_of, laid
from games.aton.turn import begin_turn
from games.kernel import Course, Seat


def reveal(course: Course[State]) -> None:
    """Everything that follows from the eight cards, up to the next decision."""
    course.happens(facts.CartouchesRevealed((laid(course.state, 0), laid(course.state, 1))))
    score_cartouche_1(course)
    if course.state.outcome is None:
        first = determine_order(course)
        begin_turn(course, first)


def score_cartouche_1(course: Course[State]) -> None:
    """The higher card scores twice the difference; who then has enough points wins at once (Q8)."""
    red, blue = (laid(course.state, seat)[0] for seat in SEATS)
    if red == blue:
        return
    seat, points = (0, 2 * (red - blue)) if red > blue else (1, 2 * (blue - red))
    score = course.state.players[seat].score + points
    course.happens(facts.PointsScored(seat, points, "cartouche_1", score))
    if score >= board_of(course.state).box.winning_score:
        course.happens(ending(course.state, (seat,), "points_at_cartouche_1"))


def determine_order(course: Course[State]) -> Seat:
    """Who resolves cartouches 2 to 4 first."""
    first, by = order_by_cartouches(laid(course.state, 0), laid(course.state, 1)) or order_by_draw(course)
    course.happens(facts.OrderDetermined(first, by))
    return first


def order_by_cartouches(red: Cards, blue: Cards) -> tuple[Seat, str] | None:
    """The lower card at cartouche 2 goes first; if they are equal, the lower card at cartouche 1."""
    if red[1] != blue[1]:
        return (0 if red[1] < blue[1] else 1), "cartouche_2"
    if red[0] != blue[0]:
        return (0 if red[0] < blue[0] else 1), "cartouche_1"
    return None


def order_by_draw(course: Course[State]) -> tuple[Seat, str]:
    """Top cards are turned up pair by pair until one is lower; then all go under their decks (Q7)."""
    red: Cards = ()
    blue: Cards = ()
    order: tuple[Seat, str] = (0, "default")
    while order[1] == "default" and all(has_cards_left(course.state, seat) for seat in SEATS):
        pair = deck_with_a_card(course, 0)[0], deck_with_a_card(course, 1)[0]
        course.happens(facts.OrderCardsDrawn(pair))
        red, blue = (*red, pair[0]), (*blue, pair[1])
        if pair[0] != pair[1]:
            order = (0 if pair[0] < pair[1] else 1), "draw"
    course.happens(facts.OrderCardsReturned((red, blue)))
    return order


def has_cards_left(state: State, seat: Seat) -> bool:
    """Whether a seat can still turn up a card: from its deck, or from what a rebuilt one is made of."""
    player = state.players[seat]
    return bool(player.deck_count or player.discard or player.exchanged_count)
