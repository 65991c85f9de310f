"""Lineage of a game's present state: the states that one seat's latest actions have passed through, for take-backs."""

from dataclasses import dataclass, field, replace
from typing import Any


@dataclass(frozen=True)
class Point:
    """A state that the game has passed through, the entries after which it stood, and the action that led to it."""

    versions: tuple[int, ...]
    state: Any = None
    facts: tuple[Any, ...] = ()
    drew: bool = False
    """Did the action draw on chance?"""
    sights: dict[int, Any] = field(default_factory=dict, compare=False, repr=False)
    """What seats saw on the way here, once it was worked out (see `events.takebacks`)."""


@dataclass(frozen=True)
class Lineage:
    """The state after which one seat alone has acted, and those that its actions have led to since."""

    points: tuple[Point, ...]
    """The first is where the seat's actions begin, the last is the present."""
    seat: int | None = None
    """Whose actions they are; None: nobody has acted since."""
    latest: int = 0
    """The number of the latest entry that has facts, whether it stands or was taken back."""

    @classmethod
    def from_here(cls, version: int, state: Any) -> "Lineage":
        """Nothing before this entry can be taken back."""
        return cls((Point((version,), state),), None, version)

    def stayed(self, version: int) -> "Lineage":
        """After an entry that leaves the state as it is."""
        *before, last = self.points
        return replace(self, points=(*before, replace(last, versions=(*last.versions, version))))

    def acted(self, seat: int, version: int, state: Any, facts: tuple[Any, ...], drew: bool) -> "Lineage":
        """After an action of a seat; another seat's actions can be taken back no more."""
        points = self.points
        if seat != self.seat:
            since = tuple(number for number in points[-1].versions if number >= self.latest)
            points = (Point(since, points[-1].state),)
        return Lineage((*points, Point((version,), state, facts, drew)), seat, version)

    def returned(self, to: int, version: int) -> "Lineage":
        """After the entry of this version has taken back everything after entry `to`."""
        index = self.index_of(to)
        if index is None:
            raise LookupError(f"entry {to} does not lead to the present state")
        kept = self.points[index]
        versions = (*(number for number in kept.versions if number <= to), version)
        return replace(self, points=(*self.points[:index], replace(kept, versions=versions)))

    def index_of(self, version: int) -> int | None:
        """The place among the points of the state after an entry; None if that entry does not lead to the present."""
        for index, point in enumerate(self.points):
            if version in point.versions:
                return index
        return None
