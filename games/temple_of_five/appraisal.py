"""What a position is worth to a seat, as the greedy bot reckons (15)."""

import math
from collections.abc import Iterator
from typing import NamedTuple

from games.kernel import Seat
from games.temple_of_five.contents import Space
from games.temple_of_five.end import majority
from games.temple_of_five.legal import payable, targets
from games.temple_of_five.state import LAST_ROUND, Blessing, Chain, Player, State, Target, box_of
from games.temple_of_five.surface import connected

LENGTH_POWER = 1.6
"""Long chains are worth more than their parts."""
PRIEST_HOME = 2.0
PRIEST_PLACED = 0.2
PIECE = 1.0
LEADING = 0.5
"""How likely a lead on a card lasts to its end, as a factor of one's share of its spaces."""


class Use(NamedTuple):
    """One way to spend a chain, and its worth."""

    worth: float
    chain: Chain
    target: Target
    spaces: tuple[int, ...]


def open_worth(state: State, signs: str, priests: set[int]) -> float:
    """The chains that may still be used; lengthening a closed one is worth nothing."""
    groups = connected(box_of(state), list(signs), range(len(signs)))
    return sum(math.pow(len(group), LENGTH_POWER) for group in groups if priests.isdisjoint(group))


def places_of(state: State, spaces: tuple[Space, ...]) -> list[int]:
    """Spaces as places in the whole surface."""
    return [row * box_of(state).board_size + column for row, column in spaces]


def covering_worth(state: State, player: Player, spaces: tuple[Space, ...], face: str) -> float:
    """What a board is worth with a tile on these spaces: open chains, and priests brought home."""
    signs = list("".join(player.surface))
    covered = places_of(state, spaces)
    for place, sign in zip(covered, face, strict=True):
        signs[place] = sign
    priests = set(places_of(state, player.board_priests))
    home = len(priests.intersection(covered))
    return open_worth(state, "".join(signs), priests.difference(covered)) + PRIEST_HOME * home


def best_placing_gain(state: State, player: Player, tile: str, free: tuple[int, ...]) -> float:
    """How much a tile adds to a board in its best place."""
    box = box_of(state)
    now = open_worth(state, "".join(player.surface), set(places_of(state, player.board_priests)))
    return max(
        covering_worth(state, player, box.slots[state.level][slot], box.faces[tile][rotation]) - now
        for slot in free
        for rotation in box.different_rotations[tile]
    )


def best_use(state: State, seat: Seat, chain: Chain) -> Use | None:
    """The best way to spend a chain."""
    return max(uses(state, seat, chain), key=lambda use: use.worth, default=None)


def uses(state: State, seat: Seat, chain: Chain) -> Iterator[Use]:
    """Every way to spend a chain."""
    priests = state.players[seat].priests_reserve - 1
    for target, blessing in targets(state, seat, chain):
        before = standing(state, seat, blessing)
        for spaces in payable(state, blessing, chain.length, priests):
            yield Use(use_worth(state, seat, blessing, spaces) - before, chain, target, spaces)


def use_worth(state: State, seat: Seat, blessing: Blessing, spaces: tuple[int, ...]) -> float:
    """What a card is worth after its spaces are taken, with the pieces that come and the priests that stay away."""
    card = box_of(state).cards_by_id[blessing.card]
    taken = tuple(seat if space in spaces else priest for space, priest in enumerate(blessing.priests))
    worth = -PRIEST_PLACED
    if len(spaces) == 1 and card.bonus[spaces[0]]:
        worth += PIECE
    if None in taken:
        return worth + standing(state, seat, Blessing(card.id, taken)) - PRIEST_PLACED * len(spaces)
    if majority(taken)[0] == seat:
        return worth + card.points
    return worth + PIECE + PRIEST_PLACED * blessing.priests.count(seat)


def standing(state: State, seat: Seat, blessing: Blessing) -> float:
    """What a seat may hope for from a card as its priests stand."""
    if seat not in blessing.priests:
        return 0.0
    card = box_of(state).cards_by_id[blessing.card]
    leads = majority(blessing.priests)[0] == seat
    if state.round == LAST_ROUND:
        return float(card.points_incomplete) if leads else 0.0
    share = blessing.priests.count(seat) / len(blessing.priests)
    return card.points * share * (LEADING + 0.1 * leads)


def prospects(state: State, seat: Seat, chains: tuple[Chain, ...], number: int) -> float:
    """What the best so many open chains would bring this turn."""
    best = (best_use(state, seat, chain) for chain in chains if not chain.closed)
    worths = sorted((use.worth for use in best if use is not None and use.worth > 0), reverse=True)
    return sum(worths[:number])
