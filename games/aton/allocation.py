"""Allocate (5.1): both seats at once, in secret; each may exchange its hand once a game."""

from itertools import permutations

from games.aton.actions import Allocate, Exchange
from games.aton.board import CARTOUCHES
from games.aton.cards import draw
from games.aton.facts import CardsAllocated, HandExchanged
from games.aton.play import Play
from games.aton.reveal import reveal
from games.aton.state import State
from games.kernel import IllegalAction, Seat


def exchange(play: Play, seat: Seat) -> None:
    """The hand is given up face down before four others are drawn (Q4, Q5)."""
    player = play.state.players[seat]
    if not player.trade_token:
        raise IllegalAction("no_trade_token", "You have used your trade token already.")
    play.happens(HandExchanged(seat, player.hand, player.hand_count))
    draw(play, seat, CARTOUCHES)


def allocate(play: Play, seat: Seat, cards: tuple[int, int, int, int]) -> None:
    """The whole hand is laid, one card at each cartouche; when both seats have laid, all is turned up."""
    if sorted(cards) != sorted(play.state.players[seat].hand or ()):
        raise IllegalAction("cards_not_in_hand", "Lay exactly the four cards of your hand.")
    play.happens(CardsAllocated(seat, cards, len(cards)))
    if not play.state.to_act:
        reveal(play)


def allocations(state: State, seat: Seat) -> list[Exchange | Allocate]:
    """The exchange, if the token is left, then every different way to lay the hand, ascending."""
    player = state.players[seat]
    ways: list[Exchange | Allocate] = [Exchange()] if player.trade_token else []
    orders = sorted({*permutations(player.hand or (), CARTOUCHES)})
    return ways + [Allocate((first, second, third, fourth)) for first, second, third, fourth in orders]
