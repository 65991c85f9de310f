"""What blessing cards are worth to a seat, as the greedy bot reckons (15). All is reckoned by value, and kept."""

import math
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from games.kernel import Seat
from games.temple_of_five.box import SHELF
from games.temple_of_five.contents import GODS, Card
from games.temple_of_five.end import majority
from games.temple_of_five.goals import wanted_gods
from games.temple_of_five.state import LAST_ROUND, State

FILLING = 0.43
"""How fast a card with one free space fills up, in each turn to come; the more spaces are free, the slower."""
FREE_POWER = 1.5
REACH = 1.5
"""How many spaces of a card a turn of somebody else may take."""
PRIEST = 0.4
"""What a priest in reserve is worth for each round to come."""
STANDING = 1.0
"""How much of a priest the one on the chain counts: it may come home under a later level."""
PIECE = 1.15
"""A piece in reserve is a point at the end, and may lengthen a chain before."""
SECURED = 1.0
RIVALRY = 0.6
"""What others may hope for counts against, shared among them."""

Priests = tuple[int | None, ...]


class Terms(NamedTuple):
    """What the worth of a card depends on besides the card."""

    component_set: str
    seat: Seat
    seats: int
    turns_left: int
    priest: float
    """What a priest in reserve is worth."""
    wanted: tuple[float, ...]
    """What a card of each god would add towards one's goals."""

    def card(self, card: str) -> Card:
        return SHELF[self.component_set].box.cards_by_id[card]


class Use(NamedTuple):
    """Spaces of a card to take with a chain, and what that is worth."""

    worth: float
    spaces: tuple[int, ...]


NO_USE = Use(0.0, ())


def terms_of(state: State, seat: Seat) -> Terms:
    """The terms of a seat at this moment, as on its next or present turn."""
    rounds_left = LAST_ROUND - state.round
    later_seats = (state.first_player - seat - 1) % state.seats
    turns_left = rounds_left * state.seats + later_seats
    me = state.players[seat]
    return Terms(
        state.options.component_set,
        seat,
        state.seats,
        turns_left,
        PRIEST * rounds_left,
        wanted_gods(state, me),
    )


@lru_cache(maxsize=1 << 8)
def filling_chance(turns_left: int, free: int) -> float:
    """How likely a card is to be completed before the end."""
    return 1 - math.exp(-FILLING * turns_left / math.pow(free, FREE_POWER))


def winning_chance(terms: Terms, priests: Priests, seat: Seat) -> float:
    """How likely a seat that stands on a card is to have most priests there in the end."""
    mine = priests.count(seat)
    others = max(priests.count(other) for other in range(terms.seats) if other != seat)
    lead = mine - others + (0.5 if majority(priests)[0] == seat else -0.5) * (mine == others)
    doubt = min(priests.count(None), REACH * terms.turns_left) + 0.5
    return 0.5 + 0.5 * max(-1.0, min(1.0, lead / doubt))


def hope(terms: Terms, card: Card, priests: Priests, seat: Seat) -> float:
    """What a seat may hope for from an unfinished card on which it stands."""
    filled = filling_chance(terms.turns_left, priests.count(None))
    points = card.points_incomplete + (card.points - card.points_incomplete) * filled
    if seat == terms.seat:
        points += terms.wanted[GODS.index(card.god)] * filled  # type: ignore[arg-type]
    most = len(priests) // 2 + 1
    secured = min(1.0, math.pow(priests.count(seat) / most, SECURED))
    return points * winning_chance(terms, priests, seat) * secured


@lru_cache(maxsize=1 << 15)
def card_worth(terms: Terms, card_id: str, priests: Priests) -> float:
    """What a card in play is worth to a seat, less what it is worth to the others."""
    card, seat = terms.card(card_id), terms.seat
    if None not in priests:
        return won_worth(terms, card, priests)
    worth = hope(terms, card, priests, seat) if seat in priests else 0.0
    rivals = {other for other in priests if other is not None and other != seat}
    theirs = sum([hope(terms, card, priests, other) for other in sorted(rivals)])
    return worth - RIVALRY * theirs / (terms.seats - 1)


def won_worth(terms: Terms, card: Card, priests: Priests) -> float:
    """What a full card brings: its points to the winner, and every priest home."""
    seat, rivals = terms.seat, terms.seats - 1
    home = terms.priest * (priests.count(seat) - RIVALRY * (len(priests) - priests.count(seat)) / rivals)
    if majority(priests)[0] == seat:
        return home + card.points + terms.wanted[GODS.index(card.god)]  # type: ignore[arg-type]
    return home - RIVALRY * card.points / rivals


@lru_cache(maxsize=1 << 15)
def best_use(terms: Terms, card: str, priests: Priests, length: int, reserve: int) -> Use:
    """The best spaces of a card to take with a chain of this length and so many priests in reserve."""
    return max(uses(terms, card, priests, length, reserve), default=NO_USE)


def uses(terms: Terms, card: str, priests: Priests, length: int, reserve: int) -> list[Use]:
    """Every way to spend a chain on a card."""
    before, values = card_worth(terms, card, priests), terms.card(card).values
    free = tuple([space for space, priest in enumerate(priests) if priest is None])
    return [
        Use(use_worth(terms, card, priests, spaces) - before, spaces)
        for spaces in payable(values, free, length, min(len(free), reserve - 1))
    ]


@lru_cache(maxsize=1 << 13)
def payable(
    values: tuple[int, ...], free: tuple[int, ...], length: int, most: int
) -> tuple[tuple[int, ...], ...]:
    """The sets of free spaces of a card within a chain's length and a number of priests."""
    return tuple(
        spaces
        for number in range(1, most + 1)
        for spaces in combinations(free, number)
        if sum([values[space] for space in spaces]) <= length
    )


@lru_cache(maxsize=1 << 15)
def use_worth(terms: Terms, card: str, priests: Priests, spaces: tuple[int, ...]) -> float:
    """What a card is worth once these spaces are taken, with the piece that comes and the priests that stay away."""
    taken = with_priests(priests, spaces, terms.seat)
    worth = card_worth(terms, card, taken) - terms.priest * (STANDING + len(spaces))
    if len(spaces) == 1 and terms.card(card).bonus[spaces[0]]:
        worth += PIECE
    if None not in taken and majority(taken)[0] != terms.seat:
        worth += PIECE
    return worth


def with_priests(priests: Priests, spaces: tuple[int, ...], seat: Seat) -> Priests:
    """Who stands on a card once a seat has taken these spaces."""
    taken = list(priests)
    for space in spaces:
        taken[space] = seat
    return tuple(taken)


@lru_cache(maxsize=1 << 15)
def best_two_uses(
    terms: Terms, card: str, priests: Priests, lengths: tuple[int, int], reserve: int
) -> tuple[float, Use]:
    """The best way to spend two chains on one card: what both are worth, and the first of them."""
    best = (0.0, NO_USE)
    for use in uses(terms, card, priests, lengths[0], reserve):
        taken = with_priests(priests, use.spaces, terms.seat)
        if None in taken:
            second = best_use(terms, card, taken, lengths[1], reserve - 1 - len(use.spaces))
            if second.spaces:
                best = max(best, (use.worth + second.worth, use))
    return best
