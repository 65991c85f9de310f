"""The course of one call, and the shape of a rule: what speaks against an action, and what comes of it."""

from collections.abc import Callable
from typing import Any, NamedTuple

from games.chance import Chance
from games.kernel import Course, Seat
from games.sa_re.box import Box, box_of
from games.sa_re.state import State

Objection = tuple[str, str] | None
"""What speaks against an action: a code and a sentence; None if nothing does. Of several objections the first in the
order of the specification counts, so that each may rely on the ones before it."""


class Play(Course[State]):
    """The facts of one call as they happen, and the chance they may draw on."""

    def __init__(self, state: State, chance: Chance) -> None:
        super().__init__(state)
        self.chance = chance

    @property
    def box(self) -> Box:
        return box_of(self.state)


class Rule(NamedTuple):
    """One action: what speaks against it, and what comes of it."""

    against: Callable[[State, Seat, Any], Objection]
    effect: Callable[[Play, Seat, Any], None]
