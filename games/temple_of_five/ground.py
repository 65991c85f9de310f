"""A board as groups of decorations that hang together, and what a tile on a slot would join there."""

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from games.temple_of_five.box import SHELF, Box, Part
from games.temple_of_five.contents import Space
from games.temple_of_five.state import Player, Rows, State

LENGTH_POWER = 1.6
"""Long chains are worth more than their parts."""
NOTHING = -1
"""What lies on a space that shows no decoration."""
Beside = tuple[tuple[int, ...], ...]
"""For each of a slot's four spaces the numbers of the groups around the slot that lie beside it."""


class Group(NamedTuple):
    """Decorations of one colour that hang together: a chain, or a lone one."""

    sign: str
    length: int
    closed: bool

    @property
    def worth(self) -> float:
        """A chain is worth something as long as it may be used."""
        return 0.0 if self.closed or self.length < 2 else WORTHS[self.length]


WORTHS = tuple(math.pow(length, LENGTH_POWER) for length in range(65))


class Ground(NamedTuple):
    """The groups of a board, and which of them each place belongs to."""

    groups: tuple[Group, ...]
    at: tuple[int, ...]
    worth: float


class Joined(NamedTuple):
    """What a part of a tile does on a slot: the groups beside it that it swallows, by number, and the one that arises."""

    gain: float
    gone: tuple[int, ...]
    made: Group


class Joins(dict[Part, Joined]):
    """What each part of a tile joins on a slot, worked out when it is first asked for."""

    def __init__(self, beside: Beside, groups: tuple[Group, ...]) -> None:
        self._beside, self._groups = beside, groups

    def __missing__(self, part: Part) -> Joined:
        sign, corners = part
        touched = {number for corner in corners for number in self._beside[corner]}
        gone = [number for number in sorted(touched) if self._groups[number].sign == sign]
        swallowed = [self._groups[number] for number in gone]
        made = merged(sign, len(corners), swallowed)
        gain = made.worth - sum([group.worth for group in swallowed])
        joined = self[part] = Joined(gain, tuple(gone), made)
        return joined


class Site(NamedTuple):
    """A slot on which a tile may be laid: what is left of the ground, what changes, and what a tile joins."""

    ground: Ground
    change: float
    returned: int
    numbers: tuple[int, ...]
    """The groups beside the slot; `joins` counts these."""
    joins: Joins


def ground_of(state: State, player: Player) -> Ground:
    """The ground of a player's board as it stands."""
    return surveyed(state.options.component_set, player.surface, player.board_priests)


@lru_cache(maxsize=1 << 11)
def surveyed(component_set: str, surface: Rows, priests: tuple[Space, ...]) -> Ground:
    """The groups of a surface with priests on some of its spaces."""
    box = SHELF[component_set].box
    return grouped(box, "".join(surface), [box.place_of[space] for space in priests])


def grouped(box: Box, signs: str, priests: Sequence[int]) -> Ground:
    """Every group of a whole surface."""
    neighbours, colours = box.neighbours, box.colour_of
    at, groups = [NOTHING] * len(signs), []
    for first, sign in enumerate(signs):
        if sign in colours and at[first] == NOTHING:
            number = len(groups)
            at[first] = number
            places = [first]
            for place in places:
                for beside in neighbours[place]:
                    if signs[beside] == sign and at[beside] == NOTHING:
                        at[beside] = number
                        places.append(beside)
            groups.append(Group(sign, len(places), any([place in places for place in priests])))
    return Ground(tuple(groups), tuple(at), sum([group.worth for group in groups]))


@lru_cache(maxsize=1 << 13)
def site_on(component_set: str, surface: Rows, priests: tuple[Space, ...], level: int, slot: int) -> Site:
    """A slot as a tile finds it: whatever lay there is covered, and priests on it come home."""
    box = SHELF[component_set].box
    before = ground = surveyed(component_set, surface, priests)
    places, returned = box.slot_places[level][slot], 0
    if any([before.at[place] != NOTHING for place in places]):
        signs = list("".join(surface))
        for place in places:
            signs[place] = box.empty
        standing = [box.place_of[space] for space in priests]
        staying = [place for place in standing if place not in places]
        ground, returned = grouped(box, "".join(signs), staying), len(standing) - len(staying)
    numbers, beside = numbered(ground, box.beside_slots[level][slot])
    joins = joins_of(beside, tuple([ground.groups[number] for number in numbers]))
    return Site(ground, ground.worth - before.worth, returned, numbers, joins)


def numbered(ground: Ground, around: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], Beside]:
    """The groups around a slot, and for each of its four spaces which of them lie beside it."""
    numbers: list[int] = []
    beside = []
    for places in around:
        mine = []
        for place in places:
            number = ground.at[place]
            if number != NOTHING:
                if number not in numbers:
                    numbers.append(number)
                mine.append(numbers.index(number))
        beside.append(tuple(mine))
    return tuple(numbers), tuple(beside)


joins_of = lru_cache(maxsize=1 << 13)(Joins)
"""Slots with the same surroundings share what is joined there."""


def merged(sign: str, added: int, groups: Iterable[Group]) -> Group:
    """These groups, and so many decorations that join them."""
    length, closed = added, False
    for group in groups:
        length += group.length
        closed = closed or group.closed
    return Group(sign, length, closed)


def groups_after(site: Site, parts: Iterable[Part]) -> list[Group]:
    """The groups of a board once a tile of these parts is laid on a site."""
    joined = [site.joins[part] for part in parts]
    gone = {site.numbers[each] for join in joined for each in join.gone}
    left = [group for number, group in enumerate(site.ground.groups) if number not in gone]
    return left + [join.made for join in joined]
