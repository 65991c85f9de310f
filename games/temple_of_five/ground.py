"""A board as groups of decorations that hang together, and what a tile on a slot would join there."""

import math
from collections.abc import Iterable, Sequence, Set
from functools import lru_cache
from typing import NamedTuple

from games.temple_of_five.box import SHELF, Box, Part
from games.temple_of_five.contents import Space
from games.temple_of_five.state import Player, Rows, State

LENGTH_POWER = 1.6
"""Long chains are worth more than their parts."""
NOTHING = -1
"""What lies on a space that shows no decoration."""
BARE = [NOTHING] * 4
Beside = tuple[tuple[int, ...], ...]
"""For each of a slot's four spaces the numbers of the groups around the slot that lie beside it."""


class Group(NamedTuple):
    """Decorations of one colour that hang together: a chain, or a lone one."""

    sign: str
    length: int
    closed: bool
    worth: float
    """A chain is worth something as long as it may be used."""


@lru_cache(maxsize=1 << 10)
def group_of(sign: str, length: int, closed: bool) -> Group:
    """A group; groups that are alike are the same."""
    return Group(sign, length, closed, 0.0 if closed or length < 2 else math.pow(length, LENGTH_POWER))


GONE = group_of("", 0, True)
"""What stands for a group that was covered or taken apart."""


class Ground(NamedTuple):
    """The groups of a board, and which of them each place belongs to."""

    groups: tuple[Group, ...]
    at: tuple[int, ...]
    places: tuple[tuple[int, ...], ...]
    """Where each group lies."""
    worth: float


class Joins(dict[Part, float]):
    """What each part of a tile adds to the chains around a slot, worked out when it is first asked for."""

    def __init__(self, beside: Beside, groups: tuple[Group, ...]) -> None:
        self._beside, self._groups = beside, groups

    def __missing__(self, part: Part) -> float:
        swallowed = [self._groups[number] for number in self.swallowed_by(part)]
        gain = merged(part[0], len(part[1]), swallowed).worth - sum([group.worth for group in swallowed])
        self[part] = gain
        return gain

    def swallowed_by(self, part: Part) -> list[int]:
        """The groups around the slot that a part of a tile joins."""
        sign, corners = part
        touched = {number for corner in corners for number in self._beside[corner]}
        return [number for number in sorted(touched) if self._groups[number].sign == sign]


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
    box, signs = SHELF[component_set].box, "".join(surface)
    decorated = [place for place, sign in enumerate(signs) if sign in box.colour_of]
    nothing = Ground((), (NOTHING,) * len(signs), (), 0.0)
    return with_groups(box, nothing, signs, decorated, {box.place_of[space] for space in priests})


def with_groups(
    box: Box, ground: Ground, signs: Sequence[str], starts: Iterable[int], priests: Set[int]
) -> Ground:
    """A ground on which the decorations that are found from these places are grouped as well."""
    neighbours = box.neighbours
    at, groups, places = list(ground.at), list(ground.groups), list(ground.places)
    worth = ground.worth
    for first in starts:
        if at[first] == NOTHING:
            sign, number = signs[first], len(groups)
            at[first] = number
            found = [first]
            for place in found:
                for beside in neighbours[place]:
                    if at[beside] == NOTHING and signs[beside] == sign:
                        at[beside] = number
                        found.append(beside)
            group = group_of(sign, len(found), not priests.isdisjoint(found))
            groups.append(group)
            places.append(tuple(found))
            worth += group.worth
    return Ground(tuple(groups), tuple(at), tuple(places), worth)


def cleared(box: Box, ground: Ground, slot: tuple[int, ...], priests: Set[int]) -> Ground:
    """A ground with nothing on a slot any more: what is left of the groups that lay there is grouped anew."""
    at, groups, places = list(ground.at), list(ground.groups), list(ground.places)
    signs, left, worth = [""] * len(at), [], ground.worth
    for number in {at[place] for place in slot if at[place] != NOTHING}:
        worth -= groups[number].worth
        for place in places[number]:
            at[place] = NOTHING
            if place not in slot:
                signs[place] = groups[number].sign
                left.append(place)
        groups[number], places[number] = GONE, ()
    rest = Ground(tuple(groups), tuple(at), tuple(places), worth)
    return with_groups(box, rest, signs, left, priests)


@lru_cache(maxsize=1 << 13)
def site_on(component_set: str, surface: Rows, priests: tuple[Space, ...], level: int, slot: int) -> Site:
    """A slot as a tile finds it: whatever lay there is covered, and priests on it come home."""
    box = SHELF[component_set].box
    before = ground = surveyed(component_set, surface, priests)
    places, returned = box.slot_places[level][slot], 0
    if [before.at[place] for place in places] != BARE:
        standing = {box.place_of[space] for space in priests}
        staying = standing.difference(places)
        ground, returned = cleared(box, before, places, staying), len(standing) - len(staying)
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
    return group_of(sign, length, closed)


def groups_after(site: Site, parts: Iterable[Part]) -> list[Group]:
    """The groups of a board once a tile of these parts is laid on a site."""
    groups, left, made = site.ground.groups, list(site.ground.groups), []
    for part in parts:
        swallowed = [site.numbers[each] for each in site.joins.swallowed_by(part)]
        made.append(merged(part[0], len(part[1]), [groups[number] for number in swallowed]))
        for number in swallowed:
            left[number] = GONE
    return left + made
