"""What blessing cards are worth to a seat, as the greedy bot reckons (15).

All is reckoned by value and kept, with seats counted from one's own: cards of different gods that look alike, and seats
that stand alike, share what was found.
"""

import math
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from games.kernel import Seat
from games.temple_of_five.contents import GODS
from games.temple_of_five.end import majority
from games.temple_of_five.goals import goals_in_sight, wanted_gods
from games.temple_of_five.ground import ground_of
from games.temple_of_five.state import LAST_ROUND, Blessing, State, box_of

ME = 0
FILLING = 0.43
"""How fast a card with one free space fills up, in each turn to come; the more spaces are free, the slower."""
FREE_POWER = 1.5
REACH = 1.5
"""How many spaces of a card a turn of somebody else may take."""
PRIEST = 0.4
"""What a priest in reserve is worth for each round to come."""
PIECE = 1.15
"""A piece in reserve is a point at the end, and may lengthen a chain before."""
RIVALRY = 0.6
"""What others may hope for counts against, shared among them."""

Priests = tuple[int | None, ...]
"""Who stands on the spaces of a card, counted from one's own seat."""


class Terms(NamedTuple):
    """What the worth of any card depends on."""

    seats: int
    turns_left: int
    priest: float
    """What a priest in reserve is worth."""


class Stake(NamedTuple):
    """A card as it counts, and the terms on which."""

    values: tuple[int, ...]
    bonus: tuple[int | None, ...]
    points: int
    points_incomplete: int
    wanted: float
    """What the card would add towards one's goals."""
    terms: Terms


class Use(NamedTuple):
    """Spaces of a card to take with a chain, and what that is worth."""

    worth: float
    spaces: tuple[int, ...]


NO_USE = Use(0.0, ())


def terms_of(state: State, seat: Seat) -> Terms:
    """The terms of a seat at this moment, as on its next or present turn."""
    rounds_left = LAST_ROUND - state.round
    later_seats = (state.first_player - seat - 1) % state.seats
    return Terms(state.seats, rounds_left * state.seats + later_seats, PRIEST * rounds_left)


def stakes_of(state: State, seat: Seat) -> list[tuple[Stake, Priests] | None]:
    """The card of each god, then one's own, as they count for a seat; None where there is none."""
    terms, wanted, cards = (
        terms_of(state, seat),
        wanted_gods(state, state.players[seat]),
        box_of(state).cards_by_id,
    )
    blessings = [state.display.of(god) for god in GODS] + [state.players[seat].private_card]
    stakes: list[tuple[Stake, Priests] | None] = []
    for blessing in blessings:
        if blessing is None:
            stakes.append(None)
        else:
            card = cards[blessing.card]
            extra = wanted[GODS_BY_NAME[card.god]]
            stake = Stake(card.values, card.bonus, card.points, card.points_incomplete, extra, terms)
            stakes.append((stake, seen_from(seat, state.seats, blessing)))
    return stakes


GODS_BY_NAME: dict[str, int] = {god: number for number, god in enumerate(GODS)}


def seen_from(seat: Seat, seats: int, blessing: Blessing) -> Priests:
    """The priests on a card, counted from a seat."""
    return tuple([None if priest is None else (priest - seat) % seats for priest in blessing.priests])


@lru_cache(maxsize=1 << 8)
def filling_chance(turns_left: int, free: int) -> float:
    """How likely a card is to be completed before the end."""
    return 1 - math.exp(-FILLING * turns_left / math.pow(free, FREE_POWER))


def winning_chance(terms: Terms, priests: Priests, seat: Seat) -> float:
    """How likely a seat that stands on a card is to have most priests there in the end."""
    mine = priests.count(seat)
    others = max([priests.count(other) for other in range(terms.seats) if other != seat])
    lead: float = mine - others
    if lead == 0:
        lead = 0.5 if majority(priests)[0] == seat else -0.5
    doubt = min(priests.count(None), REACH * terms.turns_left) + 0.5
    return 0.5 + 0.5 * max(-1.0, min(1.0, lead / doubt))


def hope(stake: Stake, priests: Priests, seat: Seat) -> float:
    """What a seat may hope for from an unfinished card: the more, the nearer it is to having most of all spaces."""
    filled = filling_chance(stake.terms.turns_left, priests.count(None))
    points = stake.points_incomplete + (stake.points - stake.points_incomplete) * filled
    if seat == ME:
        points += stake.wanted * filled
    return points * winning_chance(stake.terms, priests, seat) * secured(stake.terms, priests, seat)


def secured(terms: Terms, priests: Priests, seat: Seat) -> float:
    """How much of the way to most of all spaces a seat has come; on the last turn of all a lead is enough."""
    doubt = min(1.0, terms.turns_left / terms.seats)
    lacking = max(0.0, 1 - priests.count(seat) / (len(priests) // 2 + 1))
    return 1 - doubt * lacking


@lru_cache(maxsize=1 << 14)
def card_worth(stake: Stake, priests: Priests) -> float:
    """What a card in play is worth to oneself, less what it is worth to the others."""
    if None not in priests:
        return won_worth(stake, priests)
    worth = hope(stake, priests, ME) if ME in priests else 0.0
    rivals = stake.terms.seats - 1
    theirs = sum([hope(stake, priests, other) for other in range(1, rivals + 1) if other in priests])
    return worth - RIVALRY * theirs / rivals


def won_worth(stake: Stake, priests: Priests) -> float:
    """What a full card brings: its points to the winner, and every priest home."""
    mine, rivals = priests.count(ME), stake.terms.seats - 1
    home = stake.terms.priest * (mine - RIVALRY * (len(priests) - mine) / rivals)
    if majority(priests)[0] == ME:
        return home + stake.points + stake.wanted
    return home - RIVALRY * stake.points / rivals


@lru_cache(maxsize=1 << 14)
def best_use(stake: Stake, priests: Priests, length: int, reserve: int) -> Use:
    """The best spaces of a card to take with a chain of this length and so many priests in reserve."""
    return max(uses(stake, priests, length, reserve), default=NO_USE)


def uses(stake: Stake, priests: Priests, length: int, reserve: int) -> list[Use]:
    """Every way to spend a chain on a card."""
    before = card_worth(stake, priests)
    free = tuple([space for space, priest in enumerate(priests) if priest is None])
    return [
        Use(use_worth(stake, priests, spaces) - before, spaces)
        for spaces in payable(stake.values, free, length, min(len(free), reserve - 1))
    ]


@lru_cache(maxsize=1 << 13)
def payable(
    values: tuple[int, ...], free: tuple[int, ...], length: int, most: int
) -> tuple[tuple[int, ...], ...]:
    """The sets of free spaces that a chain pays for; of several spaces, only those furthest left and furthest right."""
    found: list[tuple[int, ...]] = [(space,) for space in free if values[space] <= length] if most > 0 else []
    for number in range(2, most + 1):
        sets = [
            spaces
            for spaces in combinations(free, number)
            if sum([values[space] for space in spaces]) <= length
        ]
        found += dict.fromkeys(sets[:1] + sets[-1:])
    return tuple(found)


def use_worth(stake: Stake, priests: Priests, spaces: tuple[int, ...]) -> float:
    """What a card is worth once these spaces are taken, with the piece that comes and the priests that stay away."""
    taken = with_priests(priests, spaces)
    worth = card_worth(stake, taken) - stake.terms.priest * (1 + len(spaces))
    if len(spaces) == 1 and stake.bonus[spaces[0]]:
        worth += PIECE
    if None not in taken and majority(taken)[0] != ME:
        worth += PIECE
    return worth


def with_priests(priests: Priests, spaces: tuple[int, ...]) -> Priests:
    """Who stands on a card once one has taken these spaces."""
    taken = list(priests)
    for space in spaces:
        taken[space] = ME
    return tuple(taken)


@lru_cache(maxsize=1 << 14)
def best_two_uses(stake: Stake, priests: Priests, lengths: tuple[int, int], reserve: int) -> Use:
    """The best way to spend two chains on one card: what both are worth, and the spaces of the first."""
    best = NO_USE
    for worth, spaces in uses(stake, priests, lengths[0], reserve):
        taken = with_priests(priests, spaces)
        if None in taken:
            second = best_use(stake, taken, lengths[1], reserve - 1 - len(spaces))
            if second.spaces and worth + second.worth > best.worth:
                best = Use(worth + second.worth, spaces)
    return best


# -- what a seat has, and what is in sight ----------------------------------------------------------------------------


class Sight(NamedTuple):
    """What a seat has and may hope for, in the measures that tell who will win."""

    won: float
    """Points of completed cards, and a point for each piece."""
    hoped: float
    """What the cards in play promise."""
    chains: float
    """Open chains, for the turns to come."""
    priests: float
    """Priests in reserve, for each round to come."""
    goals: float
    turns: float
    """Whether the seat's turn of the round is still to come."""


def sight_of(state: State, seat: Seat) -> Sight:
    """What a seat has and may hope for, as a full state stands."""
    me, cards = state.players[seat], box_of(state).cards_by_id
    points = sum([cards[card].points for card in me.completed])
    stakes = [found for found in stakes_of(state, seat) if found is not None]
    hoped = sum([hope(stake, priests, ME) for stake, priests in stakes if ME in priests])
    return Sight(
        points + me.bonus_2_count + me.bonus_3_count,
        hoped,
        ground_of(state, me).worth,
        me.priests_reserve * (LAST_ROUND - state.round + 1),
        goals_in_sight(state, me),
        1.0 if has_turn_to_come(state, seat) else 0.0,
    )


def has_turn_to_come(state: State, seat: Seat) -> bool:
    """Whether a seat has not yet ended its turn of this round."""
    if state.active_seat is None:
        return True
    order = state.turn_order
    return order.index(seat) >= order.index(state.active_seat)
