"""Chains, the cards they serve, and what comes of a card (6.8)."""

from games.kernel import Course, Seat
from games.temple_of_five.contents import Card, Size
from games.temple_of_five.end import majority
from games.temple_of_five.facts.priests import (
    BonusDrawn,
    BonusMissed,
    BonusReason,
    CardCompleted,
    CardRevealed,
)
from games.temple_of_five.state import DECKS, Chain, State, Target


def at_chain_limit(state: State) -> bool:
    """Whether the turn's chains are used up."""
    turn = state.turn
    return turn.chains_used >= turn.chain_limit


def can_reuse_a_chain(state: State, seat: Seat) -> bool:
    """Effect `reuse_chain`: once, a closed chain may serve again (Q25)."""
    return state.effect_of(seat) == "reuse_chain" and not state.turn.effect_used


def fits(chain: Chain, card: Card) -> bool:
    """Any colour serves the supreme god, its own colour each of the others (Q21)."""
    return card.god in (chain.colour, "supreme")


def draw(course: Course[State], seat: Seat, size: Size, reason: BonusReason) -> None:
    """One piece from the pile of this size; an empty pile gives nothing, the other size is no substitute (Q14)."""
    pile = f"bonus_{size}_pile"
    if course.state.count(pile) == 0:
        course.happens(BonusMissed(seat, size, reason))
    else:
        course.happens(BonusDrawn(seat, size, reason, course.state.top(pile)[0]))


def draw_for_symbol(course: Course[State], seat: Seat, card: Card, spaces: tuple[int, ...]) -> None:
    """A piece for taking exactly one space, if that is marked (Q11)."""
    if len(spaces) == 1 and (size := card.bonus[spaces[0]]):
        draw(course, seat, size, "symbol")


def complete_card(course: Course[State], seat: Seat, target: Target, card: Card) -> None:
    """The winner takes a full card, its priests go home, and the loser who filled it has a piece (Q12, Q14)."""
    state = course.state
    priests = state.priests_on(seat, target)
    winner, tie_broken = majority(priests)
    returned = tuple([priests.count(each) for each in range(state.seats)])
    course.happens(CardCompleted(card.id, target, winner, returned, tie_broken))
    if target != "private":
        deck = course.state.top(DECKS[target])
        course.happens(CardRevealed(target, deck[0] if deck else None))
    if winner != seat:
        draw(course, seat, 2, "last_space")
